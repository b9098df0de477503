/** What runs as long as a member is signed in: the market, the worth of their positions, and nothing of the member before. */
import { distinctUntilChanged, filter, map, take } from "rxjs";
import { connection$ } from "#src/streams/connection.ts";
import { setSaving, startMarket, stopMarket } from "#src/streams/market.ts";
import { positions, valuePositions } from "#src/streams/orders.ts";
import { preferences } from "#src/streams/preferences.ts";
import { forgetAll, refetchWatched } from "#src/streams/resource.ts";
import { sayAlerts } from "./alerting.ts";
import { known } from "./inspect.ts";
import { session$ } from "./session.ts";

/** What began with the session, each a way to end it. */
let stops: (() => void)[] = [];

function close(): void {
  for (const stop of stops) stop();
  stops = [];
}

/** Heed the member's wish to save data as soon as it is known, and every other one after. */
function saveData(): () => void {
  const watching = preferences.state$
    .pipe(
      map(({ value }) => value?.saveData ?? false),
      distinctUntilChanged(),
    )
    .subscribe(setSaving);
  return () => watching.unsubscribe();
}

/** Facts come from the moment the line opens: what happened between the first reads and that moment is read once more. */
function readAgainWhenLive(): () => void {
  const watching = connection$
    .pipe(
      filter(({ state }) => state === "live" || state === "polling"),
      take(1),
    )
    .subscribe(refetchWatched);
  return () => watching.unsubscribe();
}

/** Whoever holds a day trade is warned of its loss; nobody else loads what that takes. */
function warnOfLoss(): () => void {
  let over = false;
  let stop: (() => void) | null = null;
  const begin = async (): Promise<void> => {
    // Where it does not load, the day-trading screen says the same.
    const loaded = await import("./day-trade-warning.ts").catch(() => null);
    if (!over && loaded) stop = loaded.warnDayTrades();
  };
  const watching = positions.state$
    .pipe(
      filter(({ value }) => value?.some(({ dayTrade }) => dayTrade) ?? false),
      take(1),
    )
    .subscribe(() => void begin());
  return () => {
    over = true;
    watching.unsubscribe();
    stop?.();
  };
}

function open(): void {
  startMarket({ known });
  stops = [valuePositions(), sayAlerts(), saveData(), readAgainWhenLive(), warnOfLoss()];
}

let started = false;

/** Begin: once, when the app boots, after `startSession`. */
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
