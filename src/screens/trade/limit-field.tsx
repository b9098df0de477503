/** The price field of an amendment or a close: today's range, the rounding to a tick, and what is wrong with the price. */
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import { limitOf, outside, settled, stepped } from "#src/screens/ticket/draft.ts";
import type { Draft, Ladder } from "#src/screens/ticket/draft.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import { NumberStepper } from "#src/ui/number-stepper.tsx";

export interface LimitFieldProps {
  draft: Draft;
  ladder: Ladder;
  view: QuoteView | null;
  /** The request's problem at the price; null when there is none. */
  problem: string | null;
  /** A new draft, and the fields whose problems no longer hold. */
  onChange: (next: Draft, ...fields: string[]) => void;
  onDone: () => void;
}

export function LimitField({ draft, ladder, view, problem, onChange, onDone }: LimitFieldProps) {
  const { t } = useTranslation();
  const limits = view?.limits ?? null;
  const range = limits ? { down: formatPrice(limits.down, ladder.decimals), up: formatPrice(limits.up, ladder.decimals) } : null;
  const error = outside(limitOf(draft), limits) && range ? t("ticket.outside", range) : problem;
  const snapped = draft.snappedFrom === null ? null : t("ticket.snapped", { typed: draft.snappedFrom, price: draft.priceText ?? "" });
  return (
    <NumberStepper
      label={t("ticket.price")}
      value={draft.priceText ?? ""}
      error={error}
      hint={error ? undefined : (snapped ?? (range ? t("ticket.range", range) : undefined))}
      onType={(priceText) => onChange({ ...draft, priceText, snappedFrom: null }, "price")}
      onStep={(by, ticks) => onChange(stepped(draft, ladder, by, ticks, view?.quote.last ?? 0), "price")}
      onEdit={(on) => !on && onChange(settled(draft, ladder))}
      onDone={onDone}
    />
  );
}
