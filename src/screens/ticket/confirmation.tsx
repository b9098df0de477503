/** The footer of every review: back on the left, confirm on the right or as a slide, with the reason if it must wait. */
import { useTranslation } from "react-i18next";
import type { ReactNode } from "react";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Request } from "#src/actors/request.ts";
import { Button } from "#src/ui/button.tsx";
import { SlideToConfirm } from "#src/ui/slide-to-confirm.tsx";
import styles from "./ticket.module.css";

export interface ConfirmationProps {
  request: Pick<Request<EndpointName>, "state" | "confirmable" | "edit">;
  /** Stays above the control while the review scrolls: what the order comes to. */
  total?: ReactNode;
  /** The label of the confirm button. */
  label: string;
  tone: "up" | "down";
  /** Whether confirming requires a slide instead of a press. */
  slides: boolean;
  /** Whether prices are live, so that trading is allowed. */
  tradable: boolean;
  /** Changes whenever the review must be read again, which resets the slide. */
  reading: number;
  onConfirm: () => void;
}

/** Back and confirm. A press within 350 ms of the review's appearance is ignored. */
export function Confirmation({ request, total, label, tone, slides, tradable, reading, onConfirm }: ConfirmationProps) {
  const { t } = useTranslation();
  const busy = request.state === "submitting";
  const back = (
    <Button size="large" aria-disabled={busy || undefined} onClick={() => !busy && request.edit()}>
      {t("ticket.back")}
    </Button>
  );
  return (
    <div className={styles.foot} data-total={total ? true : undefined}>
      {total}
      {!tradable && !busy && (
        <p className={styles.problem} role="alert" data-tone="warn">
          {t("ticket.notLive")}
        </p>
      )}
      {slides ? (
        <div className={styles.answers} data-slides>
          {back}
          <SlideToConfirm key={reading} label={label} tone={tone} busy={busy} onConfirm={onConfirm} />
        </div>
      ) : (
        <div className={styles.answers}>
          {back}
          <Button
            size="large"
            tone={tone}
            busy={busy}
            aria-disabled={!tradable || !request.confirmable || undefined}
            onClick={() => tradable && onConfirm()}
          >
            {label}
          </Button>
        </div>
      )}
    </div>
  );
}
