/** Watches futures wallets while contracts trade: ends calls that are met, and closes futures and options where a call was not met, little margin is left, or a debt stays unpaid. */
import { setImmediate as turn } from "node:timers/promises";
import { epochMs, SECOND_MS } from "#contract/kernel/time.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { every } from "#server/kernel/every.ts";
import { holdingsOf } from "#server/trading/clearing/holdings-in-batch.ts";
import { closeAll, readFutures, stepFutures, takeFuturesNo } from "#server/trading/futures/futures-in-batch.ts";
import { lastTradeAt, quoteNow } from "#server/trading/futures/contracts.ts";
import { contractsOf, hasEnough, isCalled, marginIn, marginOf } from "#server/trading/futures/margin.ts";
import { expiryMargins, freedOf } from "#server/trading/futures/option-margin.ts";
import type { ExpiryMargin, MarginSources, OpenContracts } from "#server/trading/futures/option-margin.ts";
import { expiryIn, OptionMarks, seriesIn } from "#server/trading/futures/option-value.ts";
import { chargesOf, closeOptionLots, stepOption, takeOptionNo } from "#server/trading/futures/options-in-batch.ts";
import { optionQuoteNow } from "#server/trading/futures/option-series.ts";
import { nextToSell } from "#server/trading/risk/debt-collection.ts";
import { isForceClosing } from "#server/trading/risk/forced-close.ts";
import { futuresRuleAt, optionRuleAt } from "#server/rules/rules.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";
import { restore, verdictOf } from "./margin-call.ts";
import { WatchedWallets } from "./watched-wallets.ts";

/** Accounts that are looked at before others have their turn. */
const TOGETHER = 16;

type Moment = Pick<Batch, "venue" | "at">;
/** Where accounts are looked at: a batch, or what is stored. */
type Looked = MarginSources & { at: Batch["at"] };

/** What a contract is closed at now; null without a quote, or after its last trade. */
function closingPrice({ venue, at }: Moment, row: FuturesRecord): number | null {
  if (at >= lastTradeAt({ opensAt: row.expiry_opens_at, closesAt: row.expiry_closes_at })) return null;
  const quote = quoteNow(venue, { expiryDay: row.expiry_day }, at);
  return quote && (row.lots > 0 ? quote.bid : quote.ask);
}

/** The same of an option, in tenths of a point; null also where nobody buys it. */
function closingPremium({ venue, at }: Moment, row: OptionRecord): number | null {
  const quote = optionQuoteNow(venue, expiryIn(row), seriesIn(row), at);
  return quote && (row.lots > 0 ? quote.bid : quote.ask);
}

/** Whether any of some positions can be closed now. */
const isTraded = (moment: Moment, { futures, options }: OpenContracts): boolean =>
  futures.some((row) => closingPrice(moment, row) !== null) || options.some((row) => closingPremium(moment, row) !== null);

/** Numbers of the trades that a decision may write, by position. */
type Numbers = ReadonlyMap<string, number>;

/** Closes those positions that can be traded, bought options first: they pay for the others. The account has one message. */
function liquidate(batch: Batch, { futures, options }: OpenContracts, numbers: Numbers, messageNo: number): void {
  let told = false;
  const message = (memberId: number) => {
    const first = told ? null : putNotice(batch, memberId, messageNo, { about: "futuresLiquidated" as const, values: {} });
    told = true;
    return first;
  };
  const closeEach = (rows: readonly OptionRecord[]): void => {
    for (const row of rows) {
      const price = closingPremium(batch, row);
      const tradeNo = numbers.get(row.position_no);
      if (price === null || tradeNo === undefined) continue;
      closeOptionLots(batch, row, { tradeNo, price, cause: "liquidation" });
      stepOption(batch, row, "option.liquidated", message(row.member_id));
    }
  };
  const [bought, sold] = [options.filter(({ lots }) => lots > 0), options.filter(({ lots }) => lots < 0)];
  closeEach(bought);
  for (const row of futures) {
    const price = closingPrice(batch, row);
    const tradeNo = numbers.get(row.position_no);
    if (price === null || tradeNo === undefined) continue;
    closeAll(batch, row, price, "liquidation", tradeNo);
    stepFutures(batch, row, "futures.liquidated", message(row.member_id));
  }
  closeEach(sold);
}

/** What closing some positions leaves for a debt: the margin they free, less what others then need alone; premiums and charges with it. */
function freedBy(looked: Looked, margins: readonly ExpiryMargin[], { futures, options }: OpenContracts): number | null {
  let freed = freedOf(margins, [...futures, ...options]);
  for (const row of futures) {
    if (closingPrice(looked, row) === null) return null;
    freed += futuresRuleAt(looked.rules, row.member_id, row.product, looked.at).initialCents * Math.abs(row.lots);
  }
  for (const row of options) {
    const price = closingPremium(looked, row);
    if (price === null) return null;
    const lots = Math.abs(row.lots);
    const side = row.lots > 0 ? "sell" : "buy";
    const { fee, tax } = chargesOf({ side, lots, price, cause: "liquidation" }, optionRuleAt(looked.rules, row.member_id, looked.at));
    freed += premiumWorth(price, row.lots) - fee - tax;
  }
  return freed;
}

/** The positions of an expiry that hang together: each is in a pair with another of them. */
function groupsOf({ rows, combined: { pairs } }: ExpiryMargin): Set<string>[] {
  let groups: Set<string>[] = [];
  for (const { first, second } of pairs) {
    const pair = [rows[first], rows[second]].flatMap((row) => row?.position_no ?? []);
    const joined = groups.filter((one) => pair.some((no) => one.has(no)));
    groups = [...groups.filter((one) => !joined.includes(one)), new Set([...joined.flatMap((one) => [...one]), ...pair])];
  }
  return groups;
}

