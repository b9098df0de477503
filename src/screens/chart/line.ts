/** Helpers for the member's chart lines: typed prices, and the alert tied to each line. */
import type { Alert } from "#contract/alert.ts";
import type { Kind } from "#contract/instrument.ts";
import { parsePrice } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { ChartLine } from "#contract/preference.ts";
import { onTick, toTick } from "#contract/tick.ts";

/** A line with its alert, if one is waiting or has fired. */
export interface DrawnLine {
  id: string;
  price: number;
  /** The id of its alert; known even while the alerts are not loaded. */
  alertId: string | null;
  alert: Alert | null;
}

/** The lines with their alerts (null while unknown), highest first. A line whose alert no longer exists has none. */
export function drawnLines(lines: readonly ChartLine[], alerts: readonly Alert[] | null): DrawnLine[] {
  return lines
    .map(({ id, price, alert: alertId }) => {
      const alert = alerts?.find((one) => one.id === alertId && one.status !== "withdrawn") ?? null;
      return { id, price, alertId: alerts && !alert ? null : alertId, alert };
    })
    .toSorted((a, b) => b.price - a.price);
}

/** The valid tick nearest to any price; at least the smallest tick. */
export function snapped(kind: Kind, price: number): Price {
  return toTick(kind, Math.max(1, Math.round(price)));
}

/** Parses a line's typed price; null if invalid. `moved` tells that it was rounded to a tick. */
export function typedLine(kind: Kind, text: string): { price: Price; moved: boolean } | null {
  const price = parsePrice(text);
  if (price === null || price <= 0) return null;
  return { price: snapped(kind, price), moved: !onTick(kind, price) };
}

/** The alert direction of a line: the price rises to it, or falls to it. */
export function sideOf(price: number, last: number): "above" | "below" {
  return price >= last ? "above" : "below";
}
