/** What every sheet of an order does with its request: it stays open while sending, and says why it cannot be sent or was not. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Request } from "#src/actors/request.ts";
import styles from "./trade.module.css";

/** Locks the sheet while its request is being sent. */
export function useLockWhileSending({ state }: Pick<Request<EndpointName>, "state">, onLock: (locked: boolean) => void): void {
  const sending = state === "submitting";
  useEffect(() => onLock(sending), [sending, onLock]);
}

interface RequestProblemProps {
  request: Pick<Request<EndpointName>, "state" | "errorOfForm">;
  /** Whether prices are live, where the request needs them. */
  live?: boolean;
  /** What a request that could not be sent says, other than that nothing was changed. */
  notSent?: string;
}

/** Empty while nothing prevents it. */
export function RequestProblem({ request: { state, errorOfForm }, live = true, notSent }: RequestProblemProps) {
  const { t } = useTranslation();
  const why = state === "failed" ? (notSent ?? t("trade.notSent")) : state === "coolingDown" ? t("ticket.coolDown") : errorOfForm;
  const shown = live ? why : t("ticket.notLive");
  return (
    shown && (
      <p className={styles.problem} role="alert">
        {shown}
      </p>
    )
  );
}
