/** A price that sets something off: typed, stepped by ticks, and moved to its tick with a word about it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { typedPrice } from "#contract/kernel/money.ts";
import { priceOf, settledText, steppedText } from "./draft.ts";
import type { Ladder } from "./draft.ts";

export interface TriggerPriceProps {
  label: string;
  text: string;
  ladder: Ladder;
  /** Where stepping begins in an empty field. */
  from: number;
  error: string | null;
  onText: (text: string) => void;
  /** How far something may fall back is a distance, not a price: it lies on no tick of its own, and steps by this. */
  distance?: number | undefined;
}

/** The field; what the market does never changes it. */
export function TriggerPrice({ label, text, ladder, from, error, onText, distance }: TriggerPriceProps) {
  const { t } = useTranslation();
  const [snappedFrom, setSnappedFrom] = useState<string | null>(null);
  const settle = (): void => {
    const settled = distance === undefined ? settledText(text, ladder) : text;
    if (settled === text) return;
    // Only a moved price is worth a word: zeros behind the point are none.
    setSnappedFrom(Number(settled) === Number(text.replaceAll(",", "")) ? null : text);
    onText(settled);
  };
  const farther = (before: string, by: number): string => {
    const each = distance ?? 0;
    const now = priceOf(before);
    return typedPrice(now === null ? from : Math.max(each, now + by * each), ladder.decimals);
  };
  return (
    <NumberStepper
      label={label}
      value={text}
      error={error}
      hint={error || snappedFrom === null ? undefined : t("ticket.snapped", { typed: snappedFrom, price: text })}
      onType={(typed) => {
        setSnappedFrom(null);
        onText(typed);
      }}
      onStep={(by, ticks) => {
        setSnappedFrom(null);
        onText(distance === undefined ? steppedText(text, ladder, by, ticks, from) : farther(text, by * ticks));
      }}
      onEdit={(on) => !on && settle()}
    />
  );
}
