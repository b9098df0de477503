/** Tells whether an instrument is in an individual call auction, and its indicative price; changes rarely, unlike the book. */
import { useEffect, useState } from "react";
import { distinctUntilChanged, map } from "rxjs";
import type { Depth } from "#contract/quote.ts";
import { depth$ } from "./depths.ts";

type CallAuction = Pick<Depth, "trial" | "pausedUntil" | "isDelayedOpen" | "callsEveryMs">;

const NO_AUCTION: CallAuction = { trial: null, pausedUntil: null, isDelayedOpen: false, callsEveryMs: null };

const same = (a: CallAuction, b: CallAuction): boolean =>
  a.pausedUntil === b.pausedUntil &&
  a.isDelayedOpen === b.isDelayedOpen &&
  a.callsEveryMs === b.callsEveryMs &&
  a.trial?.price === b.trial?.price &&
  a.trial?.lots === b.trial?.lots;

/** The call auction state of an instrument. */
export function useCallAuction(code: string): CallAuction {
  const [state, setState] = useState<{ code: string; auction: CallAuction }>({ code, auction: NO_AUCTION });
  useEffect(() => {
    const subscription = depth$(code)
      .pipe(
        map(({ trial, pausedUntil, isDelayedOpen, callsEveryMs }): CallAuction => ({ trial, pausedUntil, isDelayedOpen, callsEveryMs })),
        distinctUntilChanged(same),
      )
      .subscribe((auction) => setState({ code, auction }));
    return () => subscription.unsubscribe();
  }, [code]);
  return state.code === code ? state.auction : NO_AUCTION;
}
