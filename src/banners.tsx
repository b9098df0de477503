/** App-wide banners: an ended session, and orders whose outcome is not known yet. */
import { useTranslation } from "react-i18next";
import { abandonCommand, useUnresolved } from "#src/actors/command.ts";
import { useSession } from "#src/actors/session.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./app.module.css";

/** Shown for two seconds between HTTP 401 and the sign-in page, and for one second after signing out. */
export function SessionEnded() {
  const { t } = useTranslation();
  const expired = useSession((session) => session.matches("expired"));
  const leaving = useSession((session) => session.matches("leaving"));
  if (!expired && !leaving) return null;
  return (
    <p className={styles.banner} role="alert">
      {expired ? t("app.sessionEnded") : t("app.signingOut")}
    </p>
  );
}

/** Orders that were sent and not answered: queried until known, never sent twice automatically. */
export function Unresolved() {
  const { t } = useTranslation();
  const unresolved = useUnresolved();
  return unresolved.map((one) => (
    <div key={one.requestId} className={styles.banner} role="status">
      <p>{one.notReceived ? t("app.orderNotReceived") : t("app.orderChecking")}</p>
      {one.notReceived && (
        <div className={styles.answers}>
          <Button onClick={() => void abandonCommand(one.requestId)}>{t("app.letBe")}</Button>
          <Button tone="primary" onClick={() => one.actor.send({ type: "SEND_AGAIN" })}>
            {t("app.sendAgain")}
          </Button>
        </div>
      )}
    </div>
  ));
}
