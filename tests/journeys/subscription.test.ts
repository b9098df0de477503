/** The whole life of a subscription: a reminder, an application, the draw checked on the phone, the payment, and the delivered position. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Offering } from "#contract/offering.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { DEMO, closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { STROKES } from "#tests/support/signature.ts";
import { expectNoErrors, named, secondSession, seen, until } from "./steps.ts";

const FUND_PASSWORD = "246810";
/** How far the clocks of the broker and of the phone are ahead of the real one. */
let aheadMs = 0;
let server: TestServer;

beforeAll(async () => {
  const realNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + aheadMs);
  // A whole life takes an hour.
  server = await startTestServer({ venue: { hours: "compressed", newIssues: true } });
});
afterAll(async () => {
  await closePages();
  await server.stop();
  vi.restoreAllMocks();
});

/** Moves the clocks to just after a moment, and shows the page as of then. */
async function passTo({ page }: Visit, moment: number): Promise<void> {
  aheadMs += Math.max(0, moment + SECOND_MS - Date.now());
  await page.evaluate((ms) => localStorage.setItem("ahead", String(ms)), aheadMs);
  await page.reload();
}

/** A phone whose clock is that of the broker. */
async function openPhone(): Promise<Visit> {
  const visitor = await newPage({ origin: server.url });
  await visitor.page.addInitScript(() => {
    const realNow = Date.now.bind(Date);
    Date.now = () => realNow() + Number(localStorage.getItem("ahead") ?? 0);
  });
  await signIn(visitor);
  return visitor;
}

/** What a subscription needs of the member. */
async function prepare(): Promise<void> {
  const member = await secondSession(server);
  const current = DEMO.password;
  await server.call("setFundPassword", { current, fundPassword: FUND_PASSWORD, confirmation: FUND_PASSWORD }, member);
  const text = await server.call("readAgreement", { kind: "subscription", language: "en" }, member);
  if (text.status !== 1) throw new Error(text.msg);
  const { hash } = text.data;
  await server.call(
    "signAgreement",
    { kind: "subscription", language: "en", hash, readToEnd: true, typedName: "", strokes: STROKES },
    member,
  );
}

/** A lottery that is not open yet, with its price set. */
async function upcomingLottery(): Promise<Offering> {
  const member = await secondSession(server);
  const find = async (): Promise<Offering | undefined> => {
    const list = await server.call("listOfferings", { phases: ["upcoming"], kinds: ["share", "bond"], cursor: null }, member);
    if (list.status !== 1) return undefined;
    return list.data.page.items.map(({ offering }) => offering).findLast(({ price, opensAt }) => price !== null && opensAt > Date.now());
  };
  const found = await until(find, (one) => one !== undefined, "no lottery was announced");
  if (!found) throw new Error("no lottery");
  return found;
}

test("a reminder becomes an application, a win, a payment and a position, and the draw is checked on the phone", async () => {
  await prepare();
  const { offeringNo, opensAt, closesAt, drawnAt, allottedAt, names } = await upcomingLottery();
  const visitor = await openPhone();
  const { page } = visitor;
  const main = page.locator("main:visible");

  await visit(visitor, `/home/newStockBuy?offering=${offeringNo}`);
  await named(visitor, "button", "Remind me when it opens").click();
  await seen(main.getByText("Reminder booked"));

  // Enough lots for everybody: the member wins.
  await query(server.db.kysely, "UPDATE offering SET lots = 1000000 WHERE offering_no = $1", [offeringNo]);
  await passTo(visitor, opensAt);
  await seen(main.getByText("New shares · Open for applications").or(main.getByText("New bonds · Open for applications")));
  await page.getByLabel("Fund password", { exact: true }).fill(FUND_PASSWORD);
  await page.getByLabel(/^I have read the terms/).check();
  await page.getByRole("button", { name: /^Apply \(/ }).click();
  await seen(main.getByText("Subscribing", { exact: true }));

  await passTo(visitor, closesAt);
  await seen(main.getByText("Awaiting the draw", { exact: true }));
  // It is won at the draw, and can be paid once payment opens.
  await passTo(visitor, drawnAt ?? closesAt);
  await seen(main.getByText("Won", { exact: true }).or(main.getByText("To be paid", { exact: true })));
  const member = await secondSession(server);
  const read = async () => {
    const list = await server.call("listSubscriptions", { cursor: null }, member);
    return list.status === 1 ? list.data.items[0] : undefined;
  };
  const won = await until(read, (one) => one?.payableFrom != null, "there is no time to pay");
  await passTo(visitor, won?.payableFrom ?? 0);
  await main.getByRole("button", { name: /^Pay / }).click();
  const sheet = page.locator("dialog[open]");
  await sheet.getByLabel("Fund password", { exact: true }).fill(FUND_PASSWORD);
  await sheet.getByRole("button", { name: /^Pay / }).click();
  await seen(main.getByText("Paid", { exact: true }));

  await visit(visitor, `/home/newStockBuy?offering=${offeringNo}`);
  await named(visitor, "button", "Check this draw").click();
  await seen(main.getByText("This device repeated the draw and found the same result."));
  await seen(main.getByText("Your application is in the list and gets 1 lot"));

  await passTo(visitor, allottedAt);
  await until(read, (one) => one?.orderNo != null, "nothing was delivered");
  await visit(visitor, "/home/newShareOrder");
  await page.reload();
  await named(visitor, "link", "To the position").click();
  await seen(page.getByRole("heading", { name: names.en }));
  expect((await read())?.status).toBe("paid");
  expectNoErrors(visitor);
});
