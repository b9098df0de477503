/** `ops order ORDER_NO lock|unlock`: locks an open order's position, so that neither its member nor the broker closes it, or lifts the lock. */
import { always, NotDone } from "./command.ts";
import type { Command } from "./command.ts";

const LOCKED = new Map([
  ["lock", true],
  ["unlock", false],
]);

export const orderCommands: readonly Command[] = [
  {
    name: "order",
    usage: "ORDER_NO lock|unlock",
    what: "keep everybody from closing a position, or lift that",
    audited: always,
    async run({ act }, { words: [orderNo = "", verb = ""] }) {
      const locked = LOCKED.get(verb);
      if (locked === undefined) throw new NotDone("Give an order number, and lock or unlock.");
      await act(async (tx) => {
        // Batches never write this column, so the change does not go through the sequencer.
        const [before] = await tx
          .selectFrom("order")
          .select("locked")
          .where("order_no", "=", orderNo)
          .where("status", "not in", ["closed", "cancelled"])
          .forUpdate()
          .execute();
        if (!before) throw new NotDone(`There is no open order ${orderNo}.`);
        await tx.updateTable("order").set({ locked }).where("order_no", "=", orderNo).execute();
        const lines = [`${orderNo} is ${locked ? "locked" : "not locked any more"}.`];
        return { subject: orderNo, before: { locked: before.locked }, after: { locked }, lines };
      });
    },
  },
];