/**
 * Each position alone, pairs that are margined as one, all that hang together by pairs, and whole expiries: closing less of them may free
 * nothing.
 */
function waysOf({ futures, options }: OpenContracts, margins: readonly ExpiryMargin[]): OpenContracts[] {
  const pairs = margins.flatMap(({ rows, combined }) =>
    combined.pairs.map(({ first, second }) => new Set([rows[first]?.position_no, rows[second]?.position_no])),
  );
  const whole = margins.map(({ rows }) => new Set(rows.map((row) => row.position_no)));
  return [
    ...futures.map((row) => ({ futures: [row], options: [] })),
    ...options.map((row) => ({ futures: [], options: [row] })),
    ...[...pairs, ...margins.flatMap(groupsOf), ...whole].map((nos) => ({
      futures: futures.filter((row) => nos.has(row.position_no)),
      options: options.filter((row) => nos.has(row.position_no)),
    })),
  ];
}

/** What to close for a debt: the least that pays it; if nothing does, what pays the most of it. What closing costs more than it frees stays. */
function forDebt(looked: Looked, open: OpenContracts, missing: number): OpenContracts | null {
  if (missing <= 0) return null;
  const margins = expiryMargins(looked, looked.at, open);
  const ways = waysOf(open, margins)
    .map((close) => ({ close, frees: freedBy(looked, margins, close) ?? 0 }))
    .filter(({ frees }) => frees > 0)
    // In the order they were listed where they free the same: one position rather than two.
    .toSorted((a, b) => a.frees - b.frees);
  return (ways.find(({ frees }) => frees >= missing) ?? ways.at(-1))?.close ?? null;
}

/** The same on what is read under the lock. */
function forDebtIn(batch: Batch, memberId: number): OpenContracts {
  const missing = batch.ledger.debt(memberId).owed - batch.ledger.balance(memberId, "unsettled");
  return forDebt(batch, contractsOf(batch, memberId), missing) ?? { futures: [], options: [] };
}

/** Acts on one account, decided again on what is read under its lock. */
function act({ sequencer }: ClockDeps, memberId: number, owesAlone: boolean): Promise<void> {
  let numbers = new Map<string, number>();
  let messageNo = 0;
  return sequencer.submit<void>({
    memberIds: [memberId],
    prepare: async (tx, batch) => {
      await readFutures(tx, batch, memberId);
      messageNo = await takeMessageNo(tx);
      numbers = new Map();
      const { futures, options } = contractsOf(batch, memberId);
      for (const row of futures) numbers.set(row.position_no, await takeFuturesNo(tx));
      for (const row of options) numbers.set(row.position_no, await takeOptionNo(tx));
    },
    decide: (batch) => {
      const rows = contractsOf(batch, memberId);
      const verdict = verdictOf(marginIn(batch, memberId), rows, batch.venue.feeDay(batch.at));
      if (verdict === "restore") restore(batch, memberId);
      if (verdict === "liquidate") liquidate(batch, rows, numbers, messageNo);
      else if (owesAlone) liquidate(batch, forDebtIn(batch, memberId), numbers, messageNo);
    },
  });
}

/** Whether nothing else is left that pays a debt: no position is being sold for it, and none could be. */
async function owesAlone({ db, venue }: ClockDeps, memberId: number, owed: number, at: number): Promise<boolean> {
  const orders = await holdingsOf(db.kysely, [memberId]);
  return !orders.some(isForceClosing) && nextToSell(orders, owed, venue, at) === undefined;
}

/** Where accounts are looked at now, each by the same prices of options. */
function lookNow({ venue, sequencer, now }: ClockDeps): Looked {
  const at = now();
  return { venue, rules: sequencer.rules, at: epochMs(at), marks: new OptionMarks(venue, at) };
}

async function review(deps: ClockDeps, wallets: WatchedWallets): Promise<void> {
  const { db, venue, now, report } = deps;
  if (venue.phase(now()) !== "open") return;
  const watched = await wallets.read(db.kysely);
  let moment = lookNow(deps);
  for (const [nth, { memberId, balance, owed, rows }] of watched.entries()) {
    if (nth % TOGETHER === 0) await turn();
    const { at } = moment;
    // Nearly all: nothing is called for or owed, and no pairing is needed to tell that nothing is lacking.
    const isCalm = owed <= 0 && !isCalled(rows) && hasEnough(moment, at, balance, rows);
    if (isCalm) continue;
    // Orders go on between two accounts: pairing very many positions takes milliseconds.
    await turn();
    const verdict = verdictOf(marginOf(moment, at, balance, rows), rows, venue.feeDay(at));
    // A debt that no closing pays waits for something to change.
    const pays = forDebt(moment, rows, owed) !== null;
    const alone = pays && (await owesAlone(deps, memberId, owed, at));
    // Prices have moved while the database was waited for; options must not be judged by older ones than futures.
    if (pays) moment = lookNow(deps);
    if (verdict === null && !alone) continue;
    // What cannot be traded is not tried again and again.
    if (verdict !== "restore" && !isTraded(moment, rows)) continue;
    await act(deps, memberId, alone).catch((error: unknown) => report?.(error));
    moment = lookNow(deps);
  }
}

/** @returns a function that stops it, and resolves when it is at rest */
export function startFuturesMonitor(deps: ClockDeps): () => Promise<void> {
  const { repeat = every, report } = deps;
  const wallets = new WatchedWallets();
  return repeat(SECOND_MS, () => review(deps, wallets), report);
}
