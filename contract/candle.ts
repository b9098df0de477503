/** Candles: open, high, low, close and volume per period, encoded as flat integers. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";

export const CANDLE_PERIODS = ["minute", "minute5", "minute15", "minute30", "day", "week", "month"] as const;
export const CandlePeriod = z.enum(CANDLE_PERIODS);
export type CandlePeriod = z.infer<typeof CandlePeriod>;

/**
 * Fields of a bar in wire order: start (epoch ms; Taipei midnight for day, week, month), prices in ten-thousandths,
 * volume in lots.
 */
export const CANDLE_FIELDS = ["at", "open", "high", "low", "close", "volume"] as const;
export const CANDLE_STRIDE = CANDLE_FIELDS.length;
export type Candle = Record<(typeof CANDLE_FIELDS)[number], number>;

/** Maximum number of bars per call; older bars are paged with `before`. */
export const MAX_CANDLES = 500;

export const candleEndpoints = {
  readCandles: endpoint({
    path: "/candles/read",
    access: "member",
    does: "Read bars of one instrument, oldest first, ending before a moment (null: up to and including the forming bar).",
    body: z.object({
      code: Code,
      period: CandlePeriod,
      before: z.nullable(z.int()),
      limit: z.int().check(z.minimum(1), z.maximum(MAX_CANDLES)),
    }),
    data: z.object({ bars: z.array(z.int()), more: z.boolean() }),
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
};
