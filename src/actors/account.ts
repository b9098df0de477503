/** What runs as long as a member is signed in: the market, the worth of their positions, and nothing of the member before. */
import { distinctUntilChanged, filter, map, take } from "rxjs";
import type { Subscription } from "rxjs";
import { connection$ } from "#src/streams/connection.ts";
import { startMarket, stopMarket } from "#src/streams/market.ts";
import { valuePositions } from "#src/streams/orders.ts";
import { forgetAll, refetchWatched } from "#src/streams/resource.ts";
import { inspect } from "./inspect.ts";
import { session$ } from "./session.ts";

let stopPositions: (() => void) | null = null;
let firstLive: Subscription | null = null;

function close(): void {
  stopPositions?.();
  stopPositions = null;
  firstLive?.unsubscribe();
}

function open(): void {
  startMarket({ inspect });
  stopPositions = valuePositions();
  // Facts come from the moment the line opens: what happened between the first reads and that moment is read once more.
  firstLive = connection$
    .pipe(
      filter(({ state }) => state === "live" || state === "polling"),
      take(1),
    )
    .subscribe(refetchWatched);
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
