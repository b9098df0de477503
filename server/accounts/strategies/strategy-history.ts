/** What strategies work on: the daily closes of the venue up to the day before, read for each question and answered by the thread. */
import type { Instrument } from "#contract/instrument.ts";
import { taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { termsOf } from "#contract/rule.ts";
import type { TradeRule } from "#contract/rule.ts";
import { BACKTEST_DAYS, MANY_CODES, STRATEGY_CODES, WARM_UP_DAYS } from "#contract/strategy.ts";
import type { Backtest, Strategy } from "#contract/strategy.ts";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { RequestThread } from "#server/kernel/request-thread.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { TradedInstrument } from "./backtest.ts";
import type { RawBars } from "./market-days.ts";
import type { Wanted } from "./rules.ts";
import type { StrategyAnswers, StrategyQuestion } from "./strategy-worker.ts";

const thread = new RequestThread<StrategyQuestion, StrategyAnswers[keyof StrategyAnswers]>(
  new URL("./strategy-worker.ts", import.meta.url),
  "strategies",
);

/** The thread answers what it is asked; only this signature ties the two together. */
const ask = <What extends keyof StrategyAnswers>(question: StrategyQuestion & { asks: What }): Promise<StrategyAnswers[What]> =>
  thread.ask(question) as Promise<StrategyAnswers[What]>;

/** A strategy and what it trades; null for all. */
export interface Subject {
  strategy: Strategy;
  code: string | null;
}

export const keyOf = ({ strategy, code }: Subject): string => `${strategy} ${code ?? ""}`;

/** Back-tests at work or waiting; more are refused. */
const MOST_AT_ONCE = 8;
/** Of one caller, who would otherwise take the turns of all others. */
const MOST_OF_ONE = 2;
/** How many each caller waits for. */
const waitingOf = new Map<string, number>();

/** Keeps what members ask of the thread from growing without end. @throws Refusal GEN_SYSTEM_BUSY */
async function inTurn<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
  const own = waitingOf.get(caller) ?? 0;
  const all = [...waitingOf.values()].reduce((sum, count) => sum + count, 0);
  if (own >= MOST_OF_ONE || all >= MOST_AT_ONCE) throw new Refusal("GEN_SYSTEM_BUSY");
  waitingOf.set(caller, own + 1);
  try {
    return await work();
  } finally {
    const left = (waitingOf.get(caller) ?? 1) - 1;
    if (left === 0) waitingOf.delete(caller);
    else waitingOf.set(caller, left);
  }
}

const knownCodes = (venue: Venue): Instrument[] =>
  STRATEGY_CODES.flatMap((code) => {
    const instrument = venue.instrument(code);
    return instrument?.tradable ? [instrument] : [];
  });

/** What a strategy trades. @throws Refusal TRD_NOT_TRADABLE when the code is not one that it can trade */
export function tradedBy(venue: Venue, { strategy, code }: Subject): Instrument[] {
  const known = knownCodes(venue);
  const traded = MANY_CODES.includes(strategy) ? (code === null ? known : []) : known.filter((one) => one.code === code);
  if (traded.length === 0) throw new Refusal("TRD_NOT_TRADABLE", {}, "code");
  return traded;
}

/** The learned rule also looks at what it does not trade. */
const lookedAt = (venue: Venue, { strategy, code }: Subject): string[] =>
  strategy === "learned" || code === null ? knownCodes(venue).map((one) => one.code) : [code];

async function readBars(venue: Venue, subject: Subject, day: number): Promise<RawBars[]> {
  const before = taipeiMidnight(day);
  return Promise.all(
    lookedAt(venue, subject).map(async (code) => {
      const { bars } = await venue.candles(code, "day", before, BACKTEST_DAYS + WARM_UP_DAYS);
      const actions = (await venue.actions(code)).filter(({ at }) => at < before);
      return { code, bars, actions };
    }),
  );
}

/** What a strategy wants on a day, by the closes before it. */
export async function readWanted(venue: Venue, subject: Subject, day: number): Promise<Wanted> {
  return ask({ asks: "wanted", order: subject, raw: await readBars(venue, subject, day) });
}

/** Tests a strategy on the days before today. @throws Refusal TRD_NOT_TRADABLE, TRD_STRATEGY_NO_HISTORY, GEN_SYSTEM_BUSY */
export async function readBacktest(
  venue: Venue,
  subject: Subject,
  { caller, amountCents, at, ruleFor }: { caller: string; amountCents: number; at: number; ruleFor: (instrument: Instrument) => TradeRule },
): Promise<Backtest> {
  const instruments = tradedBy(venue, subject).map((instrument): TradedInstrument => {
    const { code, kind, lotShares } = instrument;
    const terms = termsOf(ruleFor(instrument), instrument, { market: "board", funding: "cash", leverage: 1, dayTrade: false });
    return { code, kind, lotShares, terms };
  });
  return inTurn(caller, async () => {
    const raw = await readBars(venue, subject, taipeiDay(at));
    const days = Math.max(...raw.map(({ bars }) => bars.length / CANDLE_STRIDE));
    if (days < BACKTEST_DAYS + WARM_UP_DAYS) throw new Refusal("TRD_STRATEGY_NO_HISTORY", {}, "code");
    return ask({ asks: "backtest", raw, order: { ...subject, amountCents, warmUpDays: WARM_UP_DAYS, instruments } });
  });
}
