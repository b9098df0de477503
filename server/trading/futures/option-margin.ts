/** The margins of a member's options, expiry by expiry, with the futures of the same one that may cover them. */
import { FUTURES_MULTIPLIERS } from "#contract/futures-price.ts";
import { OPTION_MULTIPLIER, premiumWorth } from "#contract/option-terms.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { optionRuleAt } from "#server/rules/rules.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import type { Venue } from "#server/venue/venue.ts";
import { combine, initialWithout, unpairedCents } from "./combination.ts";
import type { Combined, Leg } from "./combination.ts";
import { indexLevels } from "./contracts.ts";
import { OptionMarks } from "./option-value.ts";

/** Where an account is looked at: its market and its rules. */
export interface MarginSources {
  venue: Venue;
  rules: Pick<RuleSet, "of">;
  /** What options are valued by at the moment, where many accounts or things of one are looked at. */
  marks?: OptionMarks;
}

const marksOf = ({ venue, marks }: MarginSources, at: number): OptionMarks => (marks?.at === at ? marks : new OptionMarks(venue, at));

/** The open positions of one wallet. */
export interface OpenContracts {
  futures: readonly FuturesRecord[];
  options: readonly OptionRecord[];
}

/** What options add to the margin account. */
export interface OptionMargin {
  initialCents: number;
  maintenanceCents: number;
  /** What bought ones are worth, and what sold ones would cost. */
  longCents: number;
  shortCents: number;
  /** What sold ones have gained: no money that may leave. */
  lockedCents: number;
}

const NOTHING: OptionMargin = { initialCents: 0, maintenanceCents: 0, longCents: 0, shortCents: 0, lockedCents: 0 };

/** An expiry of an account: its positions, and their margins in the same order. */
export interface ExpiryMargin {
  rows: readonly (OptionRecord | FuturesRecord)[];
  combined: Combined;
}

const isOption = (row: OptionRecord | FuturesRecord): row is OptionRecord => "option_right" in row;

/** The index in whole points; null where it is not known. */
function pointsOf({ venue }: MarginSources): number | null {
  const index = indexLevels(venue);
  return index && Math.round(index.last / 10_000);
}

/** A position as the exchange pairs it. A micro future is too small to cover an option. */
function legOf(marks: OptionMarks, row: OptionRecord | FuturesRecord): Leg {
  if (!isOption(row))
    return { kind: "future", strike: 0, mark: 0, lots: row.lots * Math.floor(FUTURES_MULTIPLIERS[row.product] / OPTION_MULTIPLIER) + 0 };
  const mark = row.lots === 0 ? 0 : marks.tenths(row) / row.lots;
  return { kind: row.option_right, strike: row.strike, lots: row.lots, mark };
}

/** The margins of an account's options by expiry. */
export function expiryMargins(sources: MarginSources, at: number, { futures, options }: OpenContracts): ExpiryMargin[] {
  if (options.length === 0) return [];
  const [points, marks] = [pointsOf(sources), marksOf(sources, at)];
  return [...Map.groupBy(options, (row) => row.expiry_day)].map(([expiryDay, own]) => {
    const rows = [...own, ...futures.filter((row) => row.expiry_day === expiryDay)];
    const legs = rows.map((row) => legOf(marks, row));
    const rule = optionRuleAt(sources.rules, own[0]?.member_id ?? 0, at);
    return { rows, combined: combine(legs, points, rule) };
  });
}

/** What each sold option bears of the margins; what was bought bears none. */
export function optionShares(margins: readonly ExpiryMargin[]): Map<string, number> {
  return new Map(
    margins.flatMap(({ rows, combined }) => rows.map((row, nth) => [row.position_no, combined.shares[nth]?.initialCents ?? 0] as const)),
  );
}

