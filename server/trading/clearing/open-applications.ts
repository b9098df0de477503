/** Applications, stakes and offers of shares of a member that can still be withdrawn: a ban withdraws them all. */
import type { Tx } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { releaseStake, stakesIn, stepStake } from "./stakes-in-batch.ts";
import { lendingsIn, withdrawOffer } from "./lendings-in-batch.ts";
import { releaseAll, stepSubscription, subscriptionsIn } from "./subscriptions-in-batch.ts";

/** Reads them under the member's lock. @returns withdraws those that are still open, in the batch that read them */
export async function readOpenApplications(tx: Tx, batch: Batch, memberId: number): Promise<() => void> {
  const applications = await subscriptionsIn(batch).readOpen(tx, batch, memberId);
  const stakes = await stakesIn(batch).readOpen(tx, batch, memberId);
  const offers = lendingsIn(batch).offersOf(memberId);
  const orders = offers.filter(({ order_no: orderNo }) => !batch.hasOrder(orderNo));
  if (orders.length > 0)
    await batch.joinOrders(
      tx,
      orders.map(({ order_no: orderNo }) => ({ memberId, orderNo })),
    );
  return () => {
    for (const row of offers) {
      const order = batch.order(memberId, row.order_no);
      if (row.status === "offered" && order) withdrawOffer(batch, order, row);
    }
    for (const row of applications) {
      if (row.status !== "subscribing") continue;
      releaseAll(batch, row);
      stepSubscription(batch, row, "subscription.withdrawn");
    }
    for (const row of stakes) {
      if (row.status !== "subscribed") continue;
      releaseStake(batch, row);
      stepStake(batch, row, "stake.withdrawn", { reason: "banned" });
    }
  };
}
