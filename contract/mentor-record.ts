/**
 * A mentor's record, computed from the published fills and from nothing else: the server and the "recompute" button of the client call the
 * same function. Fees, tax and what ex-events pay are in; interest is not. What a position gains by trading with another member of this broker
 * does not count, only what it loses: a second account could hand over gains inside a wide spread.
 */
import * as z from "zod/mini";
import { Code } from "./kernel/id.ts";
import { Cents, Price, cents, price, worth } from "./kernel/money.ts";
import { EpochMs, taipeiMonth } from "./kernel/time.ts";
import { share } from "./profit.ts";
import { MILLION } from "./rule.ts";

/** `adjust`: an ex-event changed the shares of an open position, or paid cash on it. */
export const MENTOR_FILL_KINDS = ["buy", "sell", "adjust"] as const;

/** One published line of a mentor's account. */
export const MentorFill = z.object({
  /** 1 for the mentor's first; without gaps. */
  n: z.int(),
  /** Which of the mentor's positions it belongs to, 1 for the first. */
  position: z.int(),
  kind: z.enum(MENTOR_FILL_KINDS),
  at: EpochMs,
  code: Code,
  /** 0 for an adjustment. */
  price: Price,
  /** Of an adjustment: how many more (or fewer) there are. */
  shares: z.int(),
  feeCents: Cents,
  taxCents: Cents,
  /** What an adjustment paid. */
  cashCents: Cents,
  /** Traded with another member of this broker, and not with the market. */
  withMember: z.boolean(),
});
export type MentorFill = z.infer<typeof MentorFill>;

const MonthOfRecord = z.object({ month: z.string(), trades: z.int(), profitCents: Cents });
/** Shares of one instrument held now; a short's are negative. The cost has the fees of opening in it. */
const HeldNow = z.object({ code: Code, shares: z.int(), costCents: Cents });

export const MentorRecord = z.object({
  /** Lines that it is computed from. */
  lines: z.int(),
  firstAt: z.nullable(EpochMs),
  lastAt: z.nullable(EpochMs),
  /** Positions closed in full, and how many of them gained after costs. */
  closed: z.int(),
  won: z.int(),
  /** Realised after fees and tax. */
  profitCents: Cents,
  /** The greatest fall of capital and realised profit from an earlier height, in millionths of that height. */
  drawdownPerMillion: z.int(),
  turnoverCents: Cents,
  costsCents: Cents,
  /** Lines traded with other members: their positions count without a gain. */
  withMembers: z.int(),
  /** How long a closed position was held on average. */
  holdingMs: z.int(),
  months: z.array(MonthOfRecord),
  held: z.array(HeldNow),
});
export type MentorRecord = z.infer<typeof MentorRecord>;

interface Position {
  code: Code;
  /** 1 for a long, -1 for a short. */
  sign: number;
  openedAt: number;
  /** Shares opened and closed; an ex-event starts counting again from what is open. */
  opened: number;
  closed: number;
  /** Value and costs of opening. */
  openCents: number;
  openCosts: number;
  /** Value of closing, less its costs. */
  closeCents: number;
  closeCosts: number;
  /** Realised before the latest ex-event, and paid by ex-events. */
  carried: number;
  /** Whether any of it was traded with another member. */
  withMember: boolean;
}

const openShares = ({ opened, closed }: Position): number => opened - closed;

/** Value and costs of what is open: paid for a long, received for a short. */
function costOf({ sign, openCents, openCosts, opened, closed }: Position): number {
  const value = openCents - share(openCents, closed, opened);
  const costs = openCosts - share(openCosts, closed, opened);
  return sign > 0 ? value + costs : value - costs;
}

/** Realised so far, rounded as the ledger rounds it. */
function realisedOf({ sign, openCents, openCosts, opened, closed, closeCents, closeCosts, carried }: Position): number {
  const gain = sign * (closeCents - share(openCents, closed, opened));
  return gain - share(openCosts, closed, opened) - closeCosts + carried;
}

/** What the record counts of it. */
const countedOf = (position: Position): number => (position.withMember ? Math.min(0, realisedOf(position)) : realisedOf(position));

