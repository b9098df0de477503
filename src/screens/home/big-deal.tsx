/** Home's part about big deals: the block offers that close first, with their live discounts. */
import { Suspense, lazy } from "react";
import { loadTranslations } from "#src/gateway/language.ts";

const Offers = lazy(async () => {
  const [{ BigDealOffers }] = await Promise.all([import("./big-deal-offers.tsx"), loadTranslations("block")]);
  return { default: BigDealOffers };
});

export function BigDeal() {
  return (
    <Suspense>
      <Offers />
    </Suspense>
  );
}
