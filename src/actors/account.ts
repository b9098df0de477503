/** Starts what runs while a member is signed in (market data, position values, alerts) and clears the previous member's data. */
import { distinctUntilChanged, filter, map, take } from "rxjs";
import { connection$ } from "#src/streams/connection.ts";
import { setSaving, startMarket, stopMarket } from "#src/streams/market.ts";
import { preferences } from "#src/streams/preferences.ts";
import { forgetAll, refetchWatched } from "#src/streams/resource.ts";
import { registerActor } from "./registry.ts";
import { session$ } from "./session.ts";

/** Stop functions of everything started for the current session. */
let stops: (() => void)[] = [];

function close(): void {
  for (const stop of stops) stop();
  stops = [];
}

/** Apply the member's data-saving preference as soon as it is known and whenever it changes. */
function saveData(): () => void {
  const watching = preferences.state$
    .pipe(
      map(({ value }) => value?.saveData ?? false),
      distinctUntilChanged(),
    )
    .subscribe(setSaving);
  return () => watching.unsubscribe();
}

/** Facts arrive only once the connection is open; refetch then, to cover what happened between the first reads and that moment. */
function readAgainWhenLive(): () => void {
  const watching = connection$
    .pipe(
      filter(({ state }) => state === "live" || state === "polling"),
      take(1),
    )
    .subscribe(refetchWatched);
  return () => watching.unsubscribe();
}

const RETRY_MS = 2_000;

/** Starts what is loaded after the first screen. Its file may fail to load while offline: try again. */
function startLater(load: () => Promise<() => () => void>): () => void {
  let stopped = false;
  let stop: (() => void) | null = null;
  const attempt = (): void =>
    void load().then(
      (start) => (stop = stopped ? null : start()),
      () => setTimeout(() => stopped || attempt(), RETRY_MS),
    );
  attempt();
  return () => {
    stopped = true;
    stop?.();
  };
}

const announceAll = (): (() => void) => startLater(async () => (await import("./announcing.ts")).announce);

/** Have the worker value the positions, and warn members who hold a day trade of its loss; that code is loaded only for them. */
const watchPositions = (): (() => void) =>
  startLater(async () => {
    const { positions, valuePositions } = await import("#src/streams/orders.ts");
    return () => {
      const stops = [valuePositions()];
      const watching = positions.state$
        .pipe(
          filter(({ value }) => value?.some(({ dayTrade }) => dayTrade) ?? false),
          take(1),
        )
        .subscribe(() => stops.push(startLater(async () => (await import("./day-trade-warning.ts")).warnDayTrades)));
      return () => {
        watching.unsubscribe();
        for (const stop of stops) stop();
      };
    };
  });

function open(): void {
  startMarket({ onActor: registerActor });
  stops = [watchPositions(), announceAll(), saveData(), readAgainWhenLive()];
}

let started = false;

/** Start once, when the app boots, after `startSession`. */
export function startAccount(): void {
  if (started) return;
  started = true;
  session$
    .pipe(
      map((session) => (session.matches("signedIn") ? session.context.account : null)),
      distinctUntilChanged(),
    )
    .subscribe((account) => {
      close();
      forgetAll(account !== null);
      if (account === null) stopMarket();
      else open();
    });
}
