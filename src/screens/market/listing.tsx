/** A new issue before its listing: whether it trades yet, and the notice that stands in for its order book. */
import { lazy, Suspense } from "react";
import type { ReactNode } from "react";
import { loadTranslations } from "#src/gateway/language.ts";
import { isListed } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { useTimePast } from "#src/streams/moment.ts";

const ListingNotice = lazy(async () => {
  const [{ ListingNotice }] = await Promise.all([import("./listing-notice.tsx"), loadTranslations("sheets")]);
  return { default: ListingNotice };
});

/** Whether an instrument is listed; renders again when it is. Remount it for another instrument. */
export function useListed(instrument: Instrument): boolean {
  return isListed(instrument, useTimePast([instrument.tradesFrom]));
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
