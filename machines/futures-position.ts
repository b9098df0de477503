/** The lifecycle of a futures position: open, called for margin, and closed by its member, by the broker, or by its expiry; decided by the server. */
import { setup } from "xstate";
import type { FuturesFactType } from "#contract/futures.ts";

/** `futures.opened` creates the position. */
type FuturesEvent = { type: FuturesFactType };

export const futuresPositionMachine = setup({ types: { events: {} as FuturesEvent } }).createMachine({
  id: "futuresPosition",
  initial: "open",
  states: {
    open: {
      on: {
        "futures.changed": "open",
        "futures.marked": "open",
        "futures.called": "called",
        "futures.closed": "closed",
        "futures.liquidated": "liquidated",
        "futures.settled": "settled",
      },
    },
    // Until the end of the trading day its member may restore the margin: with money, or by closing lots.
    called: {
      on: {
        "futures.changed": "called",
        "futures.marked": "called",
        "futures.restored": "open",
        "futures.closed": "closed",
        "futures.liquidated": "liquidated",
        "futures.settled": "settled",
      },
    },
    closed: { type: "final" },
    liquidated: { type: "final" },
    settled: { type: "final" },
  },
});
