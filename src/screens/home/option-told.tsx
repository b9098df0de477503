/** What a member is told before an option order: premium, charges, margin, what can be lost and gained, and the payoff. */
import { useTranslation } from "react-i18next";
import { cents, formatTwd } from "#contract/kernel/money.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import type { OptionSide, OptionSpread } from "#contract/option.ts";
import { formatPremium } from "#contract/premium.ts";
import type { OptionCost } from "#src/streams/options.ts";
import { FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { LackingNotice, useMarginFields } from "./margin-told.tsx";
import { outcomeOf, spreadLine, worstPrice } from "./option-outcome.ts";
import type { OptionDeal } from "./option-outcome.ts";
import { OptionPayoff, PayoffDrawing } from "./option-payoff.tsx";
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
  const sells = series.side === "sell";
  const worst = worstOf(series.side, cost.price, limit);
  const spread = cost.spread && atWorst(cost.spread, deal, worst);
  const outcomeFields = useOutcomeFields(deal, spread, worst);
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
          ...outcomeFields,
          { label: t("options.wallet"), value: formatTwd(cost.freeCents) },
        ]}
      />
      <LackingNotice lackingCents={cost.lackingCents} />
      {(sells || spread) && (
        <p className={styles.trouble} role="note">
          {t(spread ? "options.spread.note" : "options.sellerRisk")}
        </p>
      )}
      {spread ? (
        <SpreadPayoff spread={spread} chargesCents={deal.chargesCents} level={level} />
      ) : (
        <OptionPayoff deal={deal} level={level} />
      )}
    </>
  );
}

/** A spread as the order makes it at worst: its loss is larger by what its premium is worse than the quote. */
function atWorst(spread: OptionSpread, { price, lots }: OptionDeal, worst: number): OptionSpread {
  return { ...spread, mostLossCents: cents(spread.mostLossCents + premiumWorth(Math.abs(price - worst), lots)) };
}

/** The most that can be lost, at the worst premium that the order may be filled at, and gained: of the spread that the lots are part of, or alone. */
function useOutcomeFields(deal: OptionDeal, spread: OptionSpread | null, worst: number): Field[] {
  const { t } = useTranslation();
  if (spread)
    return [
      { label: t("options.spread.mostLoss"), value: formatTwd(spread.mostLossCents) },
      { label: t("options.spread.mostGain"), value: formatTwd(spread.mostGainCents) },
    ];
  const without = (amount: number | null): string => (amount === null ? t("options.unlimited") : formatTwd(amount));
  const { mostGainCents, evenTenths } = outcomeOf(deal);
  return [
    { label: t("options.mostLoss"), value: without(outcomeOf({ ...deal, price: worst }).mostLossCents) },
    { label: t("options.mostGain"), value: without(mostGainCents) },
    { label: t("options.even"), value: t("options.points", { n: formatPremium(evenTenths) }) },
  ];
}

function SpreadPayoff({ spread, chargesCents, level }: { spread: OptionSpread; chargesCents: number; level: number | null }) {
  const { t } = useTranslation();
  const { legs, mostLossCents, mostGainCents } = spread;
  const strikes = [...new Set(legs.map(({ strike }) => strike))].toSorted((a, b) => a - b);
  const words = t("options.spread.words", { loss: formatTwd(mostLossCents), gain: formatTwd(mostGainCents) });
  return <PayoffDrawing line={spreadLine(legs, chargesCents, level)} strikes={strikes} words={words} />;
}
