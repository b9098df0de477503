/** Watches futures accounts while contracts trade: ends calls that are met, and closes positions where a call was not met, little margin is left, or a debt stays unpaid. */
import { epochMs, SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { every } from "#server/kernel/every.ts";
import { holdingsOf } from "#server/trading/clearing/holdings-in-batch.ts";
import { closeAll, futuresOf, readFutures, stepFutures, takeFuturesNo } from "#server/trading/futures/futures-in-batch.ts";
import { lastTradeAt, quoteNow } from "#server/trading/futures/contracts.ts";
import { marginIn, marginOf } from "#server/trading/futures/margin.ts";
import { nextToSell } from "#server/trading/risk/debt-collection.ts";
import { isForceClosing } from "#server/trading/risk/forced-close.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import { futuresRuleAt } from "#server/rules/rules.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";
import { restore, verdictOf } from "./margin-call.ts";

/** What a member owes beyond the money that settles later and pays it then. */
const OPEN = `SELECT futures_position.*, wallet.balance, (0 - debt.balance - unsettled.balance)::bigint AS owed FROM futures_position
JOIN pocket AS wallet ON wallet.member_id = futures_position.member_id AND wallet.kind = 'futures' AND wallet.currency = 'TWD'
JOIN pocket AS debt ON debt.member_id = futures_position.member_id AND debt.kind = 'debt'
JOIN pocket AS unsettled ON unsettled.member_id = futures_position.member_id AND unsettled.kind = 'unsettled'
WHERE status IN ('open', 'called') ORDER BY futures_position.id`;

type Watched = FuturesRecord & { balance: number; owed: number };

/** What a contract is closed at now; null without a quote, or after its last trade. */
function closingPrice({ venue, at }: Pick<Batch, "venue" | "at">, row: FuturesRecord): number | null {
  if (at >= lastTradeAt({ opensAt: row.expiry_opens_at, closesAt: row.expiry_closes_at })) return null;
  const quote = quoteNow(venue, { expiryDay: row.expiry_day }, at);
  return quote && (row.lots > 0 ? quote.bid : quote.ask);
}

/** Closes those positions that can be traded; the account has one message. */
function liquidate(batch: Batch, rows: readonly FuturesRecord[], numbers: readonly number[], messageNo: number): void {
  let told = false;
  rows.forEach((row, nth) => {
    const price = closingPrice(batch, row);
    const tradeNo = numbers[nth];
    if (price === null || tradeNo === undefined) return;
    closeAll(batch, row, price, "liquidation", tradeNo);
    const notice = { about: "futuresLiquidated" as const, values: {} };
    stepFutures(batch, row, "futures.liquidated", told ? null : putNotice(batch, row.member_id, messageNo, notice));
    told = true;
  });
}

const marginFor = ({ rules, at }: Batch, { member_id: memberId, product, lots }: FuturesRecord): number =>
  futuresRuleAt(rules, memberId, product, at).initialCents * Math.abs(lots);

/** The position to close for a debt: the smallest whose margin pays it; if none does, the largest. */
function forDebt(batch: Batch, memberId: number): FuturesRecord[] {
  const { owed } = batch.ledger.debt(memberId);
  const missing = owed - batch.ledger.balance(memberId, "unsettled");
  if (missing <= 0) return [];
  const rows = futuresOf(batch, memberId)
    .filter((row) => closingPrice(batch, row) !== null)
    .toSorted((a, b) => marginFor(batch, a) - marginFor(batch, b) || a.id - b.id);
  return [rows.find((row) => marginFor(batch, row) >= missing) ?? rows.at(-1)].filter((row) => row !== undefined);
}

/** Acts on one account, decided again on what is read under its lock. */
function act({ sequencer }: ClockDeps, memberId: number, owesAlone: boolean): Promise<void> {
  let numbers: number[] = [];
  let messageNo = 0;
  return sequencer.submit<void>({
    memberIds: [memberId],
    prepare: async (tx, batch) => {
      await readFutures(tx, batch, memberId);
      messageNo = await takeMessageNo(tx);
      numbers = [];
      while (numbers.length < futuresOf(batch, memberId).length) numbers.push(await takeFuturesNo(tx));
    },
    decide: (batch) => {
      const rows = futuresOf(batch, memberId);
      const verdict = verdictOf(marginIn(batch, memberId), rows, batch.venue.feeDay(batch.at));
      if (verdict === "restore") restore(batch, memberId);
      if (verdict === "liquidate") liquidate(batch, rows, numbers, messageNo);
      else if (owesAlone) liquidate(batch, forDebt(batch, memberId), numbers, messageNo);
    },
  });
}

/** Whether nothing else is left that pays a debt: no position is being sold for it, and none could be. */
async function owesAlone({ db, venue }: ClockDeps, memberId: number, owed: number, at: number): Promise<boolean> {
  if (owed <= 0) return false;
  const orders = await holdingsOf(db.kysely, [memberId]);
  return !orders.some(isForceClosing) && nextToSell(orders, owed, venue, at) === undefined;
}

async function review(deps: ClockDeps): Promise<void> {
  const { db, venue, sequencer, now, report } = deps;
  const at = now();
  if (venue.phase(at) !== "open") return;
  const accounts = Map.groupBy(await query<Watched>(db.kysely, OPEN), ({ member_id: memberId }) => memberId);
  for (const [memberId, rows] of accounts) {
    const verdict = verdictOf(marginOf({ venue, rules: sequencer.rules }, at, rows[0]?.balance ?? 0, rows), rows, venue.feeDay(at));
    const alone = await owesAlone(deps, memberId, rows[0]?.owed ?? 0, at);
    // What cannot be traded is not tried again and again.
    const trades = rows.some((row) => closingPrice({ venue, at: epochMs(at) }, row) !== null);
    if (verdict === "restore" || ((verdict !== null || alone) && trades))
      await act(deps, memberId, alone).catch((error: unknown) => report?.(error));
  }
}

/** @returns a function that stops it, and resolves when it is at rest */
export function startFuturesMonitor(deps: ClockDeps): () => Promise<void> {
  const { repeat = every, report } = deps;
  return repeat(SECOND_MS, () => review(deps), report);
}
