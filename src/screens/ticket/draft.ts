/** The ticket as typed: texts that only the member changes, and what they mean. */
import type { Kind } from "#contract/instrument.ts";
import { parsePrice, typedPrice } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Direction, Pricing, Trigger, TriggerKind, Validity } from "#contract/order.ts";
import type { Funding, Market } from "#contract/rule.ts";
import { onTick, step, toTick } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";

export interface Draft {
  direction: Direction;
  pricing: Pricing;
  /** Null until the first price came; a live price never changes it after that. */
  priceText: string | null;
  lotsText: string;
  /** The price the member typed, when it was moved to the nearest tick. */
  snappedFrom: string | null;
  market: Market;
  validity: Validity;
  funding: Funding;
  /** 1 unless the funding is leverage. */
  leverage: number;
  dayTrade: boolean;
  /** What the order waits for before it goes to the market. */
  entry: { kind: "stop" | "takeProfit"; text: string } | null;
  /** What shall close the position again, as typed; those that are not there are not wanted. */
  exits: Partial<Record<TriggerKind, string>>;
}

export const FIRST_DRAFT: Draft = {
  direction: "rise",
  pricing: "limit",
  priceText: null,
  lotsText: "1",
  snappedFrom: null,
  market: "board",
  validity: "rod",
  funding: "cash",
  leverage: 1,
  dayTrade: false,
  entry: null,
  exits: {},
};

/** How prices of an instrument are written and stepped. */
export interface Ladder {
  kind: Kind;
  decimals: number;
}

/** A typed text as a price; null when it is not one. */
export function priceOf(text: string | null): Price | null {
  const read = parsePrice(text ?? "");
  return read !== null && read > 0 ? read : null;
}

/** The typed limit as a price; null when it is not one. */
export const limitOf = ({ priceText }: Pick<Draft, "priceText">): Price | null => priceOf(priceText);

/** What is typed as a trigger; a price of 0, which the contract refuses at its field, where it is none. */
export const triggerOf = (kind: TriggerKind, text: string): Trigger => ({ kind, price: priceOf(text) ?? 0 });

/** A typed price so many ticks further; from an empty field it begins at `from`. */
export function steppedText(text: string, ladder: Ladder, by: 1 | -1, ticks: number, from: number): string {
  const typed = priceOf(text);
  if (typed === null) return from > 0 ? typedPrice(toTick(ladder.kind, from), ladder.decimals) : text;
  let at: number = typed;
  for (let left = ticks; left > 0; left--) at = step(ladder.kind, at, by);
  return typedPrice(at, ladder.decimals);
}

/** A finished text on its tick; what is no price is left alone. */
export function settledText(text: string, ladder: Ladder): string {
  const typed = priceOf(text);
  return typed === null ? text : typedPrice(toTick(ladder.kind, typed), ladder.decimals);
}

/** The typed lots; null when they are not a whole number. */
export function lotsOf({ lotsText }: Draft): number | null {
  const text = lotsText.replaceAll(",", "").trim();
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** Fill in the price once, with the last one, on its tick. */
export function prefilled(draft: Draft, ladder: Ladder, last: number): Draft {
  if (draft.priceText !== null || last <= 0) return draft;
  return { ...draft, priceText: typedPrice(toTick(ladder.kind, last), ladder.decimals) };
}

/** Take a price from elsewhere: a level of the book. */
export function priced(draft: Draft, ladder: Ladder, price: number): Draft {
  return { ...draft, pricing: "limit", priceText: typedPrice(toTick(ladder.kind, price), ladder.decimals), snappedFrom: null };
}

/** The price so many ticks further; from an empty field it begins at the last price. */
export function stepped(draft: Draft, ladder: Ladder, by: 1 | -1, ticks: number, last: number): Draft {
  if (limitOf(draft) === null) return last > 0 ? priced(draft, ladder, last) : draft;
  return { ...draft, priceText: steppedText(draft.priceText ?? "", ladder, by, ticks, last), snappedFrom: null };
}

/** Move a finished price to its tick, remembering what was typed; leave what is no price alone. */
export function settled(draft: Draft, ladder: Ladder): Draft {
  const limit = limitOf(draft);
  if (limit === null || draft.pricing === "market") return draft;
  if (onTick(ladder.kind, limit)) return { ...draft, priceText: typedPrice(limit, ladder.decimals) };
  return { ...draft, priceText: typedPrice(toTick(ladder.kind, limit), ladder.decimals), snappedFrom: draft.priceText };
}

/** So many lots more or fewer, between one and the most an order may have. */
export function steppedLots(draft: Draft, by: 1 | -1, count: number, most: number): Draft {
  const next = (lotsOf(draft) ?? 0) + by * count;
  return { ...draft, lotsText: String(Math.min(most, Math.max(1, next))) };
}

/** Whether a limit lies outside what the day allows. */
export function outside(limit: Price | null, limits: DayLimits | null): boolean {
  return limit !== null && limits !== null && (limit > limits.up || limit < limits.down);
}
