/** The lifecycle of a member's session on one device: restored or signed in, signed out, or expired by the server. */
import type { SessionEnd } from "#contract/restriction.ts";
import { assign, fromPromise, setup } from "xstate";

/** Result of restoring the stored session; `unreachable` keeps the member signed in, because any later call reveals an expired session. */
export type Restored = { kind: "alive"; account: string } | { kind: "none" } | { kind: "unreachable"; account: string };

export interface SessionContext {
  account: string | null;
  /** The member's route when the session expired; offered again after signing in. */
  returnTo: string | null;
  /** Why no member is signed in: they left, the session is over, or they may not sign in. */
  reason: "left" | SessionEnd | null;
}

export type SessionEvent =
  | { type: "SIGNED_IN"; account: string }
  /** The member signs out. */
  | { type: "EXIT" }
  /** HTTP 401 or the socket's equivalent, while the member was at `route`, and why. */
  | { type: "EXPIRED"; route: string | null; why: SessionEnd }
  /** Another tab of this browser signed out, or signed in. */
  | { type: "LEFT_ELSEWHERE" }
  | { type: "SIGNED_IN_ELSEWHERE"; account: string }
  /** The member went back to `returnTo`, or declined to. */
  | { type: "RETURNED" };

/** Delay before signing out navigates to the sign-in page. */
export const LEAVE_MS = 1_000;
/** Delay before an expired session clears storage and navigates to the sign-in page. */
export const EXPIRE_MS = 2_000;

/**
 * Requires from `.provide()`: the actor `restore` and the actions `revoke` (on the server), `forgetSession` (token and account),
 * `clearExceptRemembered` and `goToSignIn`.
 */
export const sessionMachine = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent },
  actors: {
    restore: fromPromise<Restored>(() => Promise.reject(new Error("sessionMachine: actor restore not provided"))),
  },
  actions: {
    revoke: () => undefined,
    forgetSession: () => undefined,
    clearExceptRemembered: () => undefined,
    goToSignIn: () => undefined,
    enter: assign({ account: (_, account: string) => account, reason: null }),
    /** Switches to the account another tab signed in with, which may be the same. */
    follow: assign({ account: (_, account: string) => account }),
    leave: assign({ reason: "left", returnTo: null }),
    end: assign({
      reason: (_, { why }: { why: SessionEnd; route: string | null }) => why,
      returnTo: (_, { route }: { why: SessionEnd; route: string | null }) => route,
    }),
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
        // A sign-in here or in another tab does not wait for the restore result.
        SIGNED_IN: { target: "signedIn", actions: { type: "enter", params: ({ event }) => event.account } },
        SIGNED_IN_ELSEWHERE: { target: "signedIn", actions: { type: "enter", params: ({ event }) => event.account } },
        LEFT_ELSEWHERE: { target: "signedOut", actions: ["goToSignIn", "leave"] },
        EXPIRED: { target: "expired", actions: { type: "end", params: ({ event }) => event } },
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
        EXPIRED: { target: "expired", actions: { type: "end", params: ({ event }) => event } },
        LEFT_ELSEWHERE: { target: "signedOut", actions: ["goToSignIn", "forgetAccount", "leave"] },
        SIGNED_IN_ELSEWHERE: { actions: { type: "follow", params: ({ event }) => event.account } },
        RETURNED: { actions: "forgetReturn" },
      },
    },
    leaving: {
      entry: ["revoke", "forgetSession", "leave"],
      after: { leave: { target: "signedOut", actions: ["goToSignIn", "forgetAccount"] } },
      on: {
        // Another tab has signed in meanwhile: this tab follows it.
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
