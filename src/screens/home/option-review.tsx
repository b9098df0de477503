/** The review of an option order or a closing: what was told, once more, and then sent or changed. */
import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Request } from "#src/actors/request.ts";
import { Button } from "#src/ui/button.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

interface OptionReviewProps {
  title: string;
  /** The words of the button that sends it. */
  action: string;
  request: Pick<Request<EndpointName>, "state" | "errorOfForm" | "edit" | "sendAgain" | "busy">;
  /** It has no limit and no quote to make one of, so that it would be filled at any price: it is not sent. */
  needsLimit?: boolean;
  onChange: () => void;
  onConfirm: () => void;
  children: ReactNode;
}

export function OptionReview({ title, action, request, needsLimit = false, onChange, onConfirm, children }: OptionReviewProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.form}>
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {title}
      </h2>
      {children}
      <RequestError request={request} />
      {needsLimit && <NeedsLimit />}
      <Button tone="primary" size="large" block busy={request.busy} disabled={needsLimit} onClick={onConfirm}>
        {action}
      </Button>
      <Button size="large" block disabled={request.busy} onClick={onChange}>
        {t("options.change")}
      </Button>
    </div>
  );
}

/** Leads from the fields to the review; an order without a limit is not led there, and is told why. */
export function ToReview({ busy, needsLimit }: { busy: boolean; needsLimit: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {needsLimit && <NeedsLimit />}
      <Button type="submit" tone="primary" size="large" block busy={busy} disabled={needsLimit}>
        {t("options.review")}
      </Button>
    </>
  );
}

/** Why an order cannot be sent while it has no limit. */
function NeedsLimit() {
  const { t } = useTranslation();
  return (
    <p className={styles.trouble} role="alert">
      {t("options.needsLimit")}
    </p>
  );
}
