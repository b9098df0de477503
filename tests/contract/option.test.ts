/** Tests the commands of options: which codes and prices they take, and which positions are open. */
import { expect, it } from "vitest";
import { seriesCode, seriesOf } from "#contract/option-code.ts";
import { isOpenOption, OPTION_STATUSES, optionEndpoints } from "#contract/option.ts";

const requestId = "0c9f2c34-9f0a-4a8e-9a51-1d1f9f4d2f10";
const order = (over: object) =>
  optionEndpoints.openOption.body.safeParse({ requestId, series: "TXO-2026-12-C-23000", side: "buy", lots: 1, price: 125, ...over });

it("takes codes of months and of numbered ones, and prices of a tenth of a point or more", () => {
  expect(order({}).success).toBe(true);
  expect(order({ series: "TXO-M41-P-900", price: null }).success).toBe(true);
  for (const series of ["TXO-2026-12-X-23000", "TX-2026-12", "TXO-2026-12-C-", "TXO-2026-12-C-23000.5"])
    expect(order({ series }).success).toBe(false);
  for (const over of [{ price: 0 }, { price: 1.5 }, { lots: 0 }, { lots: -1 }, { side: "long" }]) expect(order(over).success).toBe(false);
});

it("splits a code into what it is made of, and takes no other spelling for the same", () => {
  expect(seriesOf("TXO-2026-12-C-23000")).toEqual({ month: "2026-12", right: "call", strike: 23_000 });
  expect(seriesOf("TXO-M41-P-900")).toEqual({ month: "M41", right: "put", strike: 900 });
  for (const code of ["TXO-2026-12-C-23000", "TXO-M41-P-900"]) expect(seriesCode(seriesOf(code).month, seriesOf(code))).toBe(code);
  expect(seriesCode("2026-12", seriesOf("TXO-2026-12-C-023000"))).toBe("TXO-2026-12-C-23000");
});

it("counts a called position as open", () => {
  expect(OPTION_STATUSES.filter((status) => isOpenOption({ status }))).toEqual(["open", "called"]);
});
