/** Tests that the forms of offerings, auctions, raisings and blocks show the server's refusals in each of the six languages, at their field. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { Route, Routes } from "react-router-dom";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { EndpointName } from "#contract/endpoints.ts";
import type { BlockMarket } from "#contract/block-market.ts";
import { price } from "#contract/kernel/money.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import af from "#locales/af.json";
import en from "#locales/en.json";
import xh from "#locales/xh.json";
import zhCn from "#locales/zh-CN.json";
import zhTw from "#locales/zh-TW.json";
import zu from "#locales/zu.json";
import { AuctionPage } from "#src/screens/home/auction-page.tsx";
import { BlockBuy } from "#src/screens/home/block-buy.tsx";
import { FundsPage } from "#src/screens/home/funds.tsx";
import { NewShareApply } from "#src/screens/home/new-share-apply.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { fieldErrors, press, settled, type, words } from "#tests/src/screens/form.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { auctionOf } from "#tests/support/auction.ts";
import { BLOCK_RULE } from "#tests/support/block-rule.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";
import { OFFERING_RULE } from "#tests/support/offering-rule.ts";
import { RAISE_RULE } from "#tests/support/raise-rule.ts";
import { RULES } from "#tests/support/rules.ts";
import { raiseOf } from "#tests/support/raise.ts";
import { NOW, entryOf } from "./offering-samples.ts";

const LANGUAGES = { en, af, xh, zu, "zh-CN": zhCn, "zh-TW": zhTw };
type Language = keyof typeof LANGUAGES;
/** A refusal with its number; `field`: the one of the form that shows it, null for the form as a whole. */
type Refused = readonly [code: RefusalCode, field: string | null, n?: string];

const TODAY = epochMs(Date.now());
/** 50,000 shares at the market's price. */
const BLOCKS: BlockMarket = {
  open: true,
  changesAt: null,
  offers: [
    {
      offerId: "one",
      row: 0,
      price: price(1_000_000),
      shares: 50_000,
      left: 50_000,
      opensAt: TODAY,
      closesAt: epochMs(TODAY + DAY_MS),
      unlocksAt: epochMs(TODAY + DAY_MS),
      market: price(1_000_000),
      average: price(1_000_000),
    },
  ],
};
const FACTS = { ...OVERVIEW.facts, fundPassword: true, agreements: ["subscription"] as const };
let shown: Shown | undefined;
let worker: FakeWorker;

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
  for (const [language, texts] of Object.entries(LANGUAGES)) i18next.addResourceBundle(language, "translation", texts);
});
beforeEach(() => {
  mock("readMember", () => accepted({ ...OVERVIEW, facts: FACTS, availableCents: 900_000_000 } as never));
});
afterEach(async () => {
  await shown?.gone();
  vi.restoreAllMocks();
});

const textOf = (language: Language, [code, , n]: Refused): string =>
  (LANGUAGES[language].refusal as Record<string, string>)[code]?.replaceAll("{{n}}", n ?? "") ?? "";
const alerts = (): (string | null)[] => [...document.querySelectorAll("main [role=alert]")].map(({ textContent }) => textContent);
const submit = (): Promise<void> =>
  doing(() => [...document.querySelectorAll<HTMLButtonElement>("main form button[type=submit]")].at(-1)?.click());
const agree = (): Promise<void> =>
  doing(() => document.querySelector<HTMLInputElement>("main form input[type=checkbox]:not(:checked)")?.click());

/** Sends a form that is refused again and again, and looks for each refusal where it belongs. */
async function refuses(language: Language, name: EndpointName, all: readonly Refused[], send: () => Promise<void>): Promise<void> {
  for (const one of all) {
    const [code, field, n] = one;
    mock(name, () => refused(code, { ...(n === undefined ? {} : { params: { n } }), ...(field === null ? {} : { field }) }));
    await send();
    const text = textOf(language, one);
    expect(text, code).not.toBe("");
    await settled(() => fieldErrors().includes(text) || alerts().includes(text));
    expect([code, fieldErrors().includes(text)]).toEqual([code, field !== null]);
  }
}

