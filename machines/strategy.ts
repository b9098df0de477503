/** The lifecycle of a strategy's run: decided once a trading day until paused or stopped; when stopping, until what it bought is sold; decided by the server. */
import { setup } from "xstate";
import type { StrategyFactType } from "#contract/strategy.ts";

/** `strategy.started` creates it. */
type StrategyEvent = { type: StrategyFactType };

export const strategyMachine = setup({ types: { events: {} as StrategyEvent } }).createMachine({
  id: "strategy",
  initial: "running",
  states: {
    // Stopped at once where nothing is to be sold: the member keeps it.
    running: {
      on: { "strategy.decided": "running", "strategy.paused": "paused", "strategy.stopping": "stopping", "strategy.stopped": "stopped" },
    },
    // The loss is still watched.
    paused: { on: { "strategy.resumed": "running", "strategy.stopping": "stopping", "strategy.stopped": "stopped" } },
    stopping: { on: { "strategy.sold": "stopping", "strategy.stopped": "stopped" } },
    stopped: { type: "final" },
  },
});
