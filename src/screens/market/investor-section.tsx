/** The section of institutional trading and margin balances: for what is traded on an exchange, loaded when it is opened. */
import { lazy, Suspense } from "react";
import { loadTranslations } from "#src/gateway/language.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { DetailSection } from "./sections.tsx";

const Investors = lazy(async () => {
  const [{ Investors }] = await Promise.all([import("./investors.tsx"), loadTranslations("sheets")]);
  return { default: Investors };
});

/** None for other instruments. */
export function investorSection(instrument: Instrument): DetailSection[] {
  if (instrument.kind !== "stock" && instrument.kind !== "etf") return [];
  const content = (
    <Suspense>
      <Investors key={instrument.code} instrument={instrument} />
    </Suspense>
  );
  return [{ name: "investors", content }];
}
