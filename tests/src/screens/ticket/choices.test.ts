/** Tests what a ticket offers by phase, market, instrument and member, and the reasons for what it does not. */
import { describe, expect, test } from "vitest";
import { positionsOf } from "#contract/position.ts";
import { order } from "#tests/workers/sample.ts";
import { choicesMade, fitted, fundedBy, fundingWord } from "#src/screens/ticket/choices.ts";
import type { Circumstances } from "#src/screens/ticket/choices.ts";
import { FIRST_DRAFT } from "#src/screens/ticket/draft.ts";
import type { Draft } from "#src/screens/ticket/draft.ts";

const circumstances: Circumstances = {
  instrument: { kind: "stock", shortable: true, dayTradable: true, marginable: true, limitPercent: 10, watch: "none", lotShares: 1_000 },
  rule: { multiples: [1, 2, 3] },
  phase: "open",
  reservesFor: null,
  paused: null,
  free: false,
  margin: true,
  dayTrading: true,
  minor: false,
  held: [],
  remembered: "cash",
};
const wanted = (but: Partial<Draft>, where: Partial<Circumstances> = {}) =>
  fitted({ ...FIRST_DRAFT, ...but }, { ...circumstances, ...where });
const all = { pricing: "market", validity: "ioc", funding: "leverage", leverage: 3 } as const;

test("a multiple that one day's limit move can wipe out is not offered, even if the rule allows it", () => {
  const offered = (limitPercent: number | null) =>
    wanted({}, { instrument: { ...circumstances.instrument, limitPercent }, rule: { multiples: [1, 2, 3, 4, 5] } }).choices.funding.map(
      ({ word }) => word,
    );
  expect(offered(10)).toEqual(["cash", "2", "3", "4"]);
  expect(offered(20)).toEqual(["cash"]);
  expect(offered(null)).toEqual(["cash"]);
});

test("in continuous trading everything is available, except buying back what was not sold short", () => {
  const { draft, intent, choices } = wanted(all);
  expect(draft).toMatchObject({ pricing: "market", validity: "ioc" });
  expect(intent).toMatchObject({ act: "buy", kind: "cash", funding: "leverage", leverage: 3, dayTrade: false, closes: null });
  expect(choices.funding.map(({ word, why }) => [word, why])).toEqual([
    ["cash", null],
    ["2", null],
    ["3", null],
  ]);
  expect(choices.kinds).toEqual({ cash: null, margin: null, short: "noneToCover", dayTrade: null });
  expect(wanted({ side: "sell" }).choices.kinds).toEqual({ cash: null, margin: null, short: null, dayTrade: null });
  // A short may be financed by a margin account as well; that is an option of its kind.
  expect(wanted({ side: "sell", kind: "short" }).choices.funding.map(({ word }) => word)).toEqual(["cash", "margin", "2", "3"]);
  expect([choices.pricing.market, choices.validity.fok]).toEqual([null, null]);
  expect(choices.market).toEqual({ board: null, odd: null, fixed: "TRD_NON_TRADING_HOURS" });
});

test("while the market is closed an order is reserved for the opening call: a ROD limit order on the board, without a trigger", () => {
  const entry = { kind: "stop", text: "1" } as const;
  const { draft, choices } = wanted({ ...all, entry, market: "odd" }, { phase: "closed", reservesFor: 4_000 });
  expect(draft).toMatchObject({ market: "board", pricing: "limit", validity: "rod", entry: null, funding: "leverage" });
  expect(choices.market).toEqual({ board: null, odd: "TRD_NON_TRADING_HOURS", fixed: "TRD_NON_TRADING_HOURS" });
  expect([choices.pricing.market, choices.validity.ioc]).toEqual(["TRD_AUCTION_LIMIT_ONLY", "TRD_AUCTION_LIMIT_ONLY"]);
});

describe("only a ROD limit order is accepted", () => {
  test.each([
    ["preOpen", null, "TRD_AUCTION_LIMIT_ONLY"],
    ["closingAuction", null, "TRD_AUCTION_LIMIT_ONLY"],
    ["open", "TRD_INSTRUMENT_HALTED", "TRD_INSTRUMENT_HALTED"],
    ["open", "TRD_AUCTION_LIMIT_ONLY", "TRD_AUCTION_LIMIT_ONLY"],
    ["halted", null, "TRD_INSTRUMENT_HALTED"],
  ] as const)("in a call auction: %s, paused %s", (phase, paused, why) => {
    const { draft, intent, choices } = wanted(all, { phase, paused });
    expect(draft).toMatchObject({ pricing: "limit", validity: "rod" });
    expect(intent.funding).toBe("leverage");
    expect([choices.pricing.market, choices.validity.ioc, choices.validity.fok]).toEqual([why, why, why]);
  });

  test("for odd lots, in cash and not for day trades", () => {
    const { draft, intent, choices } = wanted({ ...all, market: "odd", kind: "dayTrade", entry: { kind: "stop", text: "1" } });
    expect(draft).toMatchObject({ pricing: "limit", validity: "rod" });
    expect(intent).toMatchObject({ kind: "cash", funding: "cash", leverage: 1, dayTrade: false });
    expect(choices.pricing.market).toBe("TRD_ODD_LIMIT_ONLY");
    expect(choices.kinds).toMatchObject({ margin: "TRD_NOT_MARGINABLE", dayTrade: "TRD_NOT_DAY_TRADABLE" });
    expect(choices.funding.map(({ why }) => why)).toEqual([null, "TRD_LEVERAGE_NOT_ALLOWED", "TRD_LEVERAGE_NOT_ALLOWED"]);
  });
});

