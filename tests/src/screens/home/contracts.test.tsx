/** Tests the forms of futures and options, and what the trade screen says of both: each refusal in every language at its field, and limits between ticks. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "#contract/endpoints.ts";
import { cents } from "#contract/kernel/money.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { epochMs } from "#contract/kernel/time.ts";
import af from "#locales/af.json";
import en from "#locales/en.json";
import xh from "#locales/xh.json";
import zhCn from "#locales/zh-CN.json";
import zhTw from "#locales/zh-TW.json";
import zu from "#locales/zu.json";
import { FuturesForm } from "#src/screens/home/futures-form.tsx";
import { OptionClose } from "#src/screens/home/option-close.tsx";
import { OptionOrder } from "#src/screens/home/option-order.tsx";
import { Holdings } from "#src/screens/trade/holdings.tsx";
import { NO_FILTER } from "#src/screens/trade/filter.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { field, fieldErrors, press, settled, type, ways, words } from "#tests/src/screens/form.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

const LANGUAGES: Record<string, typeof en> = { en, af, xh, zu, "zh-CN": zhCn, "zh-TW": zhTw };
const SERIES = "TXO-2026-12-C-20000";
const account = {
  walletCents: cents(100_000_000),
  equityCents: cents(100_000_000),
  initialCents: cents(0),
  maintenanceCents: cents(0),
  freeCents: cents(100_000_000),
  riskPercent: null,
  called: false,
  neededCents: cents(0),
};
const position = {
  positionNo: "O1",
  code: SERIES,
  month: "2026-12",
  right: "call" as const,
  strike: 20_000,
  status: "open" as const,
  lots: 3,
  costTenths: 3_000,
  markedTenths: 3_000,
  paidCents: cents(-1_500_000),
  feeCents: cents(0),
  taxCents: cents(0),
  openedAt: epochMs(1),
  endedAt: null,
  version: 1,
};
const held = { position, close: 1_000, mark: 1_000, gainCents: cents(0), openGainCents: cents(0), marginCents: cents(0) };
const options: Answer<"readOptions"> = {
  open: true,
  index: null,
  expiries: [],
  month: null,
  chain: [],
  account: { ...account, longCents: cents(0), shortCents: cents(0) },
  held: [held],
  pairs: [],
  at: epochMs(1),
};
const cost: Answer<"quoteOption"> = {
  price: 1_000,
  mark: 995,
  premiumCents: cents(500_000),
  feeCents: cents(2_500),
  taxCents: cents(500),
  marginCents: cents(0),
  marginAfterCents: cents(0),
  freeCents: cents(100_000_000),
  lackingCents: cents(0),
  spread: null,
  at: epochMs(1),
};
const futuresCost: Answer<"quoteFutures"> = {
  price: 20_002,
  feeCents: cents(6_000),
  taxCents: cents(8_000),
  marginCents: cents(32_200_000),
  marginAfterCents: cents(32_200_000),
  lackingCents: cents(0),
  at: epochMs(1),
};
const terms = {
  feeCents: cents(6_000),
  taxPerMillion: 20,
  initialCents: cents(32_200_000),
  maintenanceCents: cents(24_700_000),
  liquidationPercent: 25,
  mostLots: 100,
};
const futures: Answer<"readFutures"> = {
  open: true,
  index: null,
  contracts: [
    {
      code: "TX-2026-12",
      product: "TX",
      month: "2026-12",
      bid: 20_000,
      ask: 20_002,
      reference: 20_000,
      upper: 22_000,
      lower: 18_000,
      lastTradeAt: epochMs(1),
    },
  ],
  terms: { TX: terms, MTX: terms, TMF: terms },
  account,
  held: [],
  at: epochMs(1),
};

let shown: Shown;
i18next.use(initReactI18next);
setUpHarness();

beforeAll(async () => {
  fakeWorker();
  await marketApi();
  for (const [language, texts] of Object.entries(LANGUAGES)) i18next.addResourceBundle(language, "translation", texts);
});
beforeEach(() => {
  mock("readMember", () => accepted({ ...OVERVIEW, facts: { ...OVERVIEW.facts, agreements: ["futures", "options"] } }));
  mock("readOptions", () => accepted(options));
  mock("quoteOption", () => accepted(cost));
  mock("quoteCloseOption", () => accepted(cost));
  mock("readFutures", () => accepted(futures));
  mock("quoteFutures", () => accepted(futuresCost));
  mock("listPositions", () => accepted({ positions: [] }));
});
afterEach(async () => {
  await shown.gone();
  await i18next.changeLanguage("en");
});

// The helpers of forms look into the page's main part.
const order = () =>
  show(
    <main>
      <OptionOrder code={SERIES} right="call" strike={20_000} fixed={null} level={20_000} />
    </main>,
  );
const holdings = () =>
  show(
    <main>
      <Holdings filter={NO_FILTER} onFilter={() => {}} />
    </main>,
  );

describe.each(Object.keys(LANGUAGES))("in %s", (language) => {
  const texts = LANGUAGES[language] ?? en;
  const said = (code: RefusalCode, params: Record<string, string> = {}): string =>
    (texts.refusal as Record<string, string>)[code]?.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? "") ?? code;

  it("no lots are refused in the words of contracts, before anything is sent", async () => {
    await i18next.changeLanguage(language);
    shown = await order();
    await settled(() => words().includes(texts.options.charges));
    await type(texts.futures.lots, "0");
    await press(texts.options.review);
    await settled(() => fieldErrors().length > 0);
    expect(fieldErrors()).toEqual([said("VAL_CONTRACT_LOTS")]);
    await shown.gone();
    shown = await show(<FuturesForm code="TX-2026-12" />);
    await settled(() => document.querySelector("form"));
    await type(texts.futures.lots, "0");
    await press(texts.futures.buy);
    await settled(() => fieldErrors().length > 0);
    expect(fieldErrors()).toEqual([said("VAL_CONTRACT_LOTS")]);
  });

  it("more lots than are held are no sale of shares", async () => {
    await i18next.changeLanguage(language);
    mock("closeOption", () => refused("TRD_CLOSE_EXCEEDS", { params: { n: "3" }, field: "lots" }));
    shown = await show(<OptionClose positionNo="O1" />);
    await settled(() => document.querySelector("form"));
    await type(texts.futures.lots, "4");
    await press(texts.options.review);
    await settled(() => fieldErrors().length > 0);
    expect(fieldErrors()).toEqual([said("TRD_CLOSE_EXCEEDS", { n: "3" })]);
  });

  it.each([
    ["2.34", "0.1"],
    ["20.3", "0.5"],
    ["100.5", "1"],
    ["501", "5"],
  ])("a limit of %s is told the tick %s", async (limit, tick) => {
    await i18next.changeLanguage(language);
    shown = await order();
    await settled(() => words().includes(texts.options.charges));
    await type(texts.futures.limit, limit);
    expect(fieldErrors()).toEqual([]);
    await press(texts.options.review);
    // Nothing was sent, and the wrong field is focused.
    expect(fieldErrors()).toEqual([said("TRD_PRICE_OFF_TICK", { n: tick })]);
    expect(document.activeElement).toBe(field(texts.futures.limit));
  });

  it("a future's limit is of whole points", async () => {
    await i18next.changeLanguage(language);
    shown = await show(<FuturesForm code="TX-2026-12" />);
    await settled(() => document.querySelector("form"));
    await type(texts.futures.limit, "20,000.5");
    await press(texts.futures.buy);
    expect(fieldErrors()).toEqual([said("TRD_PRICE_OFF_TICK", { n: "1" })]);
    await type(texts.futures.limit, "0");
    await press(texts.futures.buy);
    await settled(() => fieldErrors().length > 0);
    expect(fieldErrors()).toEqual([said("VAL_LIMIT_PRICE_POSITIVE")]);
  });
});

it.each(["order", "close", "future"] as const)(
  "a form (%s) tells the margin of the account afterwards, and what has to be moved in first",
  async (form) => {
    const lacking = { marginCents: cents(9_827_000), marginAfterCents: cents(24_336_500), lackingCents: cents(1_234_500) };
    mock("quoteOption", () => accepted({ ...cost, ...lacking }));
    mock("quoteCloseOption", () => accepted({ ...cost, ...lacking }));
    mock("quoteFutures", () => accepted({ ...futuresCost, ...lacking }));
    shown =
      form === "order" ? await order() : await show(form === "close" ? <OptionClose positionNo="O1" /> : <FuturesForm code="TX-2026-12" />);
    await settled(() => words().includes(en.futures.marginAfter));
    expect(words()).toContain("+98,270.00");
    expect(words()).toContain("243,365.00");
    expect(words()).toContain("Move TWD 12,345.00 or more into it for this order.");
    expect(words().includes(en.options.paired)).toBe(form === "close");
  },
);

it("a sold call that a bought one covers is told the largest loss of its spread, and no loss without limit", async () => {
  const selling = () =>
    show(
      <main>
        <OptionOrder code={SERIES} right="call" strike={20_000} fixed="sell" level={20_000} />
      </main>,
    );
  shown = await selling();
  await settled(() => words().includes(en.options.mostLoss));
  expect(words()).toContain(`${en.options.mostLoss}${en.options.unlimited}`);
  expect(words()).toContain(en.options.sellerRisk);
  await shown.gone();
  const legs = [
    { right: "call" as const, strike: 20_000, lots: -1, costTenths: -1_000 },
    { right: "call" as const, strike: 20_500, lots: 1, costTenths: 400 },
  ];
  mock("quoteOption", () => accepted({ ...cost, spread: { legs, mostLossCents: cents(2_210_000), mostGainCents: cents(297_000) } }));
  shown = await selling();
  await settled(() => words().includes(en.options.spread.mostLoss));
  // At worst three ticks of a point below the quote, NT$150 more.
  expect(words()).toContain(`${en.options.spread.mostLoss}TWD 22,250.00`);
  expect(words()).toContain(`${en.options.spread.mostGain}TWD 2,970.00`);
  expect(words()).not.toContain(en.options.unlimited);
  expect(words()).not.toContain(en.options.sellerRisk);
  expect(words()).toContain("20,000 / 20,500");
  expect(words()).toContain("all legs together lose TWD 22,250.00 at most and gain TWD 2,970.00 at most");
});

it("the trade screen says that futures and options are open, and leads to them", async () => {
  shown = await holdings();
  await settled(() => words().includes(en.trade.noneHeld));
  await shown.gone();
  mock("readMember", () => accepted({ ...OVERVIEW, openFutures: 1, openOptions: 2 }));
  shown = await holdings();
  await settled(() => words().includes("Open option positions: 2"));
  expect(words()).toContain("Open futures positions: 1");
  expect(words()).not.toContain(en.trade.noneHeld);
  expect(words()).toContain(en.trade.noStockHeld);
  expect(ways()).toEqual(expect.arrayContaining(["/home/futures?part=mine", "/home/options?part=mine"]));
});
