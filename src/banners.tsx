/** What concerns the whole app wherever one is: a session that ended, an order whose fate is not known yet. */
import { useTranslation } from "react-i18next";
import { letBe, useUnresolved } from "#src/actors/command.ts";
import { useSession } from "#src/actors/session.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./app.module.css";

/** For the two seconds between HTTP 401 and the sign-in page, and the one after signing out. */
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

/** Orders that were sent and not answered: asked for until known, never sent twice by themselves. */
export function Unresolved() {
  const { t } = useTranslation();
  const unresolved = useUnresolved();
  return unresolved.map((one) => (
    <div key={one.requestId} className={styles.banner} role="status">
      <p>{one.notReceived ? t("app.orderNotReceived") : t("app.orderChecking")}</p>
      {one.notReceived && (
        <div className={styles.answers}>
          <Button onClick={() => void letBe(one.requestId)}>{t("app.letBe")}</Button>
          <Button tone="primary" onClick={() => one.actor.send({ type: "SEND_AGAIN" })}>
            {t("app.sendAgain")}
          </Button>
        </div>
      )}
    </div>
  ));
}
