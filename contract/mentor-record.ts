/**
 * A mentor's record, computed from the published fills and from nothing else: the server and the "recompute" button of the client call the
 * same function. Fees, tax and what ex-events pay are in; interest is not.
 */
import * as z from "zod/mini";
import { Code } from "./kernel/id.ts";
import { Cents, Price, cents, price, worth } from "./kernel/money.ts";
import { EpochMs, taipeiMonth } from "./kernel/time.ts";
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
  shares: number;
  /** Value and costs of what is open: paid for a long, received for a short. */
  costCents: number;
  profitCents: number;
}

/** The part of a sum that so many of the shares carry; the last share leaves nothing. */
const partOf = (sum: number, shares: number, of: number): number =>
  shares >= of ? sum : sum - Number((BigInt(sum) * BigInt(of - shares)) / BigInt(of));

/** What a line realises; the position is changed. */
function apply(position: Position, fill: MentorFill): number {
  if (fill.kind === "adjust") {
    position.shares += fill.shares;
    return fill.cashCents;
  }
  const value = worth(fill.price, fill.shares);
  const costs = fill.feeCents + fill.taxCents;
  const opens = (fill.kind === "buy") === position.sign > 0;
  if (opens) {
    position.shares += fill.shares;
    position.costCents += position.sign > 0 ? value + costs : value - costs;
    return 0;
  }
  const cost = partOf(position.costCents, fill.shares, position.shares);
  position.shares -= fill.shares;
  position.costCents -= cost;
  return position.sign > 0 ? value - costs - cost : cost - value - costs;
}

function heldOf(positions: Iterable<Position>): MentorRecord["held"] {
  const held = new Map<Code, { code: Code; shares: number; costCents: number }>();
  for (const { code, sign, shares, costCents } of positions) {
    if (shares === 0) continue;
    const one = held.get(code) ?? { code, shares: 0, costCents: 0 };
    one.shares += sign * shares;
    one.costCents += sign * costCents;
    held.set(code, one);
  }
  return [...held.values()]
    .map((one) => ({ ...one, costCents: cents(one.costCents) }))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

/** Computes a record from all lines, in their order. */
export function recordOf(lines: readonly MentorFill[], capitalCents: number): MentorRecord {
  const positions = new Map<number, Position>();
  const months = new Map<string, { month: string; trades: number; profitCents: number }>();
  let [closed, won, profit, peak, drawdown, turnover, costs, held] = [0, 0, 0, capitalCents, 0, 0, 0, 0];
  for (const fill of lines) {
    const known = positions.get(fill.position);
    const sign = fill.kind === "sell" ? -1 : 1;
    const position = known ?? { code: fill.code, sign, openedAt: fill.at, shares: 0, costCents: 0, profitCents: 0 };
    positions.set(fill.position, position);
    if (fill.kind !== "adjust") turnover += worth(fill.price, fill.shares);
    costs += fill.feeCents + fill.taxCents;
    const earned = apply(position, fill);
    position.profitCents += earned;
    profit += earned;
    const capital = capitalCents + profit;
    peak = Math.max(peak, capital);
    drawdown = Math.max(drawdown, Math.floor(((peak - capital) * MILLION) / peak));
    const month = months.get(taipeiMonth(fill.at)) ?? { month: taipeiMonth(fill.at), trades: 0, profitCents: 0 };
    months.set(month.month, month);
    month.profitCents += earned;
    if (position.shares > 0) continue;
    closed += 1;
    month.trades += 1;
    held += fill.at - position.openedAt;
    if (position.profitCents > 0) won += 1;
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
      return sum + (shares < 0 ? -value : value) - costCents;
    }, 0),
  );
}

/** Whether two records say the same. */
export const isSameRecord = (a: MentorRecord, b: MentorRecord): boolean => JSON.stringify(a) === JSON.stringify(b);
