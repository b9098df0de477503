/** The screens of auctions: views, what keeps a bid back, the form with its costs and its review, the outcome, and the payment. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Auction } from "#contract/auction.ts";
import type { Bid } from "#contract/bid.ts";
import type { MemberFacts } from "#contract/eligibility.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import en from "#locales/en.json";
import { AuctionPage } from "#src/screens/home/auction-page.tsx";
import { Auctions } from "#src/screens/home/auctions.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, broken, mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, bodies, setUpHarness } from "#tests/src/streams/harness.tsx";
import { field, fieldErrors, press, settled, type, ways, words } from "#tests/src/screens/form.ts";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { auctionOf, bidOf } from "#tests/support/auction.ts";

let worker: FakeWorker;
let shown: Shown;
let facts = 0;

const READY: Partial<MemberFacts> = { fundPassword: true, agreements: ["subscription"] };
const facing = (over: Partial<MemberFacts> = READY) =>
  mock("readMember", () => accepted({ ...OVERVIEW, availableCents: 50_000_000, facts: { ...OVERVIEW.facts, ...over } }));

async function open(auction: Auction, bids: readonly Bid[] = [], booked = false): Promise<void> {
  mock("readAuction", () => accepted({ auction, booked, bids: [...bids], disclosure: null }));
  shown = await show(<AuctionPage />, `/home/newStockBuyJp?code=${auction.code}`);
  await settled(() => words().includes(en.auction.terms));
}

/** Fills the form and goes on to the review. */
async function review(at: string, lots: string): Promise<void> {
  await settled(() => document.querySelector("form"));
  await type(en.auction.field.price, at);
  await type(en.auction.field.lots, lots);
  await press(en.auction.review);
}

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
});
beforeEach(() => {
  facing();
  mock("listBids", () => accepted({ items: [], next: null }));
});
afterEach(() => shown.gone());

describe("the list", () => {
  const auctions = [
    auctionOf({ code: "N0001", status: "closed", closesAt: Date.now() - 1 }),
    auctionOf({ code: "N0002", status: "notStarted", opensAt: Date.now() + DAY_MS }),
    auctionOf({ code: "N0003" }),
  ];

  it("opens on the auctions that take bids, and has a view for each other state", async () => {
    mock("listAuctions", () => accepted({ auctions, booked: ["N0002" as Auction["code"]] }));
    shown = await show(<Auctions />, "/home/newStockJp");
    await settled(() => words().includes("N0003"));
    expect(words()).not.toContain("N0001");
    await press(en.auction.view.notStarted);
    expect(words()).toContain("N0002");
    expect(words()).toContain(en.auction.bookedShort);
    await press(en.auction.view.closed);
    expect(words()).toContain("N0001");
  });

  it("has the bids that won apart from all others, and loads more of them", async () => {
    mock("listAuctions", () => accepted({ auctions, booked: [] }));
    const won = bidOf({ bidNo: "A000000000002", status: "won", wonLots: 2, dueCents: 4_680_000 });
    mock("listBids", ({ cursor }) =>
      accepted(cursor === null ? { items: [won], next: "1" } : { items: [bidOf({ status: "lost" })], next: null }),
    );
    shown = await show(<Auctions />, "/home/newStockJp?view=mine");
    await settled(() => words().includes("TWD 46,800.00"));
    expect(words()).toContain("2 / 3 lots");
    await press(en.auction.more);
    await settled(() => words().includes(en.auction.bid.lost));
    await press(en.auction.view.won);
    expect(document.querySelectorAll("main li")).toHaveLength(1);
  });

  it("marks the auctions in which the member has bid", async () => {
    mock("listAuctions", () => accepted({ auctions: [auctionOf({ code: "N0003" }), auctionOf({ code: "N0005" })], booked: [] }));
    mock("listBids", () => accepted({ items: [bidOf({ code: "N0003" })], next: null }));
    shown = await show(<Auctions />, "/home/newStockJp");
    await settled(() => words().includes(en.auction.bidPlaced));
    const rows = [...document.querySelectorAll("main li")].map(({ textContent }) => textContent ?? "");
    expect(rows.map((row) => [row.slice(0, 5), row.includes(en.auction.bidPlaced)])).toEqual([
      ["N0003", true],
      ["N0005", false],
    ]);
  });

  it("says what failed, and tries again", async () => {
    mock("listAuctions", () => broken.status(500));
    shown = await show(<Auctions />, "/home/newStockJp");
    await settled(() => words().includes(en.auction.failed));
    mock("listAuctions", () => accepted({ auctions: [], booked: [] }));
    await press(en.ui.retry);
    await settled(() => words().includes(en.auction.none.bidding));
  });
});

