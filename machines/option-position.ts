/** The lifecycle of an option position: open, called for margin, and closed by its member, by the broker, or by its expiry; decided by the server. */
import { setup } from "xstate";
import type { OptionFactType } from "#contract/option.ts";

/** `option.opened` creates the position. */
type OptionEvent = { type: OptionFactType };

export const optionPositionMachine = setup({ types: { events: {} as OptionEvent } }).createMachine({
  id: "optionPosition",
  initial: "open",
  states: {
    open: {
      on: {
        "option.changed": "open",
        "option.marked": "open",
        "option.called": "called",
        "option.closed": "closed",
        "option.liquidated": "liquidated",
        "option.settled": "settled",
        "option.expired": "expired",
      },
    },
    // Margin is called for the whole wallet: every position in it waits for it to be restored, those that were bought too.
    called: {
      on: {
        "option.changed": "called",
        "option.marked": "called",
        "option.restored": "open",
        "option.closed": "closed",
        "option.liquidated": "liquidated",
        "option.settled": "settled",
        "option.expired": "expired",
      },
    },
    closed: { type: "final" },
    liquidated: { type: "final" },
    // Exercised by itself, in cash.
    settled: { type: "final" },
    // Ended without value.
    expired: { type: "final" },
  },
});
