/** Tests the order schemas: an invalid price or number of lots is refused with its own code at its own field. */
import { describe, expect, it } from "vitest";
import { CloseOrderBody, MAX_UNITS, PlaceOrderBody } from "#contract/order.ts";

const placing = {
  requestId: "1f0c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b",
  code: "2330",
  direction: "rise",
  pricing: "limit",
  price: 10_850_000,
  lots: 1,
};
const closing = { requestId: placing.requestId, orderNo: "K100000000001", pricing: "market", price: null, lots: 1 };

const wrong: [change: Record<string, unknown>, field: string, code: string][] = [
  [{ lots: 1.5 }, "lots", "VAL_LOTS_INTEGER"],
  [{ lots: "1" }, "lots", "VAL_LOTS_INTEGER"],
  [{ lots: 0 }, "lots", "VAL_LOTS_INTEGER"],
  [{ lots: -1 }, "lots", "VAL_LOTS_INTEGER"],
  [{ lots: MAX_UNITS + 1 }, "lots", "TRD_LOTS_MAX"],
  [{ pricing: "limit", price: 0 }, "price", "VAL_LIMIT_PRICE_POSITIVE"],
  [{ pricing: "limit", price: -1 }, "price", "VAL_LIMIT_PRICE_POSITIVE"],
  [{ pricing: "limit", price: null }, "price", "VAL_LIMIT_PRICE_POSITIVE"],
  [{ pricing: "market", price: 1 }, "price", "VAL_LIMIT_PRICE_POSITIVE"],
];

for (const [name, schema, good] of [
  ["placing", PlaceOrderBody, placing],
  ["closing", CloseOrderBody, closing],
] as const) {
  describe(name, () => {
    it("accepts a valid body", () => {
      expect(schema.safeParse(good).success).toBe(true);
    });
    it.each(wrong)("%j is refused at %s with %s", (change, field, code) => {
      const read = schema.safeParse({ ...good, ...change });
      expect(read.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([[field, code]]);
    });
  });
}
