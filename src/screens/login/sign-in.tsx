/** The sign-in page. After a forced logout it gives the reason and offers the remembered member. */
import { lazy, Suspense } from "react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "#src/actors/session.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { currentSite } from "#src/gateway/site.ts";
import { read } from "#src/gateway/storage.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Link } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { maskedId } from "./masked-id.ts";
import { SignInForm } from "./sign-in-form.tsx";
import styles from "./login.module.css";

/** Loads after the form. Without it members still have their password. */
const PasskeySignIn = lazy<ComponentType>(() =>
  Promise.all([import("./passkey-sign-in.tsx"), loadTranslations("documents")])
    .then(([part]) => ({ default: part.PasskeySignIn }))
    .catch(() => ({ default: () => null })),
);

export function SignIn() {
  const { t } = useTranslation();
  const reason = useSession((session) => session.context.reason);
  const remembered = read("rembInfo");
  return (
    <Screen header={<BackHeader title={t("login.title")} fallback="/login/start" />}>
      <div className={styles.page}>
        {reason !== null && reason !== "left" && (
          <section className={styles.ended} aria-label={t("login.ended")}>
            <p>{t("login.ended")}</p>
            {reason !== "ACC_SESSION_EXPIRED" && <p className={styles.why}>{t(`refusal.${reason}`)}</p>}
            {remembered && <ButtonLink to="/login/reLogin">{t("login.continueAs", { id: maskedId(remembered.idNumber) })}</ButtonLink>}
          </section>
        )}
        <SignInForm />
        <Suspense fallback={null}>
          <PasskeySignIn />
        </Suspense>
        <nav className={styles.links} aria-label={t("login.more")}>
          <Link to="/login/forget" className={styles.link ?? ""}>
            {t("login.forget")}
          </Link>
          <Link to="/login/register" className={styles.link ?? ""}>
            {t("login.register")}
          </Link>
        </nav>
        <p className={styles.note}>{currentSite().simulated ? t("login.sandboxNote") : t("login.paperNote")}</p>
      </div>
    </Screen>
  );
}
