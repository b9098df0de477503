/** Tests the block market as the screens show it: discounts to the market and to the average, and texts. */
import { expect, it } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { blocksUpdate } from "#src/streams/block-offers.ts";

it("formats each offer with its discounts", () => {
  const times = { opensAt: epochMs(1), closesAt: epochMs(2), unlocksAt: epochMs(3) };
  const prices = { price: price(998_000), market: price(1_000_000), average: price(996_000) };
  const offer = { offerId: "1", row: 4, shares: 20_000, left: 12_000, ...times, ...prices };
  expect(blocksUpdate({ open: true, changesAt: null, offers: [offer] }).offers).toMatchObject([
    {
      priceText: "99.80",
      marketText: "100.00",
      averageText: "99.60",
      leftText: "12,000",
      discountText: "0.20%",
      averageDiscountText: "−0.20%",
    },
  ]);
});
