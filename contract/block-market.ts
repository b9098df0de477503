/** The block market: its rule and what sellers offer. Apart from the purchases, because the worker and the rules load it. */
import * as z from "zod/mini";
import { Cents, Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** The rule of block trades; seconds are those of the sandbox. */
export const BlockRule = z.object({
  /** The fewest shares of one purchase, and the most a member may buy on one trading day. */
  minimumShares: z.int(),
  dailyShares: z.int(),
  /** Purchases worth this much are reviewed. */
  reviewCents: Cents,
  /** How long both sides take to be paired, and a review takes. */
  pairSeconds: z.int(),
  reviewSeconds: z.int(),
});
export type BlockRule = z.infer<typeof BlockRule>;

/** One seller's offer. */
export const BlockOffer = z.object({
  offerId: z.string(),
  row: z.int(),
  price: Price,
  shares: z.int(),
  left: z.int(),
  opensAt: EpochMs,
  closesAt: EpochMs,
  /** When what is bought may be sold: the next trading day. */
  unlocksAt: EpochMs,
  /** What the market pays now: the last price, or the bid above it. */
  market: Price,
  /** The day's volume-weighted price; equal to `market` before the first trade. */
  average: Price,
});
export type BlockOffer = z.infer<typeof BlockOffer>;

/** The block market now. */
export const BlockMarket = z.object({
  open: z.boolean(),
  /** When it closes, or opens next; null when it does neither. */
  changesAt: z.nullable(EpochMs),
  offers: z.array(BlockOffer),
});
export type BlockMarket = z.infer<typeof BlockMarket>;
