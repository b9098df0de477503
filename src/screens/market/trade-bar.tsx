/** The buy and sell keys at the bottom of a stock, with the reason where they are disabled; each opens the ticket on its side. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { TONES } from "#src/screens/ticket/tones.ts";
import { SIDES } from "#src/screens/ticket/intent.ts";
import type { Side } from "#src/screens/ticket/intent.ts";
import { Link } from "#src/ui/link.tsx";
import { Button } from "#src/ui/button.tsx";
import { useOrderBlock, useOrderRemedy } from "./order-eligibility.ts";
import styles from "./detail.module.css";

/** `labels` replace the usual words, such as where something is held. A disabled key stays in place and shows why. */
export function TradeBar({
  instrument,
  labels = {},
  onTrade,
}: {
  instrument: Instrument;
  labels?: Partial<Record<Side, string>>;
  onTrade: (side: Side) => void;
}) {
  const { t } = useTranslation();
  const reason = useOrderBlock(instrument);
  const remedy = useOrderRemedy(instrument);
  const id = useId();
  return (
    <div className={styles.trade}>
      {reason !== null && (
        <p id={id} className={styles.reason} role="status">
          {reason}
          {remedy !== null && (
            <>
              {" "}
              <Link to={remedy}>{t("market.hindrance.sign")}</Link>
            </>
          )}
        </p>
      )}
      {SIDES.map((side) => (
        <Button
          key={side}
          tone={TONES[side]}
          size="large"
          block
          aria-disabled={reason !== null || undefined}
          aria-describedby={reason === null ? undefined : id}
          onClick={() => reason === null && onTrade(side)}
        >
          {labels[side] ?? t(`ticket.side.${side}`)}
        </Button>
      ))}
    </div>
  );
}
