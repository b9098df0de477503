/** The lifecycle of the client's price feed: live, silent, polled or offline; its tags say whether prices may be traded on. */
import { assign, setup } from "xstate";

export interface ConnectionContext {
  /** When the newest prices arrived; null before the first. */
  receivedAt: number | null;
  /** When the current state began, by the time of the event that led to it. */
  since: number;
  /** Consecutive failed polls. */
  misses: number;
}

export type ConnectionEvent =
  /** The socket was opened; prices follow. */
  | { type: "CONNECTED"; at: number }
  /** The socket delivered a batch or a heartbeat. */
  | { type: "RECEIVED"; at: number }
  | { type: "DISCONNECTED"; at: number }
  /** A poll succeeded, or failed. */
  | { type: "POLLED"; at: number }
  | { type: "POLL_FAILED"; at: number }
  /** The device gained or lost its network. */
  | { type: "ONLINE"; at: number }
  | { type: "OFFLINE"; at: number };

/** Silence this long marks prices as stale (the mark must appear within 2 s; heartbeats reach this machine once a second). */
export const SILENCE_MS = 1_800;
/** Prices older than this must not be traded on. */
export const UNTRADABLE_MS = 5_000;
/** Polling starts if the socket has not opened within this time. */
export const CONNECT_MS = 3_000;
/** This many consecutive failed polls mean the broker is unreachable. */
export const MISSES_TO_OFFLINE = 3;

/**
 * Tags: `tradable` (prices at most 5 s old), `stale` (prices must be marked as old), `polls` (polling should run).
 * Needs no provided implementations: every event carries its own time.
 */
export const connectionMachine = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionEvent,
    input: {} as { at: number },
    tags: {} as "tradable" | "stale" | "polls",
  },
  actions: {
    recordPrices: assign({ receivedAt: ({ event }) => event.at, misses: 0 }),
    enter: assign({ since: ({ event, context }) => ("at" in event ? event.at : context.since) }),
    countMiss: assign({ misses: ({ context }) => context.misses + 1 }),
  },
  guards: { lost: ({ context }) => context.misses + 1 >= MISSES_TO_OFFLINE },
  delays: { silence: SILENCE_MS, untradable: UNTRADABLE_MS, untradableAfterSilence: UNTRADABLE_MS - SILENCE_MS, connect: CONNECT_MS },
}).createMachine({
  id: "connection",
  context: ({ input }) => ({ receivedAt: null, since: input.at, misses: 0 }),
  initial: "connecting",
  on: { OFFLINE: { target: ".offline", actions: "enter" } },
  states: {
    connecting: {
      tags: "stale",
      after: { connect: "polling.old" },
      on: {
        RECEIVED: { target: "live", actions: ["recordPrices", "enter"] },
        DISCONNECTED: { target: "polling.old", actions: "enter" },
      },
    },
    live: {
      tags: "tradable",
      after: { silence: "stale" },
      on: {
        // Re-entering restarts the silence timer.
        RECEIVED: { target: "live", reenter: true, actions: "recordPrices" },
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
            POLLED: { target: "#connection.polling.fresh", actions: ["recordPrices", "enter"] },
            // The socket is open but silent and polling fails as well: the broker is unreachable.
            POLL_FAILED: [{ guard: "lost", target: "#connection.offline", actions: ["countMiss", "enter"] }, { actions: "countMiss" }],
          },
        },
      },
      on: {
        RECEIVED: { target: "live", actions: ["recordPrices", "enter"] },
        DISCONNECTED: { target: "polling.old", actions: "enter" },
      },
    },
    polling: {
      tags: "polls",
      initial: "waiting",
      states: {
        /** No poll has answered yet: the prices on screen are the last ones of a socket that was live until now. */
        waiting: { tags: ["stale", "tradable"], after: { untradableAfterSilence: "old" } },
        fresh: { tags: "tradable", after: { untradable: "old" } },
        old: { tags: "stale" },
      },
      on: {
        POLLED: { target: ".fresh", reenter: true, actions: "recordPrices" },
        POLL_FAILED: [{ guard: "lost", target: "offline", actions: ["countMiss", "enter"] }, { actions: "countMiss" }],
        RECEIVED: { target: "live", actions: ["recordPrices", "enter"] },
      },
    },
    offline: {
      tags: ["stale", "polls"],
      on: {
        OFFLINE: {},
        ONLINE: { target: "connecting", actions: "enter" },
        CONNECTED: { target: "connecting", actions: "enter" },
        RECEIVED: { target: "live", actions: ["recordPrices", "enter"] },
        POLLED: { target: "polling.fresh", actions: ["recordPrices", "enter"] },
      },
    },
  },
});
