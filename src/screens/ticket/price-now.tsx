/** The live price in a review, and the notice that it moved too far while the review was read. */
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import type { Ladder } from "./draft.ts";
import type { ReviewedPrice } from "./use-reviewed-price.ts";
import styles from "./ticket.module.css";

export function PriceNow({ code }: { code: string }) {
  const { t } = useTranslation();
  return (
    <p className={styles.due}>
      <span>{t("ticket.priceNow")}</span>
      <QuoteCell code={code} field="last" />
    </p>
  );
}

export function Moved({ readAt, ladder }: { readAt: ReviewedPrice | null; ladder: Ladder }) {
  const { t } = useTranslation();
  if (readAt === null || readAt.was === null) return null;
  return (
    <p className={styles.problem} role="alert" data-tone="warn">
      {t("ticket.moved", { was: formatPrice(readAt.was, ladder.decimals), now: formatPrice(readAt.price, ladder.decimals) })}
    </p>
  );
}
