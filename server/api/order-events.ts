/** Reads an order's timeline from its facts: what neither its row nor its fills record. */
import { sql } from "kysely";
import type { OrderFact } from "#contract/fact.ts";
import { ORDER_EVENTS } from "#contract/order-event.ts";
import { eventOf } from "#contract/order-timeline.ts";
import type { OrderEvent } from "#contract/order.ts";
import type { Reader } from "#server/db/database.ts";

/** Oldest first. The types are literals as in the partial index (`0014-order-event.sql`); with parameters it would not be used. */
export async function readEvents(on: Reader, orderNo: string): Promise<OrderEvent[]> {
  const rows = await on
    .selectFrom("fact")
    .select("body")
    .where(sql<string>`body -> 'order' ->> 'orderNo'`, "=", orderNo)
    .where("type", "in", sql<OrderFact["type"]>`(${sql.join(ORDER_EVENTS.map((type) => sql.lit(type)))})`)
    .orderBy("n")
    .execute();
  return rows.flatMap(({ body }) => eventOf(body as unknown as OrderFact) ?? []);
}
