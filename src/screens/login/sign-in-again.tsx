/** Sign-in after a forced logout: gives the reason, fills in the remembered ID and returns to the previous screen. */
import { useTranslation } from "react-i18next";
import { useSession } from "#src/actors/session.ts";
import { read } from "#src/gateway/storage.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { maskedId } from "./masked-id.ts";
import { SignInForm } from "./sign-in-form.tsx";
import styles from "./login.module.css";

export function SignInAgain() {
  const { t } = useTranslation();
  const reason = useSession((session) => session.context.reason);
  const returns = useSession((session) => session.context.returnTo !== null);
  const remembered = read("rembInfo");
  return (
    <Screen header={<BackHeader title={t("login.again")} fallback="/login/login" />}>
      <div className={styles.page}>
        {reason !== null && reason !== "left" && (
          <section className={styles.ended} aria-label={t("login.ended")}>
            <p>{t("login.ended")}</p>
            <p className={styles.why}>{t(reason === "ACC_SESSION_EXPIRED" ? "login.endedWhy" : `refusal.${reason}`)}</p>
            {returns && <p className={styles.why}>{t("login.returnNote")}</p>}
          </section>
        )}
        {remembered && <p className={styles.who}>{t("login.continueAs", { id: maskedId(remembered.idNumber) })}</p>}
        {remembered ? <SignInForm fixedId={remembered.idNumber} /> : <SignInForm />}
        {remembered && (
          <ButtonLink to="/login/login" replace tone="quiet">
            {t("login.other")}
          </ButtonLink>
        )}
      </div>
    </Screen>
  );
}
