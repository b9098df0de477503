/** Debts: amounts a batch left unpaid are paid before it is written, from any money of the member that may be used. */
import type { Debt, DebtFactType } from "#contract/debt.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Message } from "#contract/message.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { toMessage } from "#server/records/message.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch, ParticipantKind } from "#server/trading/sequencer/batch.ts";
import { cancelRest } from "./cancel-rest.ts";
import { payFromWallets } from "./debt-wallets.ts";
import { unpaidChargesOf } from "./charges.ts";
import { returnStake, stakesIn } from "./stakes-in-batch.ts";
import { recallSubscription, subscriptionsIn } from "./subscriptions-in-batch.ts";

/** Reads a member's working orders into a batch that has locked the member. */
async function readWorking(tx: Tx, batch: Batch, memberId: number): Promise<void> {
  const rows = await query<{ order_no: string }>(tx, `SELECT order_no FROM "order" WHERE member_id = $1 AND status = 'pending'`, [
    memberId,
  ]);
  const unread = rows.filter((row) => !batch.hasOrder(row.order_no)).map((row) => ({ memberId, orderNo: row.order_no }));
  if (unread.length > 0) await batch.joinOrders(tx, unread);
}

/** Cancels working orders until the released money has paid the debt: the largest first, to cancel as few as possible, then the newest. */
function cancelFor(batch: Batch, memberId: number): OrderRecord[] {
  const { ledger } = batch;
  const cancelled: OrderRecord[] = [];
  const working = batch
    .ordersOfMember(memberId)
    .filter((order) => order.status === "pending")
    .toSorted((a, b) => b.held_cents - a.held_cents || (a.order_no < b.order_no ? 1 : -1));
  for (const order of working) {
    if (ledger.debt(memberId).owed === 0) break;
    cancelRest(batch, order, "repayment");
    ledger.repay(memberId, "available", order.order_no);
    cancelled.push(order);
  }
  return cancelled;
}

/** Takes applications and stakes back that can still be withdrawn, the newest of each first, until their money has paid the debt. */
async function recallFor(tx: Tx, batch: Batch, memberId: number): Promise<number> {
  const { ledger } = batch;
  let recalled = 0;
  const applications = await subscriptionsIn(batch).readOpen(tx, batch, memberId);
  const stakes = await stakesIn(batch).readOpen(tx, batch, memberId);
  const recalls = [
    ...applications.map((row) => (messageNo: number) => recallSubscription(batch, row, messageNo)),
    ...stakes.map((row) => (messageNo: number) => returnStake(batch, row, "stake.withdrawn", "debt", messageNo)),
  ];
  for (const recall of recalls) {
    if (ledger.debt(memberId).owed === 0) break;
    const [next] = await query<{ id: number }>(tx, "SELECT nextval('message_no') AS id", []);
    recall(next?.id ?? 0);
    ledger.repay(memberId, "available");
    recalled += 1;
  }
  return recalled;
}

/** Takes the rest of a charge, and no other debt, from the collateral of the position it was for. */
function takeCollateral(batch: Batch, memberId: number): void {
  for (const order of batch.charged) {
    if (order.member_id !== memberId) continue;
    const taken = batch.ledger.repay(memberId, "collateral", order.order_no, Math.min(order.collateral_cents, unpaidChargesOf(order)));
    if (taken === 0) continue;
    order.collateral_cents -= taken;
    batch.emitOrderFact("order.adjusted", order);
  }
}

/** Emits a fact that the amount a member owes has changed. */
function emitDebt(batch: Batch, memberId: number, type: DebtFactType, message: Message | null = null): void {
  const { owed: owedCents } = batch.ledger.debt(memberId);
  batch.emit(memberId, { type, owedCents, ...(message ? { message } : {}) });
}

/** Adds the message to the inbox and emits its fact. */
async function notify(tx: Tx, batch: Batch, memberId: number, debt: Debt): Promise<void> {
  const [next] = await query<{ id: number }>(tx, "SELECT nextval('message_no') AS id", []);
  if (!next) throw new Error("no number for a message");
  const row = { id: next.id, at: batch.at, kind: "debt" as const, read: false, debt };
  emitDebt(batch, memberId, "debt.incurred", toMessage(row, null));
  batch.deferWrite(async (write) => {
    await write
      .insertInto("message")
      .values({ ...row, debt: JSON.stringify(debt), member_id: memberId, alert_id: null })
      .execute();
  });
}

async function collect(tx: Tx, batch: Batch, memberId: number): Promise<void> {
  const { ledger } = batch;
  const { incurred: incurredCents } = ledger.debt(memberId);
  ledger.repay(memberId, "available");
  // Money elsewhere before orders are cancelled and positions sold.
  const fromWallets = ledger.debt(memberId).owed > 0 ? await payFromWallets(tx, batch, memberId) : 0;
  let cancelled: OrderRecord[] = [];
  if (ledger.debt(memberId).owed > 0) {
    await readWorking(tx, batch, memberId);
    cancelled = cancelFor(batch, memberId);
  }
  const recalled = ledger.debt(memberId).owed > 0 ? await recallFor(tx, batch, memberId) : 0;
  const added = ledger.repay(memberId, "margin");
  takeCollateral(batch, memberId);
  const { owed: owedCents } = ledger.debt(memberId);
  if (incurredCents > 0 && (fromWallets > 0 || cancelled.length > 0 || recalled > 0 || added > 0 || owedCents > 0)) {
    await notify(tx, batch, memberId, {
      incurredCents: cents(incurredCents),
      cancelled: cancelled.map((order) => order.order_no as OrderNo),
      owedCents,
    });
  } else if (incurredCents <= 0 && ledger.debt(memberId).incurred < 0) emitDebt(batch, memberId, "debt.repaid");
}

/**
 * How debts take part in a batch. Before it is written, its members' debts are paid: from free money, from their other wallets (foreign
 * money is converted), from money held by working orders and by applications that can still be withdrawn, from margin deposited on a call, and a charge from the collateral of its own position. The rest stays a debt, which incoming money pays
 * first and for which positions are sold.
 */
export const debts: ParticipantKind = {
  open: (_tx, batch) =>
    Promise.resolve({
      // Its changes are part of the ledger and the orders.
      effects: 0,
      async conclude(tx) {
        for (const { id } of batch.members) if (batch.ledger.debt(id).owed > 0) await collect(tx, batch, id);
      },
    }),
};
