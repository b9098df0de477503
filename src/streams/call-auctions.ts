/** Tells whether an instrument is in an individual call auction, and its indicative price; changes rarely, unlike the book. */
import { useEffect, useMemo, useState } from "react";
import { distinctUntilChanged, map } from "rxjs";
import type { VenueState } from "#contract/instrument.ts";
import type { Depth } from "#contract/quote.ts";
import { depth$ } from "./depths.ts";
import { useVenue } from "./instruments.ts";

type CallAuction = Pick<Depth, "trial" | "pausedUntil" | "isDelayedOpen" | "isDelayedClose" | "ordersFrom" | "callsEveryMs">;

const NO_AUCTION: CallAuction = {
  trial: null,
  pausedUntil: null,
  isDelayedOpen: false,
  isDelayedClose: false,
  ordersFrom: null,
  callsEveryMs: null,
};

const same = (a: CallAuction, b: CallAuction): boolean =>
  a.pausedUntil === b.pausedUntil &&
  a.isDelayedOpen === b.isDelayedOpen &&
  a.isDelayedClose === b.isDelayedClose &&
  a.ordersFrom === b.ordersFrom &&
  a.callsEveryMs === b.callsEveryMs &&
  a.trial?.price === b.trial?.price &&
  a.trial?.lots === b.trial?.lots;

/** The call auction state of an instrument. */
export function useCallAuction(code: string): CallAuction {
  const [state, setState] = useState<{ code: string; auction: CallAuction }>({ code, auction: NO_AUCTION });
  useEffect(() => {
    const subscription = depth$(code)
      .pipe(
        map(({ trial, pausedUntil, isDelayedOpen, isDelayedClose, ordersFrom, callsEveryMs }): CallAuction => {
          return { trial, pausedUntil, isDelayedOpen, isDelayedClose, ordersFrom, callsEveryMs };
        }),
        distinctUntilChanged(same),
      )
      .subscribe((auction) => setState({ code, auction }));
    return () => subscription.unsubscribe();
  }, [code]);
  return state.code === code ? state.auction : NO_AUCTION;
}

/** The venue's state as it is for an instrument: while its close is put off, it still is in the closing auction, once that takes orders again. */
export function useVenueOf(code: string): VenueState | null {
  const venue = useVenue();
  const { isDelayedClose, ordersFrom } = useCallAuction(code);
  return useMemo(() => {
    if (!venue || !isDelayedClose) return venue;
    return ordersFrom === null ? { ...venue, phase: "closingAuction" } : { ...venue, phase: "closed", phaseEndsAt: ordersFrom };
  }, [venue, isDelayedClose, ordersFrom]);
}

/** The text that says until when an instrument is not matched. */
export const pauseKey = ({ isDelayedOpen, isDelayedClose }: Pick<Depth, "isDelayedOpen" | "isDelayedClose">) =>
  isDelayedOpen ? "market.delayedOpen" : isDelayedClose ? "market.delayedClose" : "market.paused";
