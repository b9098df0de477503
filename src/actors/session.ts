/** The member's session on this device: one actor for the whole app, given its hands here. */
import { SIGN_IN } from "#src/paths.ts";
import { useSelector } from "@xstate/react";
import { Observable } from "rxjs";
import { createActor, fromPromise } from "xstate";
import type { SnapshotFrom } from "xstate";
import type { Session } from "#contract/session.ts";
import { sessionMachine } from "#machines/session.ts";
import type { Restored } from "#machines/session.ts";
import { call, expired$ } from "#src/gateway/api.ts";
import { currentRoute, goTo } from "#src/gateway/shell.ts";
import { clearExceptRemembered, onOtherTab, read, remove, write } from "#src/gateway/storage.ts";
import { known } from "./inspect.ts";

async function restore(): Promise<Restored> {
  const account = read("account");
  if (read("tokend") === null || account === null) return { kind: "none" };
  const outcome = await call("restoreSession", {}, { shownByCaller: true });
  if (outcome.ok) return { kind: "alive", account: outcome.data.account };
  return outcome.refused ? { kind: "none" } : { kind: "unreachable", account };
}

const actor = known(
  createActor(
    sessionMachine.provide({
      actors: { restore: fromPromise<Restored>(restore) },
      actions: {
        // The call takes the token along before it is forgotten.
        revoke: () => void call("signOut", {}, { shownByCaller: true }),
        forgetSession: () => {
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

/** The session's snapshots, beginning with the present one. */
export const session$ = new Observable<SessionSnapshot>((watcher) => {
  watcher.next(actor.getSnapshot());
  const watching = actor.subscribe(watcher);
  return () => watching.unsubscribe();
});

function followOtherTabs(): void {
  const account = read("account");
  if (read("tokend") === null || account === null) actor.send({ type: "LEFT_ELSEWHERE" });
  else actor.send({ type: "SIGNED_IN_ELSEWHERE", account });
}

let started = false;

/** Begin: once, when the app boots. A stored session is asked for. */
export function startSession(): void {
  if (started) return;
  started = true;
  expired$.subscribe(() => {
    const route = currentRoute();
    actor.send({ type: "EXPIRED", route: route.startsWith("/login/") || route === "/" ? null : route });
  });
  onOtherTab("tokend", followOtherTabs);
  actor.start();
}

/** Keep what signing in gave and be signed in. */
export function enterSession(session: Session): void {
  // The account first: other tabs wake up when the token changes.
  write("account", session.account);
  write("tokend", session.token);
  actor.send({ type: "SIGNED_IN", account: session.account });
}

/** Sign out: token and account are cleared at once, the sign-in page follows after a second. */
export function leaveSession(): void {
  actor.send({ type: "EXIT" });
}

/** The member is back on the screen a forced logout took them from, or declined it. */
export function forgetReturn(): void {
  actor.send({ type: "RETURNED" });
}

/** Read the session in a component: `useSession((session) => session.context.account)`. */
export function useSession<Picked>(pick: (session: SessionSnapshot) => Picked): Picked {
  return useSelector(actor, pick);
}
