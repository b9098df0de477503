/** A trigger price field: typed, stepped by ticks, and rounded to its tick with a hint. */
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
  /** Where stepping starts from an empty field. */
  from: number;
  error: string | null;
  onText: (text: string) => void;
  /** Set for a trailing distance, which is not a price: it is not rounded to a tick, and steps by this amount. */
  distance?: number | undefined;
}

/** The field; market prices never change it. */
export function TriggerPrice({ label, text, ladder, from, error, onText, distance }: TriggerPriceProps) {
  const { t } = useTranslation();
  const [snappedFrom, setSnappedFrom] = useState<string | null>(null);
  const roundToTick = (): void => {
    const settled = distance === undefined ? settledText(text, ladder) : text;
    if (settled === text) return;
    // Only a changed price is reported, not trailing zeros.
    setSnappedFrom(Number(settled) === Number(text.replaceAll(",", "")) ? null : text);
    onText(settled);
  };
  const steppedDistance = (before: string, by: number): string => {
    const stepSize = distance ?? 0;
    const now = priceOf(before);
    return typedPrice(now === null ? from : Math.max(stepSize, now + by * stepSize), ladder.decimals);
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
        onText(distance === undefined ? steppedText(text, ladder, by, ticks, from) : steppedDistance(text, by * ticks));
      }}
      onEdit={(on) => !on && roundToTick()}
    />
  );
}
