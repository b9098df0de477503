/** A signed number with an arrow and a screen-reader word, so that direction is never shown by colour alone. */
import { useTranslation } from "react-i18next";
import { MINUS } from "#contract/kernel/money.ts";
import { Hidden } from "./hidden.tsx";

export type Trend = "up" | "down" | "flat";

/** The trend of a signed number. */
export function trendOf(amount: number): Trend {
  return amount > 0 ? "up" : amount < 0 ? "down" : "flat";
}

/**
 * A change, coloured by the convention and marked ▲, ▼ or –.
 * `text` is the formatted number; with `arrow={false}` it keeps its own sign (profit and loss).
 */
export function Direction({ trend, text, arrow = true }: { trend: Trend; text: string; arrow?: boolean }) {
  const { t } = useTranslation();
  const spoken = text.replace(/^[+−-]/, "").replaceAll(MINUS, "");
  return (
    <span data-trend={trend} data-arrow={arrow || undefined}>
      <Hidden>{`${t(`ui.trend.${trend}`)} ${spoken}`}</Hidden>
      <span aria-hidden>{arrow ? spoken : text}</span>
    </span>
  );
}
