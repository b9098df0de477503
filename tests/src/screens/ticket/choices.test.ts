/** Tests what a ticket offers by phase, market, instrument and member, and the reasons for what it does not. */
import { describe, expect, test } from "vitest";
import { choicesMade, fitted, fundedBy, fundingWord } from "#src/screens/ticket/choices.ts";
import type { Circumstances } from "#src/screens/ticket/choices.ts";
import { FIRST_DRAFT } from "#src/screens/ticket/draft.ts";
import type { Draft } from "#src/screens/ticket/draft.ts";

const circumstances: Circumstances = {
  instrument: { shortable: true, dayTradable: true, marginable: true, limitPercent: 10, watch: "none", lotShares: 1_000 },
  rule: { multiples: [1, 2, 3] },
  phase: "open",
  paused: false,
  free: false,
  margin: true,
  dayTrading: true,
};
const wanted = (but: Partial<Draft>, where: Partial<Circumstances> = {}) =>
  fitted({ ...FIRST_DRAFT, ...but }, { ...circumstances, ...where });
const all = { pricing: "market", validity: "ioc", funding: "leverage", leverage: 3 } as const;

test("a multiple that one day's limit move can wipe out is not offered, even if the rule allows it", () => {
  const offered = (limitPercent: number | null) =>
    wanted({}, { instrument: { ...circumstances.instrument, limitPercent }, rule: { multiples: [1, 2, 3, 4, 5] } }).choices.funding.map(
      ({ word }) => word,
    );
  expect(offered(10)).toEqual(["cash", "margin", "2", "3", "4"]);
  expect(offered(20)).toEqual(["cash", "margin"]);
  expect(offered(null)).toEqual(["cash", "margin"]);
});

test("in continuous trading everything is available", () => {
  const { draft, choices } = wanted(all);
  expect(draft).toMatchObject(all);
  expect(choices.funding.map(({ word, why }) => [word, why])).toEqual([
    ["cash", null],
    ["margin", null],
    ["2", null],
    ["3", null],
  ]);
  expect([choices.pricing.market, choices.validity.fok, choices.dayTrade, choices.direction.fall]).toEqual([null, null, null, null]);
  expect(choices.market).toEqual({ board: null, odd: null, fixed: "TRD_NON_TRADING_HOURS" });
});

describe("only a ROD limit order is accepted", () => {
  test.each([
    ["preOpen", false, "TRD_AUCTION_LIMIT_ONLY"],
    ["closingAuction", false, "TRD_AUCTION_LIMIT_ONLY"],
    ["open", true, "TRD_INSTRUMENT_HALTED"],
  ] as const)("in a call auction: %s, paused %s", (phase, paused, why) => {
    const { draft, choices } = wanted(all, { phase, paused });
    expect(draft).toMatchObject({ pricing: "limit", validity: "rod", funding: "leverage" });
    expect([choices.pricing.market, choices.validity.ioc, choices.validity.fok]).toEqual([why, why, why]);
  });

  test("for odd lots, in cash and not for day trades", () => {
    const { draft, choices } = wanted({ ...all, market: "odd", dayTrade: true, entry: { kind: "stop", text: "1" } });
    expect(draft).toMatchObject({ pricing: "limit", validity: "rod", funding: "cash", leverage: 1, dayTrade: false });
    expect(choices.pricing.market).toBe("TRD_ODD_LIMIT_ONLY");
    expect(choices.funding.map(({ why }) => why)).toEqual([
      null,
      "TRD_NOT_MARGINABLE",
      "TRD_LEVERAGE_NOT_ALLOWED",
      "TRD_LEVERAGE_NOT_ALLOWED",
    ]);
  });
});

test("after hours only fixed-price trading is available, and earlier choices come back the next day", () => {
  const { draft, choices } = wanted({ market: "odd", ...all }, { phase: "fixedPrice" });
  expect(draft).toMatchObject({ market: "fixed", pricing: "market", validity: "rod" });
  expect(choices.market).toEqual({ board: "TRD_NON_TRADING_HOURS", odd: "TRD_NON_TRADING_HOURS", fixed: null });
});

test("member settings and instrument restrictions give different reasons", () => {
  const plain = wanted({ funding: "margin", dayTrade: true }, { margin: false, dayTrading: false });
  expect(plain.draft).toMatchObject({ funding: "cash", dayTrade: false });
  expect(plain.choices.funding[1]?.why).toBe("TRD_MARGIN_DISABLED");
  expect(plain.choices.dayTrade).toBe("TRD_DAY_TRADING_DISABLED");
  const disposed = wanted(all, { instrument: { ...circumstances.instrument, watch: "disposition" } });
  expect(disposed.draft).toMatchObject({ funding: "cash", leverage: 1 });
  expect(disposed.choices.direction.fall).toBe("TRD_NOT_SHORTABLE");
  expect(disposed.choices.dayTrade).toBe("TRD_NOT_DAY_TRADABLE");
  const free = wanted(all, { free: true });
  expect(free.draft).toMatchObject({ funding: "cash", leverage: 1 });
  expect([free.choices.direction.fall, free.choices.dayTrade]).toEqual(["TRD_NOT_SHORTABLE", null]);
});

test("a funding choice converts to draft fields and back", () => {
  for (const paid of [fundedBy("cash"), fundedBy("margin"), fundedBy("3")]) expect(fundedBy(fundingWord(paid))).toEqual(paid);
  expect(choicesMade(FIRST_DRAFT)).toBe(0);
  expect(choicesMade({ ...FIRST_DRAFT, ...all, exits: { stop: "1" } })).toBe(3);
});
