/** `ops order ORDER_NO lock|unlock`: locks an open order's position, so that neither its member nor the broker closes it, or lifts the lock. */
import type { Command } from "./command.ts";

const LOCKED = new Map([
  ["lock", true],
  ["unlock", false],
]);

export const lockOrder: Command = async ({ kysely }, [orderNo = "", verb = ""], say) => {
  const locked = LOCKED.get(verb);
  if (locked === undefined) {
    say("Give an order number, and lock or unlock.");
    return 2;
  }
  // Batches never write this column, so the change does not go through the sequencer.
  const changed = await kysely
    .updateTable("order")
    .set({ locked })
    .where("order_no", "=", orderNo)
    .where("status", "not in", ["closed", "cancelled"])
    .returning("order_no")
    .execute();
  if (changed.length === 0) {
    say(`There is no open order ${orderNo}.`);
    return 2;
  }
  say(`${orderNo} is ${locked ? "locked" : "not locked any more"}.`);
  return 0;
};
