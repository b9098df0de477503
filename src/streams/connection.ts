/** The price feed's connection state: the connection machine, driven by events from the worker. */
import { BehaviorSubject } from "rxjs";
import { useObservableEagerState } from "observable-hooks";
import { createActor } from "xstate";
import type { ActorRefFrom, AnyActorRef, SnapshotFrom } from "xstate";
import { connectionMachine } from "#machines/connection.ts";
import { onWorkerMessage, post } from "./worker-link.ts";

/** The connection state as screens need it. */
export interface Connection {
  /** `idle` before sign-in. */
  state: "idle" | "connecting" | "live" | "stale" | "polling" | "offline";
  /** When the prices on screen were last live; null while they are live and when they never were. */
  staleSince: number | null;
  /** Whether the prices on screen must be marked as stale. */
  stale: boolean;
  /** Whether the prices are fresh enough to trade on. */
  tradable: boolean;
}

const IDLE: Connection = { state: "idle", staleSince: null, stale: false, tradable: false };
const state$ = new BehaviorSubject<Connection>(IDLE);

/** The connection state, starting with the current one; emits only changes. */
export const connection$ = state$.asObservable();

/** The connection state in a component. */
export function useConnection(): Connection {
  return useObservableEagerState(connection$);
}

let actor: ActorRefFrom<typeof connectionMachine> | null = null;

function connectionOf(snapshot: SnapshotFrom<typeof connectionMachine>): Connection {
  const { value } = snapshot;
  const state = typeof value === "string" ? value : "stale" in value ? "stale" : "polling";
  // While first connecting there are no prices yet that could be stale.
  const stale = snapshot.hasTag("stale") && !(state === "connecting" && snapshot.context.receivedAt === null);
  return { state, stale, staleSince: stale ? snapshot.context.receivedAt : null, tradable: snapshot.hasTag("tradable") };
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

/** Start the connection actor. `onActor` is called with the actor. */
export function startConnection(onActor?: (actor: AnyActorRef) => void): void {
  stopConnection();
  actor = createActor(connectionMachine, { input: { at: Date.now() } });
  onActor?.(actor);
  let polls = false;
  let live = false;
  actor.subscribe((snapshot) => {
    // Further heartbeats of a live connection change nothing on screen.
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

/** Stop when the session ends: nothing is watched, nothing is tradable. */
export function stopConnection(): void {
  actor?.stop();
  actor = null;
  window.removeEventListener("online", online);
  window.removeEventListener("offline", offline);
  post({ kind: "polling", on: false });
  show(IDLE);
}

onWorkerMessage("connection", ({ event, at }) => actor?.send({ type: event, at }));
