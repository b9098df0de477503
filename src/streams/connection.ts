/** The price feed's lifecycle on this page: the connection machine, fed by what the worker sees of the line. */
import { BehaviorSubject } from "rxjs";
import { useObservableEagerState } from "observable-hooks";
import { createActor } from "xstate";
import type { ActorRefFrom, AnyActorRef, SnapshotFrom } from "xstate";
import { connectionMachine } from "#machines/connection.ts";
import { onWorkerMessage, post } from "./worker-link.ts";

/** What screens need to know of the line. */
export interface Connection {
  /** `idle` before anybody signed in. */
  state: "idle" | "connecting" | "live" | "stale" | "polling" | "offline";
  /** When the prices on screen were last live, while they are not; null while they are, and when they never were. */
  staleSince: number | null;
  /** Whether the prices on screen must be marked as old. */
  stale: boolean;
  /** Whether the prices are young enough to trade on. */
  tradable: boolean;
}

const IDLE: Connection = { state: "idle", staleSince: null, stale: false, tradable: false };
const state$ = new BehaviorSubject<Connection>(IDLE);

/** The line, beginning with its present state; each state once. */
export const connection$ = state$.asObservable();

/** The line, in a component. */
export function useConnection(): Connection {
  return useObservableEagerState(connection$);
}

let actor: ActorRefFrom<typeof connectionMachine> | null = null;

function connectionOf(snapshot: SnapshotFrom<typeof connectionMachine>): Connection {
  const { value } = snapshot;
  const state = typeof value === "string" ? value : "stale" in value ? "stale" : "polling";
  // While the line is first opened there are no prices yet that could be old.
  const stale = snapshot.hasTag("stale") && !(state === "connecting" && snapshot.context.heardAt === null);
  return { state, stale, staleSince: stale ? snapshot.context.heardAt : null, tradable: snapshot.hasTag("tradable") };
}

function show(next: Connection): void {
  const { value } = state$;
  if (
    next.state === value.state &&
    next.stale === value.stale &&
    next.staleSince === value.staleSince &&
    next.tradable === value.tradable
  ) {
    return;
  }
  // One attribute for the whole page: the style sheet greys every live value below it.
  document.documentElement.toggleAttribute("data-stale", next.stale);
  state$.next(next);
}

const online = (): void => actor?.send({ type: "ONLINE", at: Date.now() });
const offline = (): void => actor?.send({ type: "OFFLINE", at: Date.now() });

/** Begin to watch the line. `known` is told of the actor. */
export function startConnection(known?: (actor: AnyActorRef) => void): void {
  stopConnection();
  actor = createActor(connectionMachine, { input: { at: Date.now() } });
  known?.(actor);
  let polls = false;
  let live = false;
  actor.subscribe((snapshot) => {
    // Another sign of life of a line that is live changes nothing that is shown.
    if (live && snapshot.value === "live") return;
    live = snapshot.value === "live";
    if (polls !== snapshot.hasTag("polls")) {
      polls = !polls;
      post({ kind: "polling", on: polls });
    }
    show(connectionOf(snapshot));
  });
  actor.start();
  window.addEventListener("online", online);
  window.addEventListener("offline", offline);
}

/** The session ended: nothing is watched, nothing is tradable. */
export function stopConnection(): void {
  actor?.stop();
  actor = null;
  window.removeEventListener("online", online);
  window.removeEventListener("offline", offline);
  post({ kind: "polling", on: false });
  show(IDLE);
}

onWorkerMessage("line", ({ event, at }) => actor?.send({ type: event, at }));
