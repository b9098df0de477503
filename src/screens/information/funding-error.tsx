/** What went wrong with a form of money in or out: a refusal without a field, no answer, or an outcome that is still being queried. */
import { useTranslation } from "react-i18next";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Request } from "#src/actors/request.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./funding.module.css";

/** Sending again is offered only when the server says that the command never arrived. */
export function FundingError({ request }: { request: Pick<Request<EndpointName>, "state" | "errorOfForm" | "edit" | "sendAgain"> }) {
  const { t } = useTranslation();
  const { state, errorOfForm } = request;
  const trouble = errorOfForm ?? (state === "failed" ? t("funding.notSent") : null);
  if (trouble !== null) {
    return (
      <p className={styles.trouble} role="alert">
        {trouble}
      </p>
    );
  }
  if (state === "unknown" || state === "asking") {
    return (
      <p className={styles.note} role="status">
        {t("funding.checking")}
      </p>
    );
  }
  if (state !== "notReceived") return null;
  return (
    <div className={styles.amounts} role="alert">
      <p>{t("funding.notReceived")}</p>
      <Button onClick={() => request.edit()}>{t("app.letBe")}</Button>
      <Button tone="primary" onClick={request.sendAgain}>
        {t("app.sendAgain")}
      </Button>
    </div>
  );
}
