/** Home's part about strategies; its texts load with it. */
import { Suspense, lazy } from "react";
import { loadTranslations } from "#src/gateway/language.ts";

const Strategies = lazy(async () => {
  const [{ StrategyDigest }] = await Promise.all([import("./strategy-digest.tsx"), loadTranslations("account", "strategy")]);
  return { default: StrategyDigest };
});

export function Quantitative() {
  return (
    <Suspense>
      <Strategies />
    </Suspense>
  );
}
