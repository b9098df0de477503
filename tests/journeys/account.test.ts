/** The account in a browser: margin applied for, day trading signed, files taken away, and a lock that keeps an order back. */
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Locator } from "playwright-core";
import type { CashEntry } from "#contract/cash-ledger.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { DEMO_MEMBER } from "#server/ops/seed.ts";
import { closeBrowser, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { arrive, blameless, named, openTicket, ordersOf, review, seen, slide, until } from "./stage.ts";

const CODE = "2330";
const LONG_AGO_DAYS = 200;
/** As long as a pause of one stock may keep an order back, or a busy house an application. */
const PAUSE_MS = 150_000;

let server: TestServer;
let visitor: Visit;
let member: Headers;

beforeAll(async () => {
  server = await startTestServer();
  // A member of long standing: the house lends to no one else.
  await server.db.kysely
    .updateTable("member")
    .set({ created_at: Date.now() - LONG_AGO_DAYS * DAY_MS })
    .where("account", "=", DEMO_MEMBER.account)
    .execute();
  member = await server.enter();
});

afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

beforeEach(async () => {
  visitor = await newPage({ origin: server.url });
  await arrive(visitor, "/home/index");
});

afterEach(() => visitor.close());

const text = (words: string | RegExp): Locator => visitor.page.locator("main:visible, dialog[open]").getByText(words).first();

/** A table as it lies in a file, by the rules of the format. */
function parsed(file: string): string[][] {
  expect(file.startsWith("\uFEFF")).toBe(true);
  expect(file.endsWith("\r\n")).toBe(true);
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  cell.lastIndex = 1;
  for (let match = cell.exec(file); match; match = cell.exec(file)) {
    rows.at(-1)?.push((match[1] ?? match[2] ?? "").replaceAll('""', '"'));
    if (match[3] !== ",") rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

/** What a press hands over as a file. */
async function taken(press: () => Promise<void>): Promise<{ name: string; rows: string[][] }> {
  const [download] = await Promise.all([visitor.page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), rows: parsed(readFileSync(await download.path(), "utf8")) };
}

/** Every movement the desk lists. */
async function allFlows(): Promise<CashEntry[]> {
  const flows: CashEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listFlows>> = await listFlows(cursor);
    flows.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return flows;
}

async function listFlows(cursor: string | null) {
  const reply = await server.call("listFlows", { kinds: null, cursor }, member);
  if (reply.status !== 1) throw new Error(reply.msg);
  return reply.data;
}

/** A lot bought at the market, and filled. */
async function buy(): Promise<string> {
  const body = { requestId: RequestId.parse(crypto.randomUUID()), code: CODE, direction: "rise", pricing: "market", price: null, lots: 1 };
  const placed = await until(
    () => server.call("placeOrder", body as never, member),
    (reply) => reply.status === 1,
    "nothing is bought",
    PAUSE_MS,
  );
  if (placed.status !== 1) throw new Error(placed.msg);
  const { orderNo } = placed.data;
  await until(
    () => server.call("readOrder", { orderNo }, member),
    (reply) => reply.status === 1 && reply.data.order.status === "holding",
    "it is not filled",
    PAUSE_MS,
  );
  return orderNo;
}

test("margin is applied for and approved while one looks on; then day trading is signed, and its warning set", async () => {
  await visit(visitor, "/home/dayTrading");
  await seen(text("Not yet"));
  await named(visitor, "link", "To the margin account").click();
  await seen(text(/ask|called to pay/));
  await named(visitor, "checkbox", /apply for a margin account/).check();
  await named(visitor, "button", "Apply").click();
  // The house reviews it by itself, and its word comes without a reload.
  await until(
    () => server.call("readMargin", {}, member),
    (reply) => reply.status === 1 && reply.data.account.status === "approved",
    "nobody reviews it",
    PAUSE_MS,
  );
  await seen(text("Nothing is owed."));

  await visit(visitor, "/home/dayTrading");
  await seen(named(visitor, "button", "Sign the agreement"));
  await named(visitor, "button", "Sign the agreement").click();
  await seen(text("Please read the risks and tick that you agree."));
  await named(visitor, "checkbox", /I have read the risks/).check();
  await named(visitor, "button", "Sign the agreement").click();
  await seen(text(/Agreement signed/));
  const known = await server.call("readDayTrading", {}, member);
  expect(known.status === 1 && known.data.signedAt !== null).toBe(true);

  const percent = visitor.page.getByLabel("Warn at a loss of, percent", { exact: true });
  await percent.fill("0");
  await named(visitor, "button", "Save").click();
  await seen(text("Please enter a whole number from 1 to 90"));
  await percent.fill("12");
  await named(visitor, "button", "Save").click();
  await until(
    async () => {
      const reply = await server.call("readDayTrading", {}, member);
      return reply.status === 1 ? reply.data.warningPercent : null;
    },
    (warning) => warning === 12,
    "the warning is not kept",
  );
  blameless(visitor);
});

test("capital flow and orders are taken away whole, as files a spreadsheet opens right", async () => {
  const orderNo = await buy();
  await visit(visitor, "/information/fundRecord");
  await seen(text("Bought"));
  const flows = await allFlows();
  const all = await taken(() => named(visitor, "button", "Export as CSV").click());
  expect(all.name).toMatch(/^kuroshio-flow-\d{8}\.csv$/);
  const [heading, ...rows] = all.rows;
  expect(heading).toHaveLength(9);
  expect(rows.map((row) => row[1])).toEqual(flows.map(({ flowNo }) => flowNo));
  expect(rows.map((row) => Math.round(Number(row[3]) * 100))).toEqual(flows.map(({ amountCents }) => amountCents));
  for (const row of rows) expect(row[0]).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);

  // Only what is filtered, and nothing of a day there was nothing on.
  await named(visitor, "button", "Fee").click();
  await seen(text("Fee"));
  const fees = await taken(() => named(visitor, "button", "Export as CSV").click());
  expect(fees.rows.slice(1).map((row) => row[1])).toEqual(flows.filter(({ kind }) => kind === "fee").map(({ flowNo }) => flowNo));
  await named(visitor, "button", "Dates").click();
  await visitor.page.getByLabel("From").fill("2001-01-01");
  await visitor.page.getByLabel("Until").fill("2001-01-31");
  await seen(text("No movement of this kind"));

  await visit(visitor, "/information/index");
  const orders = await taken(() => named(visitor, "button", "Orders").click());
  const of = orders.rows.find((row) => row[1] === orderNo);
  expect(of?.[2]).toBe(`="${CODE}"`);
  expect(orders.rows.slice(1)).toHaveLength((await ordersOf(server)).length);
  const fills = await taken(() => named(visitor, "button", "Executions").click());
  const shares = fills.rows.filter((row) => row[1] === orderNo).reduce((sum, row) => sum + Number(row[5]), 0);
  const bought = (await ordersOf(server)).find((order) => order.orderNo === orderNo);
  expect(shares).toBe(bought?.filledLots);
  blameless(visitor);
});

test("a trading lock holds an order back on the ticket, and cannot be taken back", async () => {
  await visit(visitor, "/information/risk");
  await visitor.page.getByLabel("Largest order, NT$").fill("0");
  await named(visitor, "button", "Save").click();
  await seen(text("Please enter an amount"));
  await visitor.page.getByLabel("Largest order, NT$").fill("50,000,000");
  await named(visitor, "button", "Save").click();
  await seen(text("50,000,000.00"));

  const before = (await ordersOf(server)).length;
  await visitor.page.getByLabel("Hours", { exact: true }).fill("2");
  await named(visitor, "button", "Lock trading").click();
  await visitor.page.locator("dialog[open]").getByRole("button", { name: "Lock trading" }).click();
  await seen(text(/Locked until/));
  const ticket = await openTicket(visitor, CODE);
  await review(ticket, "Market", 1);
  await slide(visitor, ticket.getByRole("button", { name: /Buy rise/ }));
  await seen(visitor.page.getByText(/You locked trading until/));
  expect((await ordersOf(server)).length).toBe(before);
  blameless(visitor);
});