test("after hours board lots trade at the fixed price only, and earlier choices come back the next day", () => {
  const { draft, choices } = wanted({ market: "board", ...all }, { phase: "fixedPrice" });
  expect(draft).toMatchObject({ market: "fixed", pricing: "market", validity: "rod" });
  expect(choices.market).toEqual({ board: "TRD_NON_TRADING_HOURS", odd: null, fixed: null });
});

test("odd lots trade after hours too, at first alone", () => {
  const alone = wanted({ market: "board", ...all }, { phase: "oddLot" });
  expect(alone.draft).toMatchObject({ market: "odd", pricing: "limit", validity: "rod" });
  expect(alone.choices.market).toEqual({ board: "TRD_NON_TRADING_HOURS", odd: null, fixed: "TRD_NON_TRADING_HOURS" });
  expect(wanted({ market: "odd", ...all }, { phase: "fixedPrice" }).draft).toMatchObject({ market: "odd", pricing: "limit" });
  expect(wanted({ market: "odd", ...all }, { phase: "preOpen" }).draft).toMatchObject({ market: "board" });
});

test("after hours a position is closed where its shares can be sold", () => {
  const [lots] = positionsOf([order("2330", 2, { orderNo: "K1" as never })]);
  const [single] = positionsOf([order("2330", 2, { orderNo: "K2" as never, lotShares: 1 })]);
  const marketOf = (held: typeof lots, phase: "fixedPrice" | "oddLot"): string | undefined =>
    wanted({ side: "sell", market: "board" }, { phase, held: held ? [held] : [] }).draft.market;
  expect([marketOf(lots, "fixedPrice"), marketOf(single, "fixedPrice"), marketOf(single, "oddLot")]).toEqual(["fixed", "odd", "odd"]);
});

test("member settings and instrument restrictions give different reasons, and the kind falls back to cash", () => {
  const plain = wanted({ kind: "margin" }, { margin: false, dayTrading: false, remembered: "dayTrade" });
  expect(plain.intent).toMatchObject({ kind: "cash", funding: "cash", dayTrade: false });
  expect(plain.choices.kinds).toMatchObject({ margin: "TRD_MARGIN_DISABLED", dayTrade: "TRD_DAY_TRADING_DISABLED" });
  const disposed = wanted({ ...all, side: "sell" }, { instrument: { ...circumstances.instrument, watch: "disposition" } });
  expect(disposed.intent).toMatchObject({ funding: "cash", leverage: 1 });
  expect(disposed.choices.kinds).toMatchObject({ short: "TRD_NOT_SHORTABLE", dayTrade: "TRD_NOT_DAY_TRADABLE" });
  const free = wanted({ ...all, side: "sell" }, { free: true });
  expect(free.intent).toMatchObject({ funding: "cash", leverage: 1 });
  expect(free.choices.kinds).toMatchObject({ short: "TRD_NOT_SHORTABLE", dayTrade: "TRD_NOT_SHORTABLE" });
  // Buying first needs no borrowed shares.
  expect(wanted({}, { free: true }).choices.kinds.dayTrade).toBeNull();
});

test("closing what is held needs no permission, waits for nothing and sets no exits", () => {
  const [position] = positionsOf([order("2330", 2, { orderNo: "K1" as never, dayTrade: true })]);
  const closing = wanted(
    { side: "sell", entry: { kind: "stop", text: "1" }, exits: { stop: "1" } },
    { dayTrading: false, held: position ? [position] : [] },
  );
  expect(closing.choices.kinds.dayTrade).toBeNull();
  expect(closing.intent).toMatchObject({ act: "sell", kind: "dayTrade", dayTrade: true });
  expect(closing.draft).toMatchObject({ entry: null, exits: {} });
});

test("single shares that are held are sold in the odd-lot market by themselves", () => {
  const [position] = positionsOf([order("2330", 30, { orderNo: "K1" as never, lotShares: 1 })]);
  expect(wanted({ side: "sell" }, { held: position ? [position] : [] }).draft.market).toBe("odd");
});

test("a funding choice converts to draft fields and back", () => {
  for (const paid of [fundedBy("cash"), fundedBy("margin"), fundedBy("3")]) expect(fundedBy(fundingWord(paid))).toEqual(paid);
  const cash = { kind: "cash", funding: "cash" } as const;
  expect(choicesMade(FIRST_DRAFT, cash)).toBe(0);
  expect(choicesMade({ ...FIRST_DRAFT, ...all, exits: { stop: "1" } }, { ...cash, funding: "leverage" })).toBe(3);
  // The margin chip is on the form's face, not behind the button.
  expect(choicesMade(FIRST_DRAFT, { kind: "margin", funding: "margin" })).toBe(0);
});

test("margin, leverage and shorts are not for minors", () => {
  const sells = wanted({ kind: "short", side: "sell" }, { minor: true, margin: false });
  expect(sells.intent.kind).toBe("cash");
  expect(sells.choices.kinds).toMatchObject({ cash: null, short: "ACC_MINOR" });
  const buys = wanted({ kind: "margin", side: "buy" }, { minor: true, margin: false });
  expect(buys.choices.kinds.margin).toBe("ACC_MINOR");
  expect(buys.choices.funding.map(({ word, why }) => [word, why])).toEqual([
    ["cash", null],
    ["2", "ACC_MINOR"],
    ["3", "ACC_MINOR"],
  ]);
});
