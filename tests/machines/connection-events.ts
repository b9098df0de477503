/** Every event a connection can take, its delays included, under the short names the tables use; and what besides the state decides. */
import type { AnyMachineSnapshot } from "xstate";

const EVENTS = ["CONNECTED", "HEARD", "DISCONNECTED", "POLLED", "POLL_FAILED", "ONLINE", "OFFLINE"] as const;
export const connectionEvents = {
  ...Object.fromEntries(EVENTS.map((type) => [type, { type, at: 1 }])),
  connect: { type: "xstate.after.connect.connection.connecting" },
  silence: { type: "xstate.after.silence.connection.live" },
  "old after silence": { type: "xstate.after.untradableAfterSilence.connection.stale.recent" },
  "old after parting": { type: "xstate.after.untradableAfterSilence.connection.polling.waiting" },
  "old after polling": { type: "xstate.after.untradable.connection.polling.fresh" },
};

const MISSED = ["", " missed once", " missed twice"];

/** How many polls in a row went unanswered: that decides with the third. */
export const missedBy = (snapshot: AnyMachineSnapshot): string => MISSED[Math.min(Number(snapshot.context.misses), 2)] ?? "";
