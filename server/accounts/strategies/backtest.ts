/**
 * Tests a strategy on past days. What a rule wants at the close of a day is traded at the next opening and one tick worse, in whole lots, with
 * fees and tax; on a day with a single price, as in a limit lock, nothing is. Prices are restated across ex-events, so that a dividend counts
 * as gain on the day it leaves the price.
 */
import { feeOf, needOf, taxOf } from "#contract/fee.ts";
import type { Kind } from "#contract/instrument.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Terms } from "#contract/rule.ts";
import type { Backtest, BacktestTrade, Strategy } from "#contract/strategy.ts";
import type { Code } from "#contract/kernel/id.ts";
import { tickSize } from "#contract/tick.ts";
import { DayView } from "./market-days.ts";
import type { DaySeries, MarketDays } from "./market-days.ts";
import { startRule } from "./rules.ts";
import type { Rule, Wanted } from "./rules.ts";
import { lotsOf } from "./sizing.ts";

/** What trading an instrument costs. */
export interface TradedInstrument {
  code: string;
  kind: Kind;
  lotShares: number;
  terms: Terms;
}

export interface BacktestOrder {
  strategy: Strategy;
  /** What is traded; null for all. */
  code: string | null;
  amountCents: number;
  /** Days at the beginning that the rule only looks back on. */
  warmUpDays: number;
  instruments: readonly TradedInstrument[];
}

const TRADES_SHOWN = 50;
const MILLION = 1_000_000;

/** One instrument's position. */
interface Held {
  lots: number;
  /** What its lots cost, fees included. */
  costCents: number;
}

/** Follows a value, and how deep it fell from its highest before. */
class Drawdown {
  #highest = 0;
  perMillion = 0;

  follow(value: number): void {
    this.#highest = Math.max(this.#highest, value);
    if (this.#highest > 0) this.perMillion = Math.max(this.perMillion, Math.round(((this.#highest - value) / this.#highest) * MILLION));
  }
}

/** An account of a back-test. */
class Account {
  readonly #amount: number;
  #cash: number;
  readonly #held = new Map<string, Held>();
  costCents = 0;
  profitCents = 0;
  sales = 0;
  gains = 0;
  readonly trades: BacktestTrade[] = [];
  readonly drawdown = new Drawdown();
  /** The part of the amount, in thousandths, that each instrument was last brought to. */
  readonly reached = new Map<string, number>();

  constructor(amountCents: number) {
    this.#amount = amountCents;
    this.#cash = amountCents;
  }

  lots(code: string): number {
    return this.#held.get(code)?.lots ?? 0;
  }

  #note(at: number, side: "buy" | "sell", code: string, lots: number, paid: number, cost: number): void {
    this.costCents += cost;
    this.trades.push({ at: epochMs(at), side, code: code as Code, lots, price: price(paid), costCents: cents(cost) });
  }

