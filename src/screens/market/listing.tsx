/** Whether an instrument trades yet, or any more, and the notice that stands in for its order book while it does not. */
import { lazy, Suspense } from "react";
import type { ReactNode } from "react";
import { loadTranslations } from "#src/gateway/language.ts";
import { hasEnded, isListed } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { useTimePast } from "#src/streams/moment.ts";

const ListingNotice = lazy(async () => {
  const [{ ListingNotice }] = await Promise.all([import("./listing-notice.tsx"), loadTranslations("sheets")]);
  return { default: ListingNotice };
});

const EndedNotice = lazy(async () => {
  const [{ EndedNotice }] = await Promise.all([import("./ended-notice.tsx"), loadTranslations("sheets")]);
  return { default: EndedNotice };
});

/** Whether an instrument is listed; renders again when it is. Remount it for another instrument. */
export function useListed(instrument: Instrument): boolean {
  return isListed(instrument, useTimePast([instrument.tradesFrom]));
}

/** What is only there for an instrument that trades; before and after, the notice. */
export function AfterListing({ instrument, children }: { instrument: Instrument; children: ReactNode }) {
  const now = useTimePast([instrument.tradesFrom, instrument.tradesUntil ?? 0]);
  const isOver = hasEnded(instrument, now);
  if (isListed(instrument, now) && !isOver) return children;
  return <Suspense>{isOver ? <EndedNotice instrument={instrument} /> : <ListingNotice instrument={instrument} />}</Suspense>;
}
