/** Tests the forms of securities lending: each refusal is shown in every language, at its field, and an agreement signed elsewhere opens the form. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cents, price } from "#contract/kernel/money.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import af from "#locales/af.json";
import en from "#locales/en.json";
import xh from "#locales/xh.json";
import zhCn from "#locales/zh-CN.json";
import zhTw from "#locales/zh-TW.json";
import zu from "#locales/zu.json";
import { LendingForm, OfferForm } from "#src/screens/home/lending-form.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { field, fieldErrors, press, settled, type, words } from "#tests/src/screens/form.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { fakeInstrument } from "#tests/support/fake-venue.ts";

const LANGUAGES: Record<string, typeof en> = { en, af, xh, zu, "zh-CN": zhCn, "zh-TW": zhTw };
const DEMAND = {
  demandId: "1-0",
  code: "2330" as never,
  lots: 20,
  left: 20,
  days: 30,
  noticeDays: 3,
  ratePerMillion: 40_000,
  referencePrice: price(1_000_000),
  minimumCents: cents(0),
};

let worker: FakeWorker;
let shown: Shown;
i18next.use(initReactI18next);
setUpHarness();
const signed = (agreements: ("lending" | "loan")[]) =>
  mock("readMember", () => accepted({ ...OVERVIEW, facts: { ...OVERVIEW.facts, agreements } }));

beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
  for (const [language, texts] of Object.entries(LANGUAGES)) i18next.addResourceBundle(language, "translation", texts);
  const instruments = [fakeInstrument(0, "2330")];
  worker.emit({ kind: "instruments", table: { venue: {}, categories: [], instruments } } as never);
});
beforeEach(() => {
  signed(["lending"]);
  mock("listPositions", () => accepted({ positions: [orderOf()] }));
  mock("readLendingMarket", () =>
    accepted({
      open: true,
      today: 1,
      demands: [DEMAND],
      held: { "2330": { mostPerMillion: 40_000, referencePrice: price(1_000_000) } },
      rule: { brokerPerMillion: 250_000, mostPerMillion: 160_000, noticeDays: 3 },
      paidCents: cents(0),
      accruedCents: cents(0),
    }),
  );
});
afterEach(async () => {
  await shown.gone();
  await i18next.changeLanguage("en");
});

/** What the server refuses a loan or an offer with, and where. */
const REFUSALS: [RefusalCode, string | undefined, Record<string, string>][] = [
  ["TRD_LEND_CLOSED", "demandId", {}],
  ["TRD_LEND_INELIGIBLE", "orderNo", {}],
  ["TRD_LEND_SHORT", "orderNo", {}],
  ["TRD_SHARES_LENT", "lots", { n: "2,000" }],
  ["TRD_SELL_EXCEEDS", "lots", {}],
  ["TRD_LEND_QUOTA_FULL", "lots", {}],
  ["TRD_LEND_MIN", "lots", { n: "100,000" }],
];

describe.each(Object.keys(LANGUAGES))("in %s", (language) => {
  const texts = LANGUAGES[language] ?? en;
  const said = (code: RefusalCode, params: Record<string, string>): string =>
    (texts.refusal as Record<string, string>)[code]?.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? "") ?? code;

  it.each(REFUSALS)("%s is said at its place", async (code, at, params) => {
    await i18next.changeLanguage(language);
    mock("lendShares", () => refused(code, { params, ...(at === undefined ? {} : { field: at }) }));
    shown = await show(<LendingForm demandId="1-0" />);
    await settled(() => document.querySelector("form"));
    await press(texts.lending.lend);
    await settled(() => words().includes(said(code, params)));
    expect(fieldErrors()).toEqual(at === "lots" ? [said(code, params)] : []);
  });

  it("a rate of nothing or above the highest is refused at the rate, before it is sent", async () => {
    await i18next.changeLanguage(language);
    shown = await show(<OfferForm first={null} />);
    await settled(() => document.querySelector("form"));
    for (const rate of ["0", "4.1"]) {
      await type(texts.lending.field.ownRate, rate);
      await press(texts.lending.offer);
      expect(fieldErrors()).toEqual([said("VAL_LEND_RATE", { n: "4" })]);
    }
    expect(field(texts.lending.field.ownRate).getAttribute("aria-invalid")).toBe("true");
  });
});

it("an agreement that was signed on another device opens the form", async () => {
  signed([]);
  shown = await show(<LendingForm demandId="1-0" />);
  await settled(() => words().includes(en.lending.blocked));
  expect(document.querySelector("form")).toBeNull();
  signed(["lending"]);
  worker.emit({ kind: "facts", facts: [{ n: 1, at: 1, type: "agreement.signed", agreement: "lending" }] } as never);
  await settled(() => document.querySelector("form"));
  expect(words()).not.toContain(en.lending.blocked);
});

it("who holds nothing that can be lent is told so where an own offer is made", async () => {
  mock("listPositions", () => accepted({ positions: [orderOf({ direction: "fall" })] }));
  shown = await show(<OfferForm first={null} />);
  await settled(() => words().includes(en.lending.noneHeld));
  expect(words()).not.toContain(en.lending.heldNone);
});
