/** Whether an instrument gathers for a call of its own, and what that call would strike now; changes seldom, unlike its book. */
import { useEffect, useState } from "react";
import { distinctUntilChanged, map } from "rxjs";
import type { Depth } from "#contract/quote.ts";
import { depth$ } from "#src/streams/depths.ts";

type Calling = Pick<Depth, "trial" | "pausedUntil">;

const NOTHING: Calling = { trial: null, pausedUntil: null };

const same = (a: Calling, b: Calling): boolean =>
  a.pausedUntil === b.pausedUntil && a.trial?.price === b.trial?.price && a.trial?.lots === b.trial?.lots;

/** What is told of an instrument's calls. */
export function useCallAuction(code: string): Calling {
  const [told, setTold] = useState<{ code: string; calling: Calling }>({ code, calling: NOTHING });
  useEffect(() => {
    const watching = depth$(code)
      .pipe(
        map(({ trial, pausedUntil }): Calling => ({ trial, pausedUntil })),
        distinctUntilChanged(same),
      )
      .subscribe((calling) => setTold({ code, calling }));
    return () => watching.unsubscribe();
  }, [code]);
  return told.code === code ? told.calling : NOTHING;
}
