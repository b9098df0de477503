/** The member's lines on a chart: what was typed as a price, and which alert watches each. */
import type { Alert } from "#contract/alert.ts";
import type { Kind } from "#contract/instrument.ts";
import { parsePrice } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { ChartLine } from "#contract/preference.ts";
import { onTick, toTick } from "#contract/tick.ts";

/** A line with its alert, as far as one waits or has fired. */
export interface DrawnLine {
  id: string;
  price: number;
  /** The alert it is tied to; known even while the alerts are not. */
  alertId: string | null;
  alert: Alert | null;
}

/** The lines with their alerts (null while unknown), the highest first. A line whose alert is gone is tied to none. */
export function drawnLines(lines: readonly ChartLine[], alerts: readonly Alert[] | null): DrawnLine[] {
  return lines
    .map(({ id, price, alert: alertId }) => {
      const alert = alerts?.find((one) => one.id === alertId && one.status !== "withdrawn") ?? null;
      return { id, price, alertId: alerts && !alert ? null : alertId, alert };
    })
    .toSorted((a, b) => b.price - a.price);
}

/** The nearest price the market knows, of any price at all; what is below everything becomes the smallest one. */
export function snapped(kind: Kind, price: number): Price {
  return toTick(kind, Math.max(1, Math.round(price)));
}

/** What was typed as the price of a line; null when it is none. `moved` tells that it lay between two ticks. */
export function typedLine(kind: Kind, text: string): { price: Price; moved: boolean } | null {
  const price = parsePrice(text);
  if (price === null || price <= 0) return null;
  return { price: snapped(kind, price), moved: !onTick(kind, price) };
}

/** What an alert on a line waits for: that the price comes up to it, or down to it. */
export function sideOf(price: number, last: number): "above" | "below" {
  return price >= last ? "above" : "below";
}
