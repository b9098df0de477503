/** How a new issue was offered: loaded for those only. */
import { lazy, Suspense } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { loadTranslations } from "#src/gateway/language.ts";

const Story = lazy(async () => {
  const [{ OfferingStory }] = await Promise.all([import("#src/screens/quote/offering-parts.ts"), loadTranslations("offering")]);
  return { default: OfferingStory };
});

export function Offered({ instrument: { code, tradesFrom } }: { instrument: Instrument }) {
  if (tradesFrom === 0) return null;
  return (
    <Suspense>
      <Story code={code} />
    </Suspense>
  );
}
