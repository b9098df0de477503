/** The lifecycle of following a mentor: copied until paused or stopped; when stopping, until what was copied is sold; decided by the server. */
import { setup } from "xstate";
import type { CopyFactType } from "#contract/copy.ts";

/** `copy.started` creates it. */
type CopyEvent = { type: CopyFactType };

export const copyMachine = setup({ types: { events: {} as CopyEvent } }).createMachine({
  id: "copy",
  initial: "following",
  states: {
    // Stopped at once where nothing is to be sold: the member keeps it.
    following: {
      on: { "copy.copied": "following", "copy.paused": "paused", "copy.stopping": "stopping", "copy.stopped": "stopped" },
    },
    // What the mentor sells is still sold.
    paused: { on: { "copy.copied": "paused", "copy.resumed": "following", "copy.stopping": "stopping", "copy.stopped": "stopped" } },
    stopping: { on: { "copy.copied": "stopping", "copy.stopped": "stopped" } },
    stopped: { type: "final" },
  },
});
