/** A field for a price of the chart. */
import { useTranslation } from "react-i18next";
import { formatPrice, typedPrice } from "#contract/kernel/money.ts";
import { step } from "#contract/tick.ts";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import type { ChartSubject } from "./chart-spec.ts";
import { typedLine } from "./line.ts";

interface PriceFieldProps {
  subject: Pick<ChartSubject, "kind" | "decimals">;
  label: string;
  labelHidden?: boolean;
  text: string;
  onText: (text: string) => void;
  onPrice: (price: number) => void;
  /** Shows an error even before the first submit. */
  strict: boolean;
}

/** A price by key, step or typing; a price between two ticks is rounded to the nearer one, with a hint. */
export function PriceField({ subject: { kind, decimals }, label, labelHidden = false, text, onText, onPrice, strict }: PriceFieldProps) {
  const { t } = useTranslation();
  const typed = typedLine(kind, text);
  const done = (): void => {
    if (!typed) return;
    onText(typedPrice(typed.price, decimals));
    onPrice(typed.price);
  };
  return (
    <NumberStepper
      label={label}
      labelHidden={labelHidden}
      value={text}
      onType={onText}
      onStep={(direction, steps) => {
        let price: number = typed?.price ?? 0;
        for (let at = 0; at < steps; at += 1) price = step(kind, price, direction);
        onText(typedPrice(price, decimals));
        onPrice(price);
      }}
      onEdit={(editing) => !editing && done()}
      onDone={done}
      error={!typed && (strict || text !== "") ? t("chart.lines.noPrice") : null}
      hint={typed?.moved ? t("chart.lines.snaps", { price: formatPrice(typed.price, decimals) }) : undefined}
    />
  );
}
