/** Every event of the connection machine, including delays, under the short names used in the tables. */
import type { AnyMachineSnapshot } from "xstate";

const EVENTS = ["CONNECTED", "RECEIVED", "DISCONNECTED", "POLLED", "POLL_FAILED", "ONLINE", "OFFLINE"] as const;
export const connectionEvents = {
  ...Object.fromEntries(EVENTS.map((type) => [type, { type, at: 1 }])),
  connect: { type: "xstate.after.connect.connection.connecting" },
  silence: { type: "xstate.after.silence.connection.live" },
  "old after silence": { type: "xstate.after.untradableAfterSilence.connection.stale.recent" },
  "old after disconnect": { type: "xstate.after.untradableAfterSilence.connection.polling.waiting" },
  "old after polling": { type: "xstate.after.untradable.connection.polling.fresh" },
};

const MISSED = ["", " missed once", " missed twice"];

/** The number of consecutive failed polls as a suffix of the state: guards read it, and the third one matters. */
export const missedBy = (snapshot: AnyMachineSnapshot): string => MISSED[Math.min(Number(snapshot.context.misses), 2)] ?? "";
