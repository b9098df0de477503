/** The lifecycle of a member's session on one device: restored or signed in, left by choice, or ended by the broker. */
import { assign, fromPromise, setup } from "xstate";

/** What asking for the stored session gave; `unreachable` keeps the member in, for any later call tells. */
export type Restored = { kind: "alive"; account: string } | { kind: "none" } | { kind: "unreachable"; account: string };

export interface SessionContext {
  account: string | null;
  /** Where the member was when the broker ended the session; offered again after signing in. */
  returnTo: string | null;
  /** Why nobody is signed in. */
  reason: "left" | "expired" | null;
}

export type SessionEvent =
  | { type: "SIGNED_IN"; account: string }
  /** The member signs out. */
  | { type: "EXIT" }
  /** HTTP 401, or the socket's word for it, while the member was at `route`. */
  | { type: "EXPIRED"; route: string | null }
  /** Another tab of this browser signed out, or in with another account. */
  | { type: "LEFT_ELSEWHERE" }
  | { type: "SIGNED_IN_ELSEWHERE"; account: string }
  /** The member is back where the session ended, or chose not to be. */
  | { type: "RETURNED" };

/** Signing out leads to the sign-in page after this long. */
export const LEAVE_MS = 1_000;
/** A forced logout clears storage and leads to the sign-in page after this long. */
export const EXPIRE_MS = 2_000;

/**
 * Hands it needs by `.provide()`: the actor `restore`; the actions `revoke` (tell the broker), `forgetSession` (token and
 * account), `clearExceptRemembered` and `goToSignIn`.
 */
export const sessionMachine = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent },
  actors: {
    restore: fromPromise<Restored>(() => Promise.reject(new Error("no hands to restore with"))),
  },
  actions: {
    revoke: () => undefined,
    forgetSession: () => undefined,
    clearExceptRemembered: () => undefined,
    goToSignIn: () => undefined,
    enter: assign({ account: (_, account: string) => account, reason: null }),
    /** Another account, or the same: whoever it is now. */
    follow: assign({ account: (_, account: string) => account }),
    leave: assign({ reason: "left", returnTo: null }),
    end: assign({ reason: "expired", returnTo: (_, route: string | null) => route }),
    forgetAccount: assign({ account: null }),
    forgetReturn: assign({ returnTo: null }),
  },
  guards: { isNone: (_, restored: Restored) => restored.kind === "none" },
  delays: { leave: LEAVE_MS, expire: EXPIRE_MS },
}).createMachine({
  id: "session",
  context: { account: null, returnTo: null, reason: null },
  initial: "restoring",
  states: {
    restoring: {
      invoke: {
        id: "restore",
        src: "restore",
        onDone: [
          { guard: { type: "isNone", params: ({ event }) => event.output }, target: "signedOut" },
          {
            target: "signedIn",
            actions: { type: "enter", params: ({ event }) => (event.output.kind === "none" ? "" : event.output.account) },
          },
        ],
        onError: "signedOut",
      },
      on: {
        // Whoever signs in here, or in another tab, does not wait for the answer about the session before.
        SIGNED_IN: { target: "signedIn", actions: { type: "enter", params: ({ event }) => event.account } },
        SIGNED_IN_ELSEWHERE: { target: "signedIn", actions: { type: "enter", params: ({ event }) => event.account } },
        LEFT_ELSEWHERE: { target: "signedOut", actions: ["goToSignIn", "leave"] },
        EXPIRED: { target: "expired", actions: { type: "end", params: ({ event }) => event.route } },
      },
    },
    signedOut: {
      on: {
        SIGNED_IN: { target: "signedIn", actions: { type: "enter", params: ({ event }) => event.account } },
        SIGNED_IN_ELSEWHERE: { target: "signedIn", actions: { type: "enter", params: ({ event }) => event.account } },
      },
    },
    signedIn: {
      on: {
        EXIT: "leaving",
        EXPIRED: { target: "expired", actions: { type: "end", params: ({ event }) => event.route } },
        LEFT_ELSEWHERE: { target: "signedOut", actions: ["goToSignIn", "forgetAccount", "leave"] },
        SIGNED_IN_ELSEWHERE: { actions: { type: "follow", params: ({ event }) => event.account } },
        RETURNED: { actions: "forgetReturn" },
      },
    },
    leaving: {
      entry: ["revoke", "forgetSession", "leave"],
      after: { leave: { target: "signedOut", actions: ["goToSignIn", "forgetAccount"] } },
      on: {
        // Another tab has signed in meanwhile: this one goes with it.
        SIGNED_IN_ELSEWHERE: { target: "signedIn", actions: { type: "enter", params: ({ event }) => event.account } },
      },
    },
    expired: {
      after: { expire: { target: "signedOut", actions: ["clearExceptRemembered", "goToSignIn", "forgetAccount"] } },
      on: {
        // Another tab has signed in meanwhile: clearing the storage would end its session.
        SIGNED_IN_ELSEWHERE: { target: "signedIn", actions: ["forgetReturn", { type: "enter", params: ({ event }) => event.account }] },
      },
    },
  },
});
