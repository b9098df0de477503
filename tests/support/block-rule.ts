/** A rule of block trades for tests. */
import type { BlockRule } from "#contract/block-market.ts";
import { cents } from "#contract/kernel/money.ts";

export const BLOCK_RULE: BlockRule = {
  minimumShares: 10_000,
  dailyShares: 100_000,
  reviewCents: cents(300_000_000),
  pairSeconds: 3,
  reviewSeconds: 10,
};
