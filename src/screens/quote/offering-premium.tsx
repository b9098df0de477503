/** The premium spread of an offering: what the market pays above or below the underwriting price, live once it is listed. */
import { useTranslation } from "react-i18next";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import type { Offering } from "#contract/offering.ts";
import { useQuote } from "#src/streams/quotes.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";

/** The price to compare with: the underwriting price, before its auction the provisional one. */
export const basePrice = ({ price, provisionalPrice }: Pick<Offering, "price" | "provisionalPrice">): number => price ?? provisionalPrice;

/** A premium in hundredths of a percent of the underwriting price; 0 without one. */
export const premiumRate = (premium: number, base: number): number => (base > 0 ? Math.round((premium * 10_000) / base) : 0);

/** What a capital increase adds to is traded all along. */
const isTraded = ({ phase, kind }: Offering): boolean => phase === "listed" || kind === "increase";

/** With `full` the amount comes before the percentage. Dashes before the listing, when no market pays anything yet. */
export function Premium({ offering, full = false }: { offering: Offering; full?: boolean }) {
  return offering.phase === "listed" || (isTraded(offering) && offering.price !== null) ? (
    <LivePremium offering={offering} full={full} />
  ) : (
    "--"
  );
}

function LivePremium({ offering, full }: { offering: Offering; full: boolean }) {
  const { t } = useTranslation();
  const last = useQuote(offering.code)?.quote.last ?? 0;
  const market = last > 0 ? last : offering.marketPrice;
  const base = basePrice(offering);
  if (market === null) return "--";
  const premium = market - base;
  const percent = formatPercent(premiumRate(premium, base));
  const text = full ? t("offering.spread", { amount: formatPrice(Math.abs(premium)), percent }) : percent;
  return (
    <span data-live>
      <Direction trend={trendOf(premium)} text={text} />
    </span>
  );
}

/** The market price of an offering that is traded as it moves; dashes before. */
export function MarketPrice({ offering }: { offering: Offering }) {
  return isTraded(offering) ? <LivePrice offering={offering} /> : "--";
}

function LivePrice({ offering: { code, marketPrice } }: { offering: Offering }) {
  const last = useQuote(code)?.quote.last ?? 0;
  const market = last > 0 ? last : marketPrice;
  return <span data-live>{market === null ? "--" : formatPrice(market)}</span>;
}