describe("before a bid", () => {
  it("says everything that keeps it back, each with the way out", async () => {
    facing({});
    await open(auctionOf());
    await settled(() => words().includes(en.refusal.PWD_FUND_NOT_SET));
    expect(words()).toContain(en.refusal.ACC_AGREEMENT_UNSIGNED);
    expect(ways()).toEqual(["/information/fundPass", "/information/shou?kind=subscription"]);
    expect(document.querySelector("form")).toBeNull();
  });

  it("says that there are enough bids already", async () => {
    const bids = Array.from({ length: 10 }, (_, nth) => bidOf({ bidNo: `A00000000000${nth}` }));
    await open(auctionOf(), bids);
    await settled(() => words().includes("At most 10 bids in one auction"));
    expect(document.querySelector("form")).toBeNull();
  });

  it("offers a reminder until it begins, once", async () => {
    await open(auctionOf({ status: "notStarted", opensAt: Date.now() + DAY_MS }));
    mock("bookAuction", () => accepted({ code: "N0004" as Auction["code"] }));
    mock("listAuctions", () => accepted({ auctions: [], booked: [] }));
    await press(en.auction.book);
    await settled(() => words().includes(en.auction.booked));
    expect(words()).not.toContain(en.auction.book);
    expect(bodies("bookAuction")).toMatchObject([{ code: "N0004" }]);
  });

  it("tells nothing of what was bid until the opening", async () => {
    await open(auctionOf({ status: "closed", closesAt: Date.now() - 1 }), [bidOf()]);
    expect(words()).toContain(en.auction.bid.placed);
    expect(document.querySelector("table")).toBeNull();
    expect(document.querySelector("form")).toBeNull();
  });
});

describe("the form", () => {
  it.each([
    ["39.95", "1", "The bid cannot be below the minimum bid of 40.00"],
    ["45.03", "1", "The price must be a multiple of the tick 0.05"],
    ["", "1", en.refusal.VAL_LIMIT_PRICE_POSITIVE],
    ["45", "101", "At most 100 lots a bid"],
    ["45", "1.5", en.refusal.VAL_LOTS_INTEGER],
  ])("keeps %s for %s lots at its field", async (at, lots, said) => {
    await open(auctionOf());
    await review(at, lots);
    await settled(() => fieldErrors().includes(said));
    expect(words()).not.toContain(en.auction.reviewTitle);
    expect(bodies("placeBid")).toEqual([]);
  });

  it("shows what a bid takes now, what never comes back, and what a win would still cost, before it asks for the password", async () => {
    await open(auctionOf());
    await review("45", "3");
    await settled(() => words().includes(en.auction.reviewTitle));
    expect(words()).toContain("45.00 × 3 lots × 1,000");
    // 3,000 shares at 45: half is the deposit, 400 the fee, 4 % the award fee.
    for (const said of ["TWD 135,000.00", "TWD 67,500.00", "TWD 400.00", "TWD 67,900.00", "TWD 5,400.00", "TWD 72,900.00"])
      expect(words()).toContain(said);
    expect(words()).toContain("is never returned");
    await type(en.app.title.fundPassword, "246810");
    await press("Bid TWD 67,900.00");
    await settled(() => words().includes(en.auction.agreeFirst));
    expect(bodies("placeBid")).toEqual([]);
  });

  it("sends the bid once, shows a refusal at its field, and then the bid among the member's own", async () => {
    await open(auctionOf());
    await review("45", "3");
    await settled(() => words().includes(en.auction.reviewTitle));
    await doing(() => document.querySelector<HTMLInputElement>("input[type=checkbox]")?.click());
    mock("placeBid", () => refused("PWD_FUND_WRONG", { params: { n: 4 }, field: "fundPassword" }));
    await type(en.app.title.fundPassword, "111111");
    await press("Bid TWD 67,900.00");
    await settled(() => fieldErrors().length === 1);
    mock("placeBid", () => accepted(bidOf()));
    await type(en.app.title.fundPassword, "246810");
    await press("Bid TWD 67,900.00");
    await settled(() => words().includes("45.00 × 3 lots") && !words().includes(en.auction.reviewTitle));
    expect(bodies("placeBid")).toMatchObject([
      { code: "N0004", price: 450_000, lots: 3, fundPassword: "111111" },
      { code: "N0004", price: 450_000, lots: 3, fundPassword: "246810" },
    ]);
  });

  it("brings a refused price back to its field", async () => {
    await open(auctionOf());
    await review("45", "3");
    await settled(() => words().includes(en.auction.reviewTitle));
    await doing(() => document.querySelector<HTMLInputElement>("input[type=checkbox]")?.click());
    mock("placeBid", () => refused("VAL_BID_MIN", { params: { n: "46.00" }, field: "price" }));
    await type(en.app.title.fundPassword, "246810");
    await press("Bid TWD 67,900.00");
    await settled(() => fieldErrors().includes("The bid cannot be below the minimum bid of 46.00"));
    expect(field(en.auction.field.price).value).toBe("45");
  });
});

