/** A capital increase on the phone: a holder sees the right, buys a part of the new shares, is paid for the rest, and gets a position. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { HOUR_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Offering } from "#contract/offering.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import { DEMO, closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { STROKES } from "#tests/support/signature.ts";
import { uuid } from "#tests/support/uuid.ts";
import { expectNoErrors, named, secondSession, seen, until } from "./steps.ts";

const FUND_PASSWORD = "246810";
/** A share that has a capital increase in the market of this seed, and two days before its ex-date. */
const CODE = "2308";
const BEFORE = Date.UTC(2027, 4, 22, 2);
/** How far the clocks of the broker and of the phone are ahead of the real one. */
let aheadMs = 0;
let server: TestServer;

beforeAll(async () => {
  const realNow = Date.now.bind(Date);
  aheadMs = BEFORE - realNow();
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + aheadMs);
  server = await startTestServer();
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

async function openPhone(): Promise<Visit> {
  const visitor = await newPage({ origin: server.url });
  await visitor.page.addInitScript((ms) => {
    const realNow = Date.now.bind(Date);
    Date.now = () => realNow() + Number(localStorage.getItem("ahead") ?? ms);
  }, aheadMs);
  await signIn(visitor);
  return visitor;
}

/** What a subscription needs of the member, and ten lots of the share. */
async function prepare(): Promise<void> {
  const member = await secondSession(server);
  await server.call("setFundPassword", { current: DEMO.password, fundPassword: FUND_PASSWORD, confirmation: FUND_PASSWORD }, member);
  const text = await server.call("readAgreement", { kind: "subscription", language: "en" }, member);
  if (text.status !== 1) throw new Error(text.msg);
  const { hash } = text.data;
  await server.call(
    "signAgreement",
    { kind: "subscription", language: "en", hash, readToEnd: true, typedName: "", strokes: STROKES },
    member,
  );
  const ticket = { requestId: uuid(), code: CODE, direction: "rise", pricing: "market", price: null, lots: 1 };
  const bought = await server.call("placeOrder", PlaceOrderBody.parse(ticket), member);
  if (bought.status !== 1) throw new Error(bought.msg);
}

async function announced(): Promise<Offering> {
  const member = await secondSession(server);
  const find = async (): Promise<Offering | undefined> => {
    const list = await server.call("listOfferings", { phases: ["upcoming"], kinds: ["increase"], cursor: null }, member);
    return list.status === 1 ? list.data.page.items[0]?.offering : undefined;
  };
  const found = await until(find, (one) => one !== undefined, "no capital increase was announced");
  if (!found) throw new Error("no capital increase");
  return found;
}

test("a holder uses a part of the right, is paid for the rest, and finds the new shares among the positions", async () => {
  await prepare();
  const { offeringNo, increase, opensAt, closesAt, allottedAt, names } = await announced();
  if (!increase) throw new Error("not an increase");
  const visitor = await openPhone();
  const { page } = visitor;
  await visit(visitor, "/home/newStock?tab=upcoming");
  await seen(named(visitor, "link", new RegExp(`${names.en}.*Capital increase`, "s")));
  await visit(visitor, `/home/newStockBuy?offering=${offeringNo}`);
  await seen(page.getByText("Only who holds the share before"));
  await seen(page.getByText("110 new shares per 1,000 held"));
  await seen(page.getByText("Provisional: the price is set"));

  await passTo(visitor, increase.exAt + HOUR_MS);
  await seen(page.getByText("110 shares"));
  await passTo(visitor, opensAt);
  await named(visitor, "textbox", "Shares").fill("111");
  await named(visitor, "checkbox", /I have read the terms/).check();
  await page.getByLabel("Fund password").fill(FUND_PASSWORD);
  await named(visitor, "button", /^Buy \(TWD/).click();
  await seen(page.getByText(/at most 110|Maximum.*110/i));
  await named(visitor, "textbox", "Shares").fill("100");
  await named(visitor, "button", /^Buy \(TWD/).click();
  await seen(named(visitor, "heading", "My applications"));
  await seen(page.getByText("Paid. You may withdraw until"));

  await passTo(visitor, closesAt);
  await seen(page.getByText("Paid", { exact: true }));
  await visit(visitor, `/home/newStockBuy?offering=${offeringNo}`);
  await seen(page.getByText(/You were paid TWD [\d,.]+ for the rights you did not use/));
  await passTo(visitor, allottedAt);
  await seen(named(visitor, "link", "To the position"));
  expectNoErrors(visitor);
  expect(page.url()).toContain(offeringNo);
});