describe.each(Object.keys(LANGUAGES) as Language[])("in %s", (language) => {
  const texts = LANGUAGES[language];
  beforeEach(() => i18next.changeLanguage(language));

  it("an application says why it was refused", async () => {
    vi.spyOn(Date, "now").mockReturnValue(NOW);
    mock("readOffering", () => accepted(entryOf({ kind: "placement", mostLots: 20 })));
    mock("listOfferings", () => accepted({ page: { items: [], next: null }, rule: OFFERING_RULE, barredDraws: 0 }));
    shown = await show(
      <Routes>
        <Route path="/home/newStockBuy" element={<NewShareApply />} />
      </Routes>,
      "/home/newStockBuy?offering=S1",
    );
    await settled(() => document.querySelector("main form"));
    await agree();
    const whole = [
      "TRD_NEW_SHARE_CLOSED",
      "TRD_NEW_BOND_CLOSED",
      "TRD_NO_SUBSCRIBABLE",
      "TRD_ALREADY_SUBSCRIBED",
      "TRD_NOT_SUBSCRIBE_TIME",
    ] as const;
    const all: Refused[] = [
      ...whole.map((code) => [code, null] as const),
      ["TRD_SINGLE_SUBSCRIPTION", null, "1"],
      ["TRD_SUBSCRIBE_BARRED", null, "3"],
      ["TRD_MIN_SUBSCRIPTION", "lots", "3"],
      ["TRD_LOTS_MAX", "lots", "5"],
    ];
    await refuses(language, "applySubscription", all, async () => {
      await type(texts.offering.lots, "4");
      await type(texts.app.title.fundPassword, "246810");
      await submit();
    });
  });

  it("a bid says why it was refused", async () => {
    mock("listBids", () => accepted({ items: [], next: null }));
    mock("readAuction", () => accepted({ auction: auctionOf(), booked: false, bids: [], disclosure: null }));
    shown = await show(<AuctionPage />, "/home/newStockBuyJp?code=N0004");
    await settled(() => document.querySelector("main form"));
    await type(texts.auction.field.price, "45");
    await type(texts.auction.field.lots, "3");
    const all: Refused[] = [
      ["AUC_NOT_STARTED", null],
      ["AUC_ENDED", null],
      ["AUC_BIDS_MAX", null, "10"],
      ["VAL_BID_MIN", "price", "46.00"],
    ];
    await refuses(language, "placeBid", all, async () => {
      if (!document.querySelector("main form input[type=password]")) await press(texts.auction.review);
      await agree();
      await type(texts.app.title.fundPassword, "246810");
      await submit();
    });
  });

  it("a block purchase says why it was refused", async () => {
    mock("readRules", () => accepted(RULES));
    mock("readBlockMarket", () => accepted({ market: BLOCKS, usedShares: 0, rule: BLOCK_RULE }));
    worker.emit({ kind: "instruments", table: { venue: null, categories: [], instruments: [fakeInstrument(0, "2330")] } as never });
    shown = await show(<BlockBuy />, "/home/blockTrade1?offer=one");
    await doing(() => worker.frame({ channels: [["blocks", "", BLOCKS]] as never }));
    await settled(() => document.querySelector("main form"));
    const all: Refused[] = [
      ["TRD_BLOCK_CLOSED", null],
      ["TRD_BLOCK_ENDED", null],
      ["TRD_BLOCK_MIN", "shares", "10,000"],
      ["TRD_BLOCK_DAILY_LIMIT", "shares", "100,000"],
      ["TRD_BLOCK_QUOTA", "shares", "50,000"],
    ];
    const buy = texts.block.buy;
    await refuses(language, "buyBlock", all, async () => {
      if (document.querySelector("main form")) await submit();
      await settled(() => words().includes(texts.block.reviewTitle));
      await press(buy);
    });
  });

  it("a subscription to a fund says why it was refused", async () => {
    mock("listStakes", () => accepted({ items: [], next: null }));
    mock("listRaises", () => accepted({ raises: [raiseOf()], rule: RAISE_RULE }));
    shown = await show(<FundsPage />, "/home/etf?fund=N0005F");
    await settled(() => document.querySelector("main form"));
    const all: Refused[] = [
      ["TRD_NOT_SUBSCRIBE_TIME", null],
      ["TRD_RAISE_ENDED", null],
      ["TRD_PRODUCT_MIN", "lots", "15,000"],
      ["TRD_RAISE_QUOTA_INSUFFICIENT", "lots"],
    ];
    await refuses(language, "subscribeRaise", all, async () => {
      if (!document.querySelector("main form input[type=password]")) {
        await type(texts.fund.field.lots, "3");
        await press(texts.fund.review);
      }
      await settled(() => document.querySelector("main form input[type=password]"));
      await type(texts.app.title.fundPassword, "246810");
      await submit();
    });
  });
});
