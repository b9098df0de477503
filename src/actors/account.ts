/** Starts what runs while a member is signed in (market data, position values, alerts) and clears the previous member's data. */
import { distinctUntilChanged, filter, map, take } from "rxjs";
import { connection$ } from "#src/streams/connection.ts";
import { setSaving, startMarket, stopMarket } from "#src/streams/market.ts";
import { positions, valuePositions } from "#src/streams/orders.ts";
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

/** Starts what is loaded after the first screen. If it does not load, the screens still show what it would tell. */
function startLater(load: () => Promise<() => () => void>): () => void {
  let stopped = false;
  let stop: (() => void) | null = null;
  void load().then(
    (start) => (stop = stopped ? null : start()),
    () => undefined,
  );
  return () => {
    stopped = true;
    stop?.();
  };
}

const announceAll = (): (() => void) => startLater(async () => (await import("./announcing.ts")).announce);

/** Warn members who hold a day trade of its loss; the code is loaded only for them. */
function warnOfLoss(): () => void {
  let stop: (() => void) | null = null;
  const watching = positions.state$
    .pipe(
      filter(({ value }) => value?.some(({ dayTrade }) => dayTrade) ?? false),
      take(1),
    )
    .subscribe(() => (stop = startLater(async () => (await import("./day-trade-warning.ts")).warnDayTrades)));
  return () => {
    watching.unsubscribe();
    stop?.();
  };
}

function open(): void {
  startMarket({ onActor: registerActor });
  stops = [valuePositions(), announceAll(), saveData(), readAgainWhenLive(), warnOfLoss()];
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
