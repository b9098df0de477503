/** The numbers of a member's orders, for a command on many of them: they are read first, and each is checked again inside the batch. */
import type { OrderStatus } from "#contract/order.ts";
import type { Database } from "#server/db/database.ts";

/** The statuses of orders that may hold a position. */
export const HELD: readonly OrderStatus[] = ["holding", "readyToClose"];

/** Oldest first; `code` null for those of every instrument. */
export async function orderNosOf(
  { kysely }: Database,
  memberId: number,
  code: string | null,
  statuses: readonly OrderStatus[],
): Promise<string[]> {
  let wanted = kysely.selectFrom("order").select("order_no").where("member_id", "=", memberId).where("status", "in", statuses);
  if (code !== null) wanted = wanted.where("code", "=", code);
  return (await wanted.orderBy("order_no").execute()).map((row) => row.order_no);
}
