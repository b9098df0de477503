/** Names an instrument and its price in the window's title. */
import { useEffect } from "react";
import { throttleTime } from "rxjs";
import type { Instrument } from "#contract/instrument.ts";
import { quote$ } from "#src/streams/quotes.ts";
import { titlePage } from "#src/ui/page-title.ts";
import { shortName } from "./names.ts";

/** Tabs and screen readers show a title; it must not run with the market. */
const CALM_MS = 5_000;

/** `2330 台積電 1,035.00`, with the price of at most five seconds ago and without a render. */
export function useInstrumentTitle(instrument: Instrument | null): void {
  useEffect(() => {
    if (!instrument) return;
    const name = `${instrument.code} ${shortName(instrument)}`;
    titlePage(name);
    const watching = quote$(instrument.code)
      .pipe(throttleTime(CALM_MS, undefined, { leading: true, trailing: true }))
      .subscribe(({ text }) => titlePage(`${name} ${text.last}`));
    return () => {
      watching.unsubscribe();
      titlePage(null);
    };
  }, [instrument]);
}