/** Counts an ex-event: what is open goes on in its new shares. */
function adjust(position: Position, fill: MentorFill): void {
  const { openCents, openCosts, opened, closed } = position;
  Object.assign(position, {
    carried: realisedOf(position) + fill.cashCents,
    opened: openShares(position) + fill.shares,
    closed: 0,
    openCents: openCents - share(openCents, closed, opened),
    openCosts: openCosts - share(openCosts, closed, opened),
    closeCents: 0,
    closeCosts: 0,
  });
}

/** Applies a line to its position. @returns what it adds to what is counted */
function apply(position: Position, fill: MentorFill): number {
  const before = countedOf(position);
  position.withMember ||= fill.withMember;
  const value = worth(fill.price, fill.shares);
  const costs = fill.feeCents + fill.taxCents;
  if (fill.kind === "adjust") adjust(position, fill);
  else if ((fill.kind === "buy") === position.sign > 0) {
    position.opened += fill.shares;
    position.openCents += value;
    position.openCosts += costs;
  } else {
    position.closed += fill.shares;
    position.closeCents += value;
    position.closeCosts += costs;
  }
  return countedOf(position) - before;
}

const openedBy = (fill: MentorFill): Position => ({
  code: fill.code,
  sign: fill.kind === "sell" ? -1 : 1,
  openedAt: fill.at,
  opened: 0,
  closed: 0,
  openCents: 0,
  openCosts: 0,
  closeCents: 0,
  closeCosts: 0,
  carried: 0,
  withMember: false,
});

function heldOf(positions: Iterable<Position>): MentorRecord["held"] {
  const held = new Map<Code, { code: Code; shares: number; costCents: number }>();
  for (const position of positions) {
    const { code, sign } = position;
    if (openShares(position) === 0) continue;
    const one = held.get(code) ?? { code, shares: 0, costCents: 0 };
    one.shares += sign * openShares(position);
    one.costCents += sign * costOf(position);
    held.set(code, one);
  }
  return [...held.values()].map((one) => ({ ...one, costCents: cents(one.costCents) })).toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

/** Computes a record from all lines, in their order. */
export function recordOf(lines: readonly MentorFill[], capitalCents: number): MentorRecord {
  const positions = new Map<number, Position>();
  const months = new Map<string, { month: string; trades: number; profitCents: number }>();
  let [closed, won, profit, peak, drawdown, turnover, costs, held, withMembers] = [0, 0, 0, capitalCents, 0, 0, 0, 0, 0];
  for (const fill of lines) {
    const position = positions.get(fill.position) ?? openedBy(fill);
    positions.set(fill.position, position);
    if (fill.kind !== "adjust") turnover += worth(fill.price, fill.shares);
    costs += fill.feeCents + fill.taxCents;
    if (fill.withMember) withMembers += 1;
    const earned = apply(position, fill);
    profit += earned;
    const capital = capitalCents + profit;
    peak = Math.max(peak, capital);
    drawdown = Math.max(drawdown, Math.floor(((peak - capital) * MILLION) / peak));
    const month = months.get(taipeiMonth(fill.at)) ?? { month: taipeiMonth(fill.at), trades: 0, profitCents: 0 };
    months.set(month.month, month);
    month.profitCents += earned;
    if (openShares(position) > 0) continue;
    closed += 1;
    month.trades += 1;
    held += fill.at - position.openedAt;
    if (countedOf(position) > 0) won += 1;
  }
  return {
    lines: lines.length,
    firstAt: lines[0]?.at ?? null,
    lastAt: lines.at(-1)?.at ?? null,
    closed,
    won,
    profitCents: cents(profit),
    drawdownPerMillion: drawdown,
    turnoverCents: cents(turnover),
    costsCents: cents(costs),
    withMembers,
    holdingMs: closed === 0 ? 0 : Math.round(held / closed),
    months: [...months.values()].map((one) => ({ ...one, profitCents: cents(one.profitCents) })),
    held: heldOf(positions.values()),
  };
}

/** What is held now would bring at these prices, in ten-thousandths by code, before the costs of selling. */
export function openProfitOf({ held }: Pick<MentorRecord, "held">, prices: Readonly<Record<string, number>>): Cents {
  return cents(
    held.reduce((sum, { code, shares, costCents }) => {
      const value = worth(price(prices[code] ?? 0), Math.abs(shares));
      return sum + Math.sign(shares) * value - costCents;
    }, 0),
  );
}

/** Whether two records say the same. */
export const isSameRecord = (a: MentorRecord, b: MentorRecord): boolean => JSON.stringify(a) === JSON.stringify(b);
