/** The clock of securities loans: at the start of each day their fees are counted, those that are due return, and offers meet new borrowers. */
import { demandRate, lendingFeeOf } from "#contract/lending-fee.ts";
import { formatMoney, price, worth } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import type { LendingRecord } from "#server/records/lending.ts";
import { eachPart, startEachFeeDay } from "#server/trading/clearing/fee-day.ts";
import type { FeeDayDeps } from "#server/trading/clearing/fee-day.ts";
import { lendingsIn, returnShares, stepLending } from "#server/trading/clearing/lendings-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { inParts } from "#server/trading/sequencer/queued-command.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { DemandListing } from "#server/venue/venue.ts";
import { leftOf, lendTo, mostRateOf, readTaken } from "./lending.ts";
import { putNotice, takeMessageNo } from "./notice.ts";

export interface LendingClockDeps extends FeeDayDeps {
  db: Database;
}

/** An offer or a loan whose day is over. */
type Due = Pick<LendingRecord, "lending_no" | "member_id" | "order_no" | "code">;

/** An operator's lock means that the lots are wrong: its days are counted once it is lifted. */
const DUE = `SELECT lending_no, lending.member_id, lending.order_no, lending.code FROM lending JOIN "order" USING (order_no)
WHERE lending.status IN ('offered', 'inProgress', 'recalled') AND fee_day < $1 AND NOT locked ORDER BY id`;

/** Counts the fee of the days before `day`, at the close before it, at most to the loan's last one. */
function accrue(batch: Batch, row: LendingRecord, day: number): void {
  const instrument = batch.venue.instrument(row.code);
  const close = instrument ? batch.venue.previousClose(instrument.row) : 0;
  const until = Math.min(day, row.due_day ?? day);
  if (close > 0) row.fee_cents += lendingFeeOf(row.rate_per_million, worth(price(close), row.lots * row.lot_shares), until - row.fee_day);
  row.fee_day = day;
}

const valuesOf = ({ code, lots, lot_shares: lotShares }: LendingRecord) => ({ code, shares: String(lots * lotShares) });

function nextDay(batch: Batch, order: OrderRecord, row: LendingRecord, day: number, messageNo: number): void {
  accrue(batch, row, day);
  if (row.due_day === null || row.due_day > day) {
    stepLending(batch, row, "lending.accrued");
    return;
  }
  returnShares(batch, order, row, row.status === "recalled" ? "recall" : "term", (paidCents) =>
    putNotice(batch, row.member_id, messageNo, { about: "lendingReturned", values: { ...valuesOf(row), amount: formatMoney(paidCents) } }),
  );
}

/** The demand of this day for an instrument, if there is one. */
const demandFor = (batch: Batch, code: string): DemandListing | undefined => {
  const row = batch.venue.instrument(code)?.row;
  return row === undefined ? undefined : batch.venue.lending.demands(batch.at).find((demand) => demand.row === row);
};

/** Lends what is offered, if a borrower pays as much for as long. */
function meetBorrower(batch: Batch, row: LendingRecord, day: number, messageNo: number): void {
  row.fee_day = day;
  const instrument = batch.venue.instrument(row.code);
  const demand = demandFor(batch, row.code);
  const rate = instrument && demand ? demandRate(mostRateOf(batch, row.member_id, instrument), demand.partPerMille) : 0;
  const close = instrument ? batch.venue.previousClose(instrument.row) : 0;
  if (!demand || close <= 0 || rate < row.rate_per_million || demand.days < row.days || leftOf(batch, demand) < row.lots) {
    stepLending(batch, row, "lending.offered");
    return;
  }
  const value = worth(price(close), row.lots * row.lot_shares);
  if (value < demand.minimumCents) {
    stepLending(batch, row, "lending.offered");
    return;
  }
  row.reference_price = close;
  row.value_cents = value;
  lendTo(batch, row, demand, rate);
  const values = { ...valuesOf(row), rate: String(rate / 10_000), days: String(row.days) };
  stepLending(batch, row, "lending.lent", putNotice(batch, row.member_id, messageNo, { about: "lendingStarted", values }));
}

/** The next day of some loans and offers. */
function nextDayOf(some: readonly Due[], day: number): QueuedCommand<void> {
  const messageNos = new Map<string, number>();
  return {
    memberIds: [...new Set(some.map((one) => one.member_id))],
    orderNos: some.map((one) => one.order_no),
    prepare: async (tx: Tx, batch) => {
      for (const one of some) {
        messageNos.set(one.lending_no, await takeMessageNo(tx));
        const demand = demandFor(batch, one.code);
        if (demand) await readTaken(tx, batch, demand.demandId);
      }
    },
    decide: (batch) => {
      for (const one of some) {
        const row = lendingsIn(batch).row(one.member_id, one.lending_no);
        const order = batch.order(one.member_id, one.order_no);
        const messageNo = messageNos.get(one.lending_no);
        if (!row || !order || messageNo === undefined || row.fee_day >= day) continue;
        if (row.status === "offered") meetBorrower(batch, row, day, messageNo);
        else if (row.status === "inProgress" || row.status === "recalled") nextDay(batch, order, row, day, messageNo);
      }
    },
  };
}

/** Registers the loans with the sequencer: what returns on a day can be sold from its first moment. @returns a function that stops it */
export function startLendingClock(deps: LendingClockDeps): Promise<() => void> {
  return startEachFeeDay(deps, async (day, serve) => {
    const due = await query<Due>(deps.db.kysely, DUE, [day]);
    await eachPart(inParts(due), (some) => serve(nextDayOf(some, day)), deps.report);
  });
}