describe("after the opening", () => {
  const histogram = [
    { from: price(400_000), lots: 600, wonLots: 0 },
    { from: price(430_000), lots: 500, wonLots: 300 },
    { from: price(460_000), lots: 700, wonLots: 700 },
  ];
  const outcome = {
    openedAt: epochMs(1),
    bids: 240,
    lotsBid: 1_800,
    lotsWon: 1_000,
    cutOff: price(440_000),
    average: price(462_500),
    price: price(462_500),
    histogram,
  };
  const opened = auctionOf({ status: "opened", outcome });
  const won = bidOf({ status: "won", wonLots: 3, wonCents: 13_500_000, awardFeeCents: 540_000, dueCents: 7_290_000 });

  it("shows all bids by price with the cut-off and the member's among them", async () => {
    await open(opened, [won, bidOf({ bidNo: "A000000000002", status: "lost", price: 401_000, lots: 2, refundCents: 4_010_000 })]);
    const rows = [...document.querySelectorAll("tbody tr")].map(({ textContent }) => textContent);
    expect(rows).toEqual(["46.00700", "43.00Yours: 3Cut-off 44.00500", "40.00Yours: 2600"]);
    expect(document.querySelector("caption")?.textContent).toContain("1,000 lots won at 44.00 or more, 800 did not");
    for (const said of ["46.25", "1,000 / 1,000 lots", "TWD 40,100.00"]) expect(words()).toContain(said);
  });

  it("says that nobody has bid", async () => {
    await open(auctionOf({ status: "opened", outcome: { ...outcome, bids: 0, cutOff: null, average: null, histogram: [] } }));
    expect(words()).toContain(en.auction.nobody);
    expect(document.querySelector("table")).toBeNull();
  });

  it("takes the payment of a bid that won, with what happens without it", async () => {
    await open(opened, [won]);
    await settled(() => field(en.app.title.fundPassword));
    expect(words()).toContain(en.auction.note.unpaid);
    mock("payBid", () => accepted({ ...won, status: "paid", dueCents: cents(0), paidAt: epochMs(2) }));
    await type(en.app.title.fundPassword, "246810");
    await press("Pay TWD 72,900.00");
    await settled(() => words().includes(en.auction.bid.paid));
    expect(bodies("payBid")).toMatchObject([{ bidNo: won.bidNo, fundPassword: "246810" }]);
    expect(document.querySelector("form")).toBeNull();
  });

  it("is read again when a fact says what became of a bid", async () => {
    await open(auctionOf(), [bidOf()]);
    mock("readAuction", () => accepted({ auction: opened, booked: false, bids: [won], disclosure: null }));
    await doing(() => worker.emit({ kind: "facts", facts: [{ n: ++facts, at: 5_000, type: "bid.won", bid: won }] as never }));
    await settled(() => words().includes(en.auction.outcome));
    expect(words()).toContain("TWD 72,900.00");
  });

  it("leads to the position that a paid bid became", async () => {
    await open(opened, [bidOf({ status: "paid", orderNo: "K000000000001" })]);
    expect(ways()).toEqual(["/trade/positionDetail?orderNo=K000000000001"]);
  });
});
