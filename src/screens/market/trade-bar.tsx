/** The buy and sell-short buttons at the bottom, with the reason where one is disabled. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { Direction } from "#contract/order.ts";
import { Button } from "#src/ui/button.tsx";
import { useOrderBlock } from "./order-eligibility.ts";
import styles from "./detail.module.css";

/** Buy and sell short. A disabled button stays in place and shows why. */
export function TradeBar({ instrument, onTrade }: { instrument: Instrument; onTrade: (direction: Direction) => void }) {
  const { t } = useTranslation();
  const why = useOrderBlock(instrument);
  const id = useId();
  const buyReason = why("rise");
  const shortReason = why("fall");
  const reasons = [...new Set([buyReason, shortReason].filter((reason) => reason !== null))];
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
        aria-disabled={buyReason !== null || undefined}
        aria-describedby={buyReason === null ? undefined : id}
        onClick={() => buyReason === null && onTrade("rise")}
      >
        {t("market.buyRise")}
      </Button>
      <Button
        tone="down"
        size="large"
        block
        aria-disabled={shortReason !== null || undefined}
        aria-describedby={shortReason === null ? undefined : id}
        onClick={() => shortReason === null && onTrade("fall")}
      >
        {t("market.buyFall")}
      </Button>
    </div>
  );
}
