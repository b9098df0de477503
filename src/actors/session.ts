/** The member's session on this device: one session-machine actor for the whole app, with its effects. */
import { SIGN_IN } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import { useSelector } from "@xstate/react";
import { Observable } from "rxjs";
import { createActor, fromPromise } from "xstate";
import type { SnapshotFrom } from "xstate";
import type { Session } from "#contract/session.ts";
import { sessionMachine } from "#machines/session.ts";
import type { Restored } from "#machines/session.ts";
import { abortCalls, call, expired$ } from "#src/gateway/api.ts";
import { currentRoute, goTo } from "#src/gateway/shell.ts";
import { clearExceptRemembered, onOtherTab, read, remove, write } from "#src/gateway/storage.ts";
import { registerActor } from "./registry.ts";

async function restore(): Promise<Restored> {
  const account = read("account");
  if (read("tokend") === null || account === null) return { kind: "none" };
  const outcome = await call("restoreSession", {}, { shownByCaller: true });
  if (outcome.ok) return { kind: "alive", account: outcome.data.account };
  return outcome.refused ? { kind: "none" } : { kind: "unreachable", account };
}

const actor = registerActor(
  createActor(
    sessionMachine.provide({
      actors: { restore: fromPromise<Restored>(restore) },
      actions: {
        // Sent first: the request still carries the token that is removed next.
        revoke: () => void call("signOut", {}, { shownByCaller: true }),
        forgetSession: () => {
          abortCalls();
          remove("tokend");
          remove("account");
        },
        clearExceptRemembered,
        goToSignIn: () => goTo(SIGN_IN, "replace"),
      },
    }),
  ),
);

export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>;

/** The session's snapshots, starting with the current one. */
export const session$ = new Observable<SessionSnapshot>((subscriber) => {
  subscriber.next(actor.getSnapshot());
  const watching = actor.subscribe(subscriber);
  return () => watching.unsubscribe();
});

function followOtherTabs(): void {
  const account = read("account");
  if (read("tokend") === null || account === null) actor.send({ type: "LEFT_ELSEWHERE" });
  else actor.send({ type: "SIGNED_IN_ELSEWHERE", account });
}

let started = false;

/** Start once, when the app boots. A stored session is restored. */
export function startSession(): void {
  if (started) return;
  started = true;
  expired$.subscribe((why) => {
    const route = currentRoute();
    actor.send({ type: "EXPIRED", route: route.startsWith("/login/") || route === "/" ? null : route, why });
  });
  onOtherTab("tokend", followOtherTabs);
  actor.start();
}

let landing: Path | null = null;

/** Where the sign-in pages lead on to this time, if not where they usually do; once. */
export function takeLanding(): Path | null {
  const path = landing;
  landing = null;
  return path;
}

/** Store a new session and enter the signed-in state; `first` is the screen to show first. */
export function enterSession(session: Session, first: Path | null = null): void {
  landing = first;
  // The account is written first: other tabs react to the token's change.
  write("account", session.account);
  write("tokend", session.token);
  actor.send({ type: "SIGNED_IN", account: session.account });
}

/** Sign out: token and account are cleared at once, the sign-in page follows after a second. */
export function leaveSession(): void {
  actor.send({ type: "EXIT" });
}

/** Drop the return route: the member is back on the screen a forced logout interrupted, or declined to return. */
export function forgetReturn(): void {
  actor.send({ type: "RETURNED" });
}

/** Read the session in a component: `useSession((session) => session.context.account)`. */
export function useSession<Picked>(pick: (session: SessionSnapshot) => Picked): Picked {
  return useSelector(actor, pick);
}
