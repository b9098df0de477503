/** The ticket's draft as typed text, and its conversions to prices and lots. */
import type { Kind } from "#contract/instrument.ts";
import { parsePrice, parseUnits, typedPrice, typedUnits } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Pricing, Trigger, TriggerKind, Validity } from "#contract/order.ts";
import type { Market } from "#contract/rule.ts";
import { onTick, step, toTick } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";
import type { Chosen } from "./intent.ts";
import { WHOLE } from "./quantity.ts";
import type { Quantum } from "./quantity.ts";

export interface Draft extends Chosen {
  pricing: Pricing;
  /** Null until the first price arrives; a live price never changes it after that. */
  priceText: string | null;
  lotsText: string;
  /** Whether the member entered the lots; until then they are a default that follows the other choices. */
  lotsTyped: boolean;
  /** The quick key that entered the lots, by its label; null if they were entered otherwise. */
  lotsKey: string | null;
  /** The price the member typed, if it was rounded to the nearest tick. */
  snappedFrom: string | null;
  market: Market;
  validity: Validity;
  /** The trigger the order waits for before it goes to the market. */
  entry: { kind: "stop" | "takeProfit"; text: string } | null;
  /** The exit orders as typed; missing kinds are not wanted. */
  exits: Partial<Record<TriggerKind, string>>;
}

export const FIRST_DRAFT: Draft = {
  side: "buy",
  kind: null,
  pricing: "limit",
  priceText: null,
  lotsText: "1",
  lotsTyped: false,
  lotsKey: null,
  snappedFrom: null,
  market: "board",
  validity: "rod",
  funding: "cash",
  leverage: 1,
  entry: null,
  exits: {},
};

/** How prices of an instrument are formatted and stepped. */
export interface Ladder {
  kind: Kind;
  decimals: number;
}

/** Parses a typed price; null if invalid or not positive. */
export function priceOf(text: string | null): Price | null {
  const read = parsePrice(text ?? "");
  return read !== null && read > 0 ? read : null;
}

/** Parses the typed limit; null if invalid or not positive. */
export const limitOf = ({ priceText }: Pick<Draft, "priceText">): Price | null => priceOf(priceText);

/** Parses a typed trigger; an invalid price becomes 0, which the contract rejects at its field. */
export const triggerOf = (kind: TriggerKind, text: string): Trigger => ({ kind, price: priceOf(text) ?? 0 });

/** Steps a typed price by ticks; an empty field starts at `from`. */
export function steppedText(text: string, ladder: Ladder, by: 1 | -1, ticks: number, from: number): string {
  const typed = priceOf(text);
  if (typed === null) return from > 0 ? typedPrice(toTick(ladder.kind, from), ladder.decimals) : text;
  let at: number = typed;
  for (let left = ticks; left > 0; left--) at = step(ladder.kind, at, by);
  return typedPrice(at, ladder.decimals);
}

/** Rounds a finished text to its tick; leaves an invalid price alone. */
export function settledText(text: string, ladder: Ladder): string {
  const typed = priceOf(text);
  return typed === null ? text : typedPrice(toTick(ladder.kind, typed), ladder.decimals);
}

/** Parses the typed lots, or a quantity of digital currency, into units (`unitsPerWhole`); null if they are no whole number of them. */
export const lotsOf = ({ lotsText }: Pick<Draft, "lotsText">, per = 1): number | null => parseUnits(lotsText, per);

/** Fills in the price once, with the last price rounded to its tick. */
export function prefilled(draft: Draft, ladder: Ladder, last: number): Draft {
  if (draft.priceText !== null || last <= 0) return draft;
  return { ...draft, priceText: typedPrice(toTick(ladder.kind, last), ladder.decimals) };
}

/** Sets a price chosen elsewhere, such as a level of the order book. */
export function priced(draft: Draft, ladder: Ladder, price: number): Draft {
  return { ...draft, pricing: "limit", priceText: typedPrice(toTick(ladder.kind, price), ladder.decimals), snappedFrom: null };
}

/** Steps the price by ticks; an empty field starts at the last price. */
export function stepped(draft: Draft, ladder: Ladder, by: 1 | -1, ticks: number, last: number): Draft {
  if (limitOf(draft) === null) return last > 0 ? priced(draft, ladder, last) : draft;
  return { ...draft, priceText: steppedText(draft.priceText ?? "", ladder, by, ticks, last), snappedFrom: null };
}

/** Rounds a finished price to its tick and remembers what was typed; leaves an invalid price alone. */
export function settled(draft: Draft, ladder: Ladder): Draft {
  const limit = limitOf(draft);
  if (limit === null || draft.pricing === "market") return draft;
  if (onTick(ladder.kind, limit)) return { ...draft, priceText: typedPrice(limit, ladder.decimals) };
  return { ...draft, priceText: typedPrice(toTick(ladder.kind, limit), ladder.decimals), snappedFrom: draft.priceText };
}

/** Turns the draft to a side: a kind chosen to buy or to cover must not become a short by that, it is chosen again. */
export function turned(draft: Draft, side: Draft["side"]): Draft {
  const opensShort = side === "sell" && side !== draft.side && (draft.kind === "short" || draft.kind === "dayTrade");
  return { ...draft, side, kind: opensShort ? null : draft.kind, lotsTyped: false };
}

/** Sets the lots the member entered, by a quick key or otherwise. */
export function withLots(draft: Draft, lotsText: string, lotsKey: string | null = null): Draft {
  return { ...draft, lotsText, lotsTyped: true, lotsKey };
}

/** Steps the lots by whole steps, between one step and the maximum of one order. */
export function steppedLots(draft: Draft, by: 1 | -1, count: number, most: number, { step: size, per }: Quantum = WHOLE): Draft {
  const next = (lotsOf(draft, per) ?? 0) + by * count * size;
  return withLots(draft, typedUnits(Math.min(most, Math.max(size, next)), per));
}

/** Whether a limit price is outside the daily price limits. */
export function outside(limit: Price | null, limits: DayLimits | null): boolean {
  return limit !== null && limits !== null && (limit > limits.up || limit < limits.down);
}
