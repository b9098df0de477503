/** The lifecycle of the price feed as the phone sees it: live, silent, polled or gone; and whether its prices may be traded on. */
import { assign, setup } from "xstate";

export interface ConnectionContext {
  /** When the newest prices came; null before the first. */
  heardAt: number | null;
  /** When the present state began, by the clock of the event that led to it. */
  since: number;
  /** Polls in a row that brought nothing. */
  misses: number;
}

export type ConnectionEvent =
  /** The socket has been opened; prices follow. */
  | { type: "CONNECTED"; at: number }
  /** The socket said something: a batch or a heartbeat. */
  | { type: "HEARD"; at: number }
  | { type: "DISCONNECTED"; at: number }
  /** A poll brought prices, or did not. */
  | { type: "POLLED"; at: number }
  | { type: "POLL_FAILED"; at: number }
  /** The device found or lost its network. */
  | { type: "ONLINE"; at: number }
  | { type: "OFFLINE"; at: number };

/** Silence this long marks prices as stale (the mark must stand within 2 s; signs of life come once a second). */
export const SILENCE_MS = 1_800;
/** Prices older than this may not be traded on. */
export const UNTRADABLE_MS = 5_000;
/** A socket that does not open within this is helped out by polling. */
export const CONNECT_MS = 3_000;
/** This many polls in a row without an answer: there is no way to the broker. */
export const MISSES_TO_OFFLINE = 3;

/**
 * Tags: `tradable` (prices at most 5 s old), `stale` (prices must be marked as old), `polls` (the polling twin should run).
 * No hands needed: every moment comes with its event.
 */
export const connectionMachine = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionEvent,
    input: {} as { at: number },
    tags: {} as "tradable" | "stale" | "polls",
  },
  actions: {
    hear: assign({ heardAt: ({ event }) => event.at, misses: 0 }),
    enter: assign({ since: ({ event, context }) => ("at" in event ? event.at : context.since) }),
    miss: assign({ misses: ({ context }) => context.misses + 1 }),
  },
  guards: { lost: ({ context }) => context.misses + 1 >= MISSES_TO_OFFLINE },
  delays: { silence: SILENCE_MS, untradable: UNTRADABLE_MS, untradableAfterSilence: UNTRADABLE_MS - SILENCE_MS, connect: CONNECT_MS },
}).createMachine({
  id: "connection",
  context: ({ input }) => ({ heardAt: null, since: input.at, misses: 0 }),
  initial: "connecting",
  on: { OFFLINE: { target: ".offline", actions: "enter" } },
  states: {
    connecting: {
      tags: "stale",
      after: { connect: "polling.old" },
      on: {
        HEARD: { target: "live", actions: ["hear", "enter"] },
        DISCONNECTED: { target: "polling.old", actions: "enter" },
      },
    },
    live: {
      tags: "tradable",
      after: { silence: "stale" },
      on: {
        // Reentering starts the silence anew.
        HEARD: { target: "live", reenter: true, actions: "hear" },
        DISCONNECTED: { target: "polling", actions: "enter" },
      },
    },
    stale: {
      tags: "stale",
      initial: "recent",
      states: {
        recent: { tags: "tradable", after: { untradableAfterSilence: "old" } },
        old: {
          tags: "polls",
          on: {
            POLLED: { target: "#connection.polling.fresh", actions: ["hear", "enter"] },
            // A socket that is open and silent, and polls that fail: there is no way either.
            POLL_FAILED: [{ guard: "lost", target: "#connection.offline", actions: ["miss", "enter"] }, { actions: "miss" }],
          },
        },
      },
      on: {
        HEARD: { target: "live", actions: ["hear", "enter"] },
        DISCONNECTED: { target: "polling.old", actions: "enter" },
      },
    },
    polling: {
      tags: "polls",
      initial: "waiting",
      states: {
        /** No poll has answered yet: the prices on screen are the last of a socket that was live until now. */
        waiting: { tags: ["stale", "tradable"], after: { untradableAfterSilence: "old" } },
        fresh: { tags: "tradable", after: { untradable: "old" } },
        old: { tags: "stale" },
      },
      on: {
        POLLED: { target: ".fresh", reenter: true, actions: "hear" },
        POLL_FAILED: [{ guard: "lost", target: "offline", actions: ["miss", "enter"] }, { actions: "miss" }],
        HEARD: { target: "live", actions: ["hear", "enter"] },
      },
    },
    offline: {
      tags: ["stale", "polls"],
      on: {
        OFFLINE: {},
        ONLINE: { target: "connecting", actions: "enter" },
        CONNECTED: { target: "connecting", actions: "enter" },
        HEARD: { target: "live", actions: ["hear", "enter"] },
        POLLED: { target: "polling.fresh", actions: ["hear", "enter"] },
      },
    },
  },
});
