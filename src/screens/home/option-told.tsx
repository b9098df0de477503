/** What a member is told before an option order: premium, charges, margin, what can be lost and gained, and the payoff. */
import { useTranslation } from "react-i18next";
import { formatTwd } from "#contract/kernel/money.ts";
import type { OptionSide } from "#contract/option.ts";
import { formatPremium } from "#contract/premium.ts";
import type { OptionCost } from "#src/streams/options.ts";
import { FieldList } from "#src/ui/row.tsx";
import { LackingNotice, useMarginFields } from "./margin-told.tsx";
import { outcomeOf, worstPrice } from "./option-outcome.ts";
import type { OptionDeal } from "./option-outcome.ts";
import { OptionPayoff } from "./option-payoff.tsx";
import styles from "./fund.module.css";

interface OptionToldProps {
  cost: OptionCost;
  series: Pick<OptionDeal, "right" | "strike" | "side" | "lots">;
  /** The worst premium that the order is filled at. */
  limit: number | null;
  /** The index now, in points. */
  level: number | null;
}

/** The worst premium of an order: a little beyond the quote, and not beyond its limit. */
function worstOf(side: OptionSide, price: number, limit: number | null): number {
  const worst = worstPrice(side, price);
  if (limit === null) return worst;
  return side === "buy" ? Math.max(price, Math.min(worst, limit)) : Math.min(price, Math.max(worst, limit));
}

export function OptionTold({ cost, series, limit, level }: OptionToldProps) {
  const { t } = useTranslation();
  const deal: OptionDeal = { ...series, price: cost.price, chargesCents: cost.feeCents + cost.taxCents };
  const marginFields = useMarginFields();
  const { mostGainCents, evenTenths } = outcomeOf(deal);
  // At the worst premium that the order may be filled at.
  const { mostLossCents } = outcomeOf({ ...deal, price: worstOf(series.side, cost.price, limit) });
  const sells = series.side === "sell";
  const without = (amount: number | null): string => (amount === null ? t("options.unlimited") : formatTwd(amount));
  return (
    <>
      <FieldList
        fields={[
          { label: t("options.priceNow"), value: t("options.points", { n: formatPremium(cost.price) }) },
          ...(limit === null
            ? []
            : [{ label: t(sells ? "options.least" : "options.most"), value: t("options.points", { n: formatPremium(limit) }) }]),
          { label: t(sells ? "options.received" : "options.paidPremium"), value: formatTwd(Math.abs(cost.premiumCents)) },
          { label: t("options.charges"), value: t("futures.sum", { fee: formatTwd(cost.feeCents), tax: formatTwd(cost.taxCents) }) },
          ...marginFields(cost),
          { label: t("options.mostLoss"), value: without(mostLossCents) },
          { label: t("options.mostGain"), value: without(mostGainCents) },
          { label: t("options.even"), value: t("options.points", { n: formatPremium(evenTenths) }) },
          { label: t("options.wallet"), value: formatTwd(cost.freeCents) },
        ]}
      />
      <LackingNotice lackingCents={cost.lackingCents} />
      {sells && (
        <p className={styles.trouble} role="note">
          {t("options.sellerRisk")}
        </p>
      )}
      <OptionPayoff deal={deal} level={level} />
    </>
  );
}