  /** Buys at most `lots`, as many as what is left of the amount pays for. */
  buy({ code, lotShares, terms }: TradedInstrument, lots: number, paid: number, at: number): void {
    const invested = [...this.#held.values()].reduce((sum, { costCents }) => sum + costCents, 0);
    const left = Math.min(this.#cash, this.#amount + Math.min(0, this.profitCents) - invested);
    let most = lots;
    while (most > 0 && needOf(terms, "rise", worth(price(paid), most * lotShares)) > left) most -= 1;
    if (most === 0) return;
    const value = worth(price(paid), most * lotShares);
    const fee = feeOf(terms, value);
    this.#cash -= value + fee;
    const held = this.#held.get(code) ?? { lots: 0, costCents: 0 };
    this.#held.set(code, { lots: held.lots + most, costCents: held.costCents + value + fee });
    this.#note(at, "buy", code, most, paid, fee);
  }

  sell({ code, lotShares, terms }: TradedInstrument, lots: number, got: number, at: number): void {
    const held = this.#held.get(code);
    if (!held || lots === 0) return;
    const value = worth(price(got), lots * lotShares);
    const cost = feeOf(terms, value) + taxOf(terms, value);
    const share = Math.round((held.costCents * lots) / held.lots);
    this.#cash += value - cost;
    this.profitCents += value - cost - share;
    this.sales += 1;
    if (value - cost > share) this.gains += 1;
    if (held.lots === lots) this.#held.delete(code);
    else this.#held.set(code, { lots: held.lots - lots, costCents: held.costCents - share });
    this.#note(at, "sell", code, lots, got, cost);
  }

  /** The cash and what is held, at some prices. */
  value(closeOf: (code: string) => { close: number; lotShares: number }): number {
    let sum = this.#cash;
    for (const [code, { lots }] of this.#held) {
      const { close, lotShares } = closeOf(code);
      sum += worth(price(close), lots * lotShares);
    }
    return sum;
  }
}

/** The past days as accounts trade on them. */
class PastMarket {
  readonly #days: MarketDays;
  readonly #order: BacktestOrder;
  readonly #series: ReadonlyMap<string, DaySeries>;
  readonly #instruments: ReadonlyMap<string, TradedInstrument>;
  /** The latest close of each, for days on which it did not trade. */
  readonly #closes = new Map<string, number>();

  constructor(days: MarketDays, order: BacktestOrder) {
    this.#days = days;
    this.#order = order;
    this.#series = new Map(days.series.map((one) => [one.code, one]));
    this.#instruments = new Map(order.instruments.map((one) => [one.code, one]));
  }

  /** The opening price of a day, where more than one price was traded. */
  #opening(code: string, day: number): number | null {
    const series = this.#series.get(code);
    const [open = 0, high = 0, low = 0] = [series?.open[day], series?.high[day], series?.low[day]];
    return open > 0 && high > low ? open : null;
  }

  /** Brings an account to what is wanted, sales first. Where it was brought to the same before, it is left as it is. */
  trade(account: Account, wanted: Wanted, day: number): void {
    const { reached } = account;
    const changes = [...new Set([...wanted.keys(), ...reached.keys()])].flatMap((code) => {
      const instrument = this.#instruments.get(code);
      const open = this.#opening(code, day);
      const perMille = wanted.get(code) ?? 0;
      if (!instrument || open === null || perMille === (reached.get(code) ?? 0)) return [];
      const tick = tickSize(instrument.kind, open);
      const lot = worth(price(open + tick), instrument.lotShares);
      const lots = lotsOf(perMille, this.#order.amountCents, account.profitCents, lot) - account.lots(code);
      reached.set(code, perMille);
      return [{ instrument, lots, paid: lots > 0 ? open + tick : Math.max(tick, open - tick) }];
    });
    const at = this.#days.at[day] ?? 0;
    for (const { instrument, lots, paid } of changes) if (lots < 0) account.sell(instrument, -lots, paid, at);
    for (const { instrument, lots, paid } of changes) if (lots > 0) account.buy(instrument, lots, paid, at);
  }

  /** Takes note of a day's closes. */
  close(day: number): void {
    for (const [code, { close }] of this.#series) if ((close[day] ?? 0) > 0) this.#closes.set(code, close[day] ?? 0);
  }

  value(account: Account): number {
    return account.value((code) => ({ close: this.#closes.get(code) ?? 0, lotShares: this.#instruments.get(code)?.lotShares ?? 0 }));
  }

  /** What having held instead would be: all of the amount in what the strategy trades, in equal parts. */
  heldInstead(): Wanted {
    const codes = this.#order.code === null ? [...this.#series.keys()] : [this.#order.code];
    return new Map(codes.map((code) => [code, Math.floor(1_000 / codes.length)]));
  }
}

/** Tests a rule, beside an account that holds instead; the rule's decisions on the last day are not carried out. */
export function testRule(rule: Rule, days: MarketDays, order: BacktestOrder): Backtest {
  const market = new PastMarket(days, order);
  const view = new DayView(days);
  const [own, holder] = [new Account(order.amountCents), new Account(order.amountCents)];
  const curve: number[] = [];
  const held = market.heldInstead();
  let wanted: Wanted = new Map();
  for (const [day, at] of days.at.entries()) {
    if (day >= order.warmUpDays) {
      market.trade(own, wanted, day);
      market.trade(holder, held, day);
    }
    market.close(day);
    view.advance();
    wanted = rule.decide(view);
    if (day < order.warmUpDays) continue;
    const [ownValue, heldValue] = [market.value(own), market.value(holder)];
    own.drawdown.follow(ownValue);
    holder.drawdown.follow(heldValue);
    curve.push(at, ownValue, heldValue);
  }
  const report = rule.report?.() ?? null;
  return {
    strategy: order.strategy,
    code: order.code as Code | null,
    amountCents: cents(order.amountCents),
    curve,
    profitCents: cents(market.value(own) - order.amountCents),
    heldProfitCents: cents(market.value(holder) - order.amountCents),
    costCents: cents(own.costCents),
    drawdownPerMillion: own.drawdown.perMillion,
    heldDrawdownPerMillion: holder.drawdown.perMillion,
    sales: own.sales,
    gains: own.gains,
    trades: own.trades.slice(-TRADES_SHOWN).toReversed(),
    weights: report?.weights ?? null,
    said: report?.said ?? null,
  };
}

export const backtest = (days: MarketDays, order: BacktestOrder): Backtest => testRule(startRule(order.strategy, order.code), days, order);

/** What a strategy wants after the last of some days. */
export function wantedAfter(days: MarketDays, { strategy, code }: Pick<BacktestOrder, "strategy" | "code">): Wanted {
  const rule = startRule(strategy, code);
  const view = new DayView(days);
  let wanted: Wanted = new Map();
  for (const _ of days.at) {
    view.advance();
    wanted = rule.decide(view);
  }
  return wanted;
}