/** Lots of two options that are margined as one. What a future covers is no such pair: it is closed as a future. */
export function optionPairs(margins: readonly ExpiryMargin[]): { nos: [string, string]; lots: number; initialCents: number }[] {
  return margins.flatMap(({ rows, combined }) =>
    combined.pairs.flatMap(({ first, second, lots, margin }) => {
      const [a, b] = [rows[first], rows[second]];
      if (!a || !b || !isOption(a) || !isOption(b)) return [];
      return [{ nos: [a.position_no, b.position_no] as [string, string], lots, initialCents: margin.initialCents * lots }];
    }),
  );
}

/**
 * What the lots of an option form spreads with: options of its right, held the other way, that they are margined with; and those that are
 * margined alone as these lots are, because the strikes are too far apart to save margin.
 */
export function spreadsWith(
  sources: MarginSources,
  at: number,
  open: OpenContracts,
  positionNo: string,
): { row: OptionRecord; lots: number }[] {
  return expiryMargins(sources, at, open).flatMap(({ rows, combined }) => {
    const own = rows.findIndex(({ position_no: no }) => no === positionNo);
    const row = rows[own];
    if (!row || !isOption(row)) return [];
    let alone = combined.single[own] ?? 0;
    return rows.flatMap((other, nth) => {
      if (!isOption(other) || other.option_right !== row.option_right || Math.sign(other.lots) === Math.sign(row.lots)) return [];
      const paired = combined.pairs.filter(({ first, second }) => (first === own && second === nth) || (first === nth && second === own));
      const beside = Math.min(alone, combined.single[nth] ?? 0);
      alone -= beside;
      const lots = paired.reduce((sum, pair) => sum + pair.lots, beside);
      return lots > 0 ? [{ row: other, lots }] : [];
    });
  });
}

/** What closing some positions frees at least of the margins of options: below zero where others then lack what they were paired with. */
export function freedOf(margins: readonly ExpiryMargin[], gone: readonly { position_no: string }[]): number {
  let freed = 0;
  for (const { rows, combined } of margins) {
    const places = [...rows.keys()].filter((nth) => gone.some(({ position_no: no }) => no === rows[nth]?.position_no));
    if (places.length > 0) freed += combined.initialCents - initialWithout(combined, places);
  }
  return freed;
}

/** What options are worth beside their margins. */
function worthOf(marks: OptionMarks, { options }: OpenContracts): Pick<OptionMargin, "longCents" | "shortCents" | "lockedCents"> {
  const sum = { longCents: 0, shortCents: 0, lockedCents: 0 };
  for (const row of options) {
    const worth = marks.worth(row);
    if (row.lots > 0) sum.longCents += worth;
    else {
      sum.shortCents -= worth;
      sum.lockedCents += Math.max(0, worth - premiumWorth(row.cost_tenths));
    }
  }
  return sum;
}

/** What options add to the account; `margins` where they are known. */
export function optionMargin(sources: MarginSources, at: number, open: OpenContracts, margins?: readonly ExpiryMargin[]): OptionMargin {
  if (open.options.length === 0) return NOTHING;
  const marks = marksOf(sources, at);
  let [initialCents, maintenanceCents] = [0, 0];
  for (const { combined } of margins ?? expiryMargins({ ...sources, marks }, at, open)) {
    initialCents += combined.initialCents;
    maintenanceCents += combined.maintenanceCents;
  }
  return { initialCents, maintenanceCents, ...worthOf(marks, open) };
}

/** What options are worth, and what they need at most: in pairs they need less. */
export function unpairedMargin(sources: MarginSources, at: number, open: OpenContracts): Omit<OptionMargin, "maintenanceCents"> {
  const [first] = open.options;
  if (!first) return NOTHING;
  const marks = marksOf(sources, at);
  const legs = open.options.map((row) => legOf(marks, row));
  const initialCents = unpairedCents(legs, pointsOf(sources), optionRuleAt(sources.rules, first.member_id, at));
  return { initialCents, ...worthOf(marks, open) };
}
