/** Tests the form that closes two option positions as one order: price and charges of each leg, the net limit, and refusals at their fields. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Answer, Body } from "#contract/endpoints.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import en from "#locales/en.json";
import { OptionClose } from "#src/screens/home/option-close.tsx";
import { OptionPairs } from "#src/screens/home/option-pair-list.tsx";
import { typedNet } from "#contract/premium.ts";
import { limitOfPair, netNow, paysNet, worstNet } from "#src/screens/home/option-pair-net.ts";
import { OptionPairClose } from "#src/screens/home/option-pair.tsx";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { field, fieldErrors, press, settled, type, ways, words } from "#tests/src/screens/form.ts";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

type Held = Answer<"readOptions">["held"][number];

const heldOf = (positionNo: string, right: "call" | "put", strike: number, lots: number, close: number | null): Held => ({
  position: {
    positionNo,
    code: `TXO-2026-12-${right === "call" ? "C" : "P"}-${strike}`,
    month: "2026-12",
    right,
    strike,
    status: "open",
    lots,
    costTenths: 1_000 * lots,
    markedTenths: 1_000 * lots,
    paidCents: cents(0),
    feeCents: cents(0),
    taxCents: cents(0),
    openedAt: epochMs(1),
    endedAt: null,
    version: 1,
  },
  close,
  mark: close,
  gainCents: cents(0),
  openGainCents: cents(0),
  marginCents: cents(0),
});
const SOLD = heldOf("O1", "call", 20_000, -3, 3_000);
const BOUGHT = heldOf("O2", "call", 20_500, 2, 1_000);
const options = (held: Held[]): Answer<"readOptions"> => ({
  open: true,
  index: null,
  expiries: [],
  month: null,
  chain: [],
  account: {
    walletCents: cents(100_000_000),
    equityCents: cents(100_000_000),
    initialCents: cents(0),
    maintenanceCents: cents(0),
    freeCents: cents(100_000_000),
    riskPercent: null,
    called: false,
    neededCents: cents(0),
    longCents: cents(0),
    shortCents: cents(0),
  },
  held,
  pairs: [{ positionNo: "O1", otherNo: "O2", lots: 2, marginCents: cents(5_000_000) }],
  at: epochMs(1),
});
const leg = (positionNo: string, side: "buy" | "sell", price: number, taxCents: number) => ({
  positionNo,
  side,
  price,
  mark: price,
  premiumCents: cents(price * 500 * 2),
  feeCents: cents(5_000),
  taxCents: cents(taxCents),
});
const cost: Answer<"quoteOptionPair"> = {
  legs: [leg("O1", "buy", 3_000, 3_000), leg("O2", "sell", 1_000, 1_000)],
  net: -2_000,
  marginCents: cents(-5_000_000),
  marginAfterCents: cents(1_200_000),
  lackingCents: cents(0),
  at: epochMs(1),
};

let shown: Shown;
let sent: Body<"closeOptionPair">[] = [];
i18next.use(initReactI18next);
setUpHarness();

beforeAll(() => {
  i18next.addResourceBundle("en", "translation", en);
});
beforeEach(() => {
  sent = [];
  mock("readOptions", () => accepted(options([SOLD, BOUGHT])));
  mock("quoteOptionPair", () => accepted(cost));
  mock("closeOptionPair", (body) => {
    sent.push(body);
    return refused("TRD_OPTION_NET_PAID", { params: { n: "201" }, field: "price" });
  });
});
afterEach(() => shown.gone());

const closing = async (): Promise<void> => {
  shown = await show(<OptionPairClose pair="O1-O2" />);
  await settled(() => words().includes(en.options.pair.released));
};

it("positions that are margined together lead to the closing of both", async () => {
  shown = await show(
    <main>
      <OptionPairs options={options([SOLD, BOUGHT])} />
    </main>,
  );
  expect(ways()).toEqual(["/home/options?pair=O1-O2"]);
  expect(words()).toContain("Sold 2 lots");
  expect(words()).toContain("Bought 2 lots");
  expect(words()).toContain("50,000.00");
});

it("the closing of one leg leads to the closing of both", async () => {
  mock("quoteCloseOption", () => refused("TRD_NON_TRADING_HOURS"));
  shown = await show(<OptionClose positionNo="O2" />);
  await settled(() => words().includes("Close both: TXO 2026"));
  expect(words()).toMatch(/Close both: TXO .*20,000 Call .*TXO .*20,500 Call/);
  expect(ways()).toContain("/home/options?pair=O1-O2");
});

it("the review tells each leg, its fee and tax, both together, and the margin that is released", async () => {
  await closing();
  expect(field(en.futures.lots).value).toBe("2");
  await press(en.options.review);
  expect(words()).toContain("Close 2 lots of each leg?");
  expect(words()).toContain("TXO 2026/12 20,000 CallBuy 2 lots");
  expect(words()).toContain("TXO 2026/12 20,500 CallSell 2 lots");
  expect(words()).toContain(`${en.options.charges}TWD 50.00 + TWD 30.00`);
  expect(words()).toContain(`${en.options.charges}TWD 50.00 + TWD 10.00`);
  expect(words()).toContain(`${en.options.pair.net}200 points paid`);
  // 200 points of NT$50 twice, and all charges.
  expect(words()).toContain(`${en.options.pair.netMoney}TWD −20,140.00`);
  expect(words()).toContain(`${en.options.pair.released}TWD 50,000.00`);
  expect(sent).toEqual([]);
  await press(en.options.confirmClose);
  await settled(() => fieldErrors().length > 0);
  // Each leg up to three ticks beyond its quote.
  expect(sent).toMatchObject([{ positionNo: "O1", otherNo: "O2", lots: 2, price: -2_060 }]);
  expect(fieldErrors()).toEqual(["Closing both now costs 201 points, beyond your limit"]);
  expect(document.activeElement).toBe(field(en.options.pair.limitPaid));
});

describe("a typed limit", () => {
  it("of what is paid at most is sent as the least that both bring", async () => {
    await closing();
    await type(en.options.pair.limitPaid, "201.5");
    await press(en.options.review);
    expect(words()).toContain(`${en.options.pair.worst}201.5 points paid`);
    await press(en.options.confirmClose);
    await settled(() => sent.length > 0);
    expect(sent).toMatchObject([{ price: -2_015 }]);
  });

  it("of nothing is one: both are closed where neither side pays", async () => {
    await closing();
    await type(en.options.pair.limitPaid, "0");
    await press(en.options.review);
    expect(words()).toContain(`${en.options.pair.worst}0.0 points received`);
    await press(en.options.confirmClose);
    await settled(() => sent.length > 0);
    expect(sent).toMatchObject([{ price: 0 }]);
  });

  it("that is finer than a tenth of a point, or no number, is refused before anything is sent", async () => {
    await closing();
    await type(en.options.pair.limitPaid, "201.55");
    await press(en.options.review);
    expect(fieldErrors()).toEqual([en.refusal.TRD_PRICE_OFF_TICK.replace("{{n}}", "0.1")]);
    expect(document.activeElement).toBe(field(en.options.pair.limitPaid));
    await type(en.options.pair.limitPaid, "much");
    await press(en.options.review);
    await settled(() => fieldErrors().length > 0);
    expect(fieldErrors()).toEqual([en.refusal.VAL_LIMIT_PRICE_POSITIVE]);
    expect(sent).toEqual([]);
  });
});

it("more lots than the smaller leg has are refused at their field", async () => {
  mock("closeOptionPair", () => refused("TRD_CLOSE_EXCEEDS", { params: { n: "2" }, field: "lots" }));
  await closing();
  await type(en.futures.lots, "3");
  await press(en.options.review);
  await settled(() => fieldErrors().length > 0);
  expect(fieldErrors()).toEqual([en.refusal.TRD_CLOSE_EXCEEDS.replace("{{n}}", "2")]);
});

it("a leg without a quote is said to have none, and one that is not held any more ends the page", async () => {
  mock("readOptions", () => accepted(options([SOLD, { ...BOUGHT, close: null }])));
  shown = await show(<OptionPairClose pair="O1-O2" />);
  await settled(() => words().includes(en.options.pair.together));
  expect(words()).toContain(`${en.options.pair.net}${en.futures.noQuote}`);
  // Nothing is sent that would be filled at whatever the quote is when it returns.
  expect(words()).toContain(en.options.needsLimit);
  await press(en.options.review);
  expect(words()).not.toContain(en.options.confirmClose);
  await type(en.options.pair.limitPaid, "201");
  expect(words()).not.toContain(en.options.needsLimit);
  await press(en.options.review);
  await press(en.options.confirmClose);
  await settled(() => sent.length > 0);
  expect(sent).toMatchObject([{ price: -2_010 }]);
  await shown.gone();
  mock("readOptions", () => accepted(options([SOLD])));
  shown = await show(<OptionPairClose pair="O1-O3" />);
  await settled(() => words().includes(en.options.ended));
});

it("a review that loses its quote is not sent without a limit", async () => {
  await closing();
  await press(en.options.review);
  mock("readOptions", () => accepted(options([SOLD, { ...BOUGHT, close: null }])));
  await settled(() => words().includes(en.options.needsLimit));
  await press(en.options.confirmClose);
  expect(sent).toEqual([]);
});

it("one leg alone is not closed without a quote and a limit either", async () => {
  mock("readOptions", () => accepted(options([{ ...BOUGHT, close: null }])));
  mock("quoteCloseOption", () => refused("TRD_CONTRACT_NO_QUOTE"));
  shown = await show(<OptionClose positionNo="O2" />);
  await settled(() => words().includes(en.options.needsLimit));
  await press(en.options.review);
  expect(words()).not.toContain(en.options.confirmClose);
  await type(en.futures.limit, "100");
  await press(en.options.review);
  expect(words()).toContain(en.options.confirmClose);
});

describe("the net of two legs", () => {
  const put = heldOf("O3", "put", 19_500, -1, 500);
  it("is what is received less what is paid, and a limit of it means the same while the quotes move", () => {
    expect(netNow([SOLD, BOUGHT])).toBe(-2_000);
    expect(netNow([SOLD, put])).toBe(-3_500);
    expect(netNow([SOLD, { ...put, close: null }])).toBe(null);
    expect(worstNet([SOLD, BOUGHT])).toBe(-2_060);
    expect([paysNet([SOLD, BOUGHT]), paysNet([SOLD, put])]).toEqual([true, true]);
    expect(paysNet([heldOf("O4", "call", 20_500, -1, 5), heldOf("O5", "call", 20_000, 1, 1)])).toBe(false);
    expect(paysNet([heldOf("O4", "put", 20_500, -1, 5), heldOf("O5", "put", 20_000, 1, 1)])).toBe(true);
    expect([limitOfPair([SOLD, BOUGHT], true, 15), limitOfPair([BOUGHT], false, 15)]).toEqual([-15, 15]);
    expect(limitOfPair([SOLD], true, 0)).toBe(0);
    expect(["", "0", "0.0", "much", "0x", "1.5"].map((text) => typedNet(text))).toEqual([null, 0, 0, Number.NaN, Number.NaN, 15]);
  });

  it("of two that are no spread is paid or received as their quotes are", () => {
    const [dear, cheap] = [heldOf("O4", "put", 19_500, 1, 900), heldOf("O4", "put", 19_500, 1, 100)];
    const call = heldOf("O5", "call", 20_500, -1, 500);
    expect([paysNet([call, dear]), paysNet([call, cheap])]).toEqual([false, true]);
  });
});
