/** The two ways into the ticket, at the bottom; with the reason where one is closed. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { Direction } from "#contract/order.ts";
import { Button } from "#src/ui/button.tsx";
import { useOrderBlock } from "./order-eligibility.ts";
import styles from "./detail.module.css";

/** Buy rise, buy fall. A closed one stays in place and says why. */
export function TradeBar({ instrument, onTrade }: { instrument: Instrument; onTrade: (direction: Direction) => void }) {
  const { t } = useTranslation();
  const why = useOrderBlock(instrument);
  const id = useId();
  const rise = why("rise");
  const fall = why("fall");
  const reasons = [...new Set([rise, fall].filter((reason) => reason !== null))];
  return (
    <div className={styles.trade}>
      {reasons.length > 0 && (
        <p id={id} className={styles.reason} role="status">
          {reasons.join(" · ")}
        </p>
      )}
      <Button
        tone="up"
        size="large"
        block
        aria-disabled={rise !== null || undefined}
        aria-describedby={rise === null ? undefined : id}
        onClick={() => rise === null && onTrade("rise")}
      >
        {t("market.buyRise")}
      </Button>
      <Button
        tone="down"
        size="large"
        block
        aria-disabled={fall !== null || undefined}
        aria-describedby={fall === null ? undefined : id}
        onClick={() => fall === null && onTrade("fall")}
      >
        {t("market.buyFall")}
      </Button>
    </div>
  );
}
