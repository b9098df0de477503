/** A form's request errors: a refusal without a field, no answer, or an outcome that is still being queried. */
import { useTranslation } from "react-i18next";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Request } from "#src/actors/request.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./trading.module.css";

/** Sending again is offered only when the server says that the command never arrived. */
export function RequestError({ request }: { request: Pick<Request<EndpointName>, "state" | "errorOfForm" | "edit" | "sendAgain"> }) {
  const { t } = useTranslation();
  const { state, errorOfForm } = request;
  if (errorOfForm !== null) {
    return (
      <p className={styles.trouble} role="alert">
        {errorOfForm}
      </p>
    );
  }
  if (state === "failed") {
    return (
      <p className={styles.trouble} role="alert">
        {t("margin.notSent")}
      </p>
    );
  }
  if (state === "unknown" || state === "asking") {
    return (
      <p className={styles.plain} role="status">
        {t("margin.checking")}
      </p>
    );
  }
  if (state !== "notReceived") return null;
  return (
    <div className={styles.choices} role="alert">
      <p>{t("margin.notReceived")}</p>
      <Button onClick={() => request.edit()}>{t("app.letBe")}</Button>
      <Button tone="primary" onClick={request.sendAgain}>
        {t("app.sendAgain")}
      </Button>
    </div>
  );
}
