/** A new issue before its listing: whether it trades yet, and the notice that stands in for its order book. */
import { lazy, Suspense, useEffect, useState } from "react";
import type { ReactNode } from "react";
import { loadTranslations } from "#src/gateway/language.ts";
import type { Instrument } from "#contract/instrument.ts";

/** A timer cannot be set further ahead. */
const LONGEST_MS = 2 ** 31 - 1;

const ListingNotice = lazy(async () => {
  const [{ ListingNotice }] = await Promise.all([import("./listing-notice.tsx"), loadTranslations("sheets")]);
  return { default: ListingNotice };
});

/** Whether an instrument is listed; renders again when it is. Remount it for another instrument. */
export function useListed({ tradesFrom }: Instrument): boolean {
  const [now, setNow] = useState(Date.now);
  const leftMs = tradesFrom - now;
  useEffect(() => {
    if (!(leftMs > 0)) return undefined;
    const timer = window.setTimeout(() => setNow(Date.now()), Math.min(leftMs + 1, LONGEST_MS));
    return () => window.clearTimeout(timer);
  }, [leftMs]);
  return !(leftMs > 0);
}

/** What is only there for a listed instrument; before, the notice. */
export function AfterListing({ instrument, children }: { instrument: Instrument; children: ReactNode }) {
  if (useListed(instrument)) return children;
  return (
    <Suspense>
      <ListingNotice instrument={instrument} />
    </Suspense>
  );
}
