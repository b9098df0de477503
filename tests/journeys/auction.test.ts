/** The whole life of a bid: a reminder, a sealed bid, the opening with all bids by price, the payment, and the delivered position. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Auction } from "#contract/auction.ts";
import { bidCost } from "#contract/bid-price.ts";
import { formatMoney, formatPrice, price, typedPrice } from "#contract/kernel/money.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { toTick } from "#contract/tick.ts";
import { closePages, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import type { TestServer } from "#tests/support/server.ts";
import { FUND_PASSWORD, openPhone, passTo, prepareMember, startMovedServer } from "./moved-time.ts";
import { expectNoErrors, named, secondSession, seen, until } from "./steps.ts";

/** A whole session in compressed hours; bidding lasts three. */
const SESSION_MS = 10 * MINUTE_MS;

let server: TestServer;
beforeAll(async () => {
  server = await startMovedServer();
});
afterAll(async () => {
  await closePages();
  await server.stop();
  vi.restoreAllMocks();
});

/** The first auction that a test accepts, waited for. */
async function auctionThat(accept: (auction: Auction) => boolean, failure: string): Promise<Auction> {
  const member = await secondSession(server);
  const find = async (): Promise<Auction | undefined> => {
    const list = await server.call("listAuctions", {}, member);
    return list.status === 1 ? list.data.auctions.find(accept) : undefined;
  };
  const found = await until(find, (one) => one !== undefined, failure);
  if (!found) throw new Error(failure);
  return found;
}

/** The newest auction with enough time left for a bid. Every session announces an issue; session after session passes until one is auctioned. */
async function auctionWithTime(visitor: Visit): Promise<{ code: string; opensAt: number }> {
  for (;;) {
    // The venue's own list, which grows.
    const issues = [...server.venue.issues(Date.now())];
    const found = issues.findLast(({ auction }) => auction !== null && auction.closesAt > Date.now() + SESSION_MS);
    if (found?.auction) return { code: found.code, opensAt: found.auction.opensAt };
    await passTo(visitor, Date.now() + SESSION_MS);
    await until(
      () => server.venue.issues(Date.now()).length,
      (count) => count > issues.length,
      "no issue was announced",
    );
  }
}

test("a bid that cannot be changed wins at the opening, is paid by hand and becomes a position", async () => {
  await prepareMember(server);
  const visitor = await openPhone(server);
  const { page } = visitor;
  const main = page.locator("main:visible");
  await visit(visitor, "/home/newStockJp");
  const { code, opensAt } = await auctionWithTime(visitor);
  await passTo(visitor, opensAt);
  const auction = await auctionThat((one) => one.code === code && one.status === "bidding", "the auction takes no bids");
  const { minimumPrice, closesAt, opensBidsAt, allottedAt, refundsAt } = auction;
  await page.reload();
  await main.getByRole("link", { name: new RegExp(code) }).click();

  // Below the minimum it stays at its field.
  await page.getByLabel("Bid price", { exact: true }).fill(typedPrice(minimumPrice - 10_000));
  await named(visitor, "button", "Review the bid").click();
  await seen(main.getByText(/^The bid cannot be below the minimum bid/));
  // Far above what the others bid, it wins.
  const bid = toTick("stock", minimumPrice * 2);
  const cost = bidCost(auction, bid, 2);
  await page.getByLabel("Bid price", { exact: true }).fill(typedPrice(bid));
  await page.getByLabel("Lots", { exact: true }).fill("2");
  await named(visitor, "button", "Review the bid").click();
  await seen(main.getByText(`TWD ${formatMoney(cost.laterCents)}`));
  await page.getByLabel(/^I know that this bid cannot be changed/).check();
  await page.getByLabel("Fund password", { exact: true }).fill(FUND_PASSWORD);
  await named(visitor, "button", `Bid TWD ${formatMoney(cost.nowCents)}`).click();
  await seen(main.getByText("Waits for the opening", { exact: true }));
  expect(await main.getByRole("button", { name: /change|withdraw|cancel/i }).count()).toBe(0);

  // Sealed until the opening.
  await passTo(visitor, closesAt);
  await seen(main.getByText("Closed, bids not opened yet", { exact: true }));
  expect(await main.getByRole("table").count()).toBe(0);
  await passTo(visitor, opensBidsAt);
  await auctionThat((one) => one.code === code && one.status === "opened", "the bids were not opened");
  await seen(main.getByText("Won, to be paid", { exact: true }));
  await seen(main.getByRole("table").getByText("Yours: 2", { exact: true }));
  await seen(main.getByRole("table").getByText(/^Cut-off /));

  await page.getByLabel("Fund password", { exact: true }).fill(FUND_PASSWORD);
  await named(visitor, "button", `Pay TWD ${formatMoney(cost.laterCents)}`).click();
  await seen(main.getByText("Won and paid", { exact: true }));
  await visit(visitor, "/home/newStockJp?view=won");
  await seen(main.getByRole("link", { name: new RegExp(`${code}.*Won and paid.*${formatPrice(price(bid))}`) }));

  await passTo(visitor, Math.max(allottedAt, refundsAt));
  const member = await secondSession(server);
  const delivered = async (): Promise<boolean> => {
    const list = await server.call("listBids", { cursor: null }, member);
    return list.status === 1 && list.data.items[0]?.orderNo != null;
  };
  await until(delivered, (done) => done, "nothing was delivered");
  await visit(visitor, `/home/newStockBuyJp?code=${code}`);
  await page.reload();
  await named(visitor, "link", "To the position").click();
  await seen(main.getByText(code).first());
  expectNoErrors(visitor);
});
