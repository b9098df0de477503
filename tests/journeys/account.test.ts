/** The account in a browser: applying for margin, signing day trading, exporting files, and a trading lock that blocks an order. */
import { readFileSync } from "node:fs";
import { extractText } from "unpdf";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { formatMoney } from "#contract/kernel/money.ts";
import type { Locator } from "playwright-core";
import type { CashEntry } from "#contract/cash-ledger.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { DEMO_MEMBER } from "#server/ops/seed.ts";
import { closePages, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { arrive, boxOf, expectNoErrors, named, openTicket, ordersOf, review, seen, slide, until } from "./steps.ts";

const CODE = "2330";
const LONG_AGO_DAYS = 200;
/** Upper bound for a volatility halt that delays an order, or for the review of an application. */
const PAUSE_MS = 150_000;

let server: TestServer;
let visitor: Visit;
let member: Headers;

beforeAll(async () => {
  server = await startTestServer();
  // An account old enough: the broker lends to no newer member.
  await server.db.kysely
    .updateTable("member")
    .set({ created_at: Date.now() - LONG_AGO_DAYS * DAY_MS })
    .where("account", "=", DEMO_MEMBER.account)
    .execute();
  member = await server.enter();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

beforeEach(async () => {
  visitor = await newPage({ origin: server.url });
  await arrive(visitor, "/home/index");
});

afterEach(() => visitor.close());

const text = (words: string | RegExp): Locator => visitor.page.locator("main:visible, dialog[open]").getByText(words).first();

/** Parses CSV by the rules of the format. */
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

/** The file that a press downloads. */
async function downloaded(press: () => Promise<void>): Promise<{ name: string; rows: string[][] }> {
  const [download] = await Promise.all([visitor.page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), rows: parsed(readFileSync(await download.path(), "utf8")) };
}

/** Every ledger entry the server lists. */
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

/** Buys one lot at market and waits for the fill. */
async function buy(): Promise<string> {
  const body = { requestId: RequestId.parse(crypto.randomUUID()), code: CODE, direction: "rise", pricing: "market", price: null, lots: 1 };
  const placed = await until(
    () => server.call("placeOrder", body as never, member),
    (reply) => reply.status === 1,
    "the order was never accepted",
    PAUSE_MS,
  );
  if (placed.status !== 1) throw new Error(placed.msg);
  const { orderNo } = placed.data;
  await until(
    () => server.call("readOrder", { orderNo }, member),
    (reply) => reply.status === 1 && reply.data.order.status === "holding",
    "the order was not filled",
    PAUSE_MS,
  );
  return orderNo;
}

/** Signs the open agreement by hand, and reads the PDF back. The button says why it waits until the text is read and signed. */
async function signOnScreen(): Promise<void> {
  const { page } = visitor;
  const button = named(visitor, "button", "Sign the agreement");
  await seen(text("Read the text to its end and confirm it above."));
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await named(visitor, "checkbox", "I have read the text to its end").check();
  await seen(text("Sign in the field above."));
  const pad = page.locator("canvas[data-ready]");
  await pad.scrollIntoViewIfNeeded();
  const box = await boxOf(pad);
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 10, { steps: 8 });
  await page.mouse.move(box.x + box.width - 20, box.y + 20, { steps: 8 });
  await page.mouse.up();
  await button.click();
  await seen(text(/^Signed /));
  const [download] = await Promise.all([page.waitForEvent("download"), named(visitor, "button", "Download as PDF").click()]);
  expect(download.suggestedFilename()).toBe(`margin-v1-${DEMO_MEMBER.account}.pdf`);
  const { text: words } = await extractText(new Uint8Array(readFileSync(await download.path())), { mergePages: true });
  expect(words.replaceAll(/\s+/g, "")).toContain("融資融券契約書");
  expect(words).toContain(DEMO_MEMBER.name);
}

/** Signs the open agreement with the keyboard alone: a wrong name is told at its field. */
async function signByName(): Promise<void> {
  await named(visitor, "checkbox", "I have read the text to its end").press("Space");
  await named(visitor, "radio", "Type my name").press("Space");
  const field = visitor.page.getByLabel("Your name", { exact: true });
  await field.fill("Nobody");
  await field.press("Enter");
  await seen(text("The name differs from your verified name"));
  await field.fill(DEMO_MEMBER.name);
  await field.press("Enter");
  await seen(text(/^Signed /));
}

test("a margin application is approved on the open screen; then day trading is signed and its warning level set", async () => {
  await visit(visitor, "/home/dayTrading");
  await seen(text("Not yet eligible"));
  await named(visitor, "link", "To the margin account").click();
  await seen(text(/ask|called to pay/));
  await named(visitor, "link", "Read and sign").click();
  await signOnScreen();
  await visit(visitor, "/home/margin");
  await named(visitor, "checkbox", /apply for a margin account/).check();
  await named(visitor, "button", "Apply").click();
  // The review is automatic, and its result appears without a reload.
  await until(
    () => server.call("readMargin", {}, member),
    (reply) => reply.status === 1 && reply.data.account.status === "approved",
    "the application was not reviewed",
    PAUSE_MS,
  );
  await seen(text("No margin loans and no short sales."));

  await visit(visitor, "/home/dayTrading");
  await named(visitor, "link", "Read and sign").click();
  await signByName();
  await visit(visitor, "/home/dayTrading");
  await seen(named(visitor, "button", "Sign the agreement"));
  await named(visitor, "button", "Sign the agreement").click();
  await seen(text("Please read the risks and tick that you agree."));
  await named(visitor, "checkbox", /I have read the risks/).check();
  await named(visitor, "button", "Sign the agreement").click();
  await seen(text(/Agreement signed/));
  const known = await server.call("readDayTrading", {}, member);
  expect(known.status === 1 && known.data.signedAt !== null).toBe(true);

  const percent = visitor.page.getByLabel("Warn at a loss of (%)", { exact: true });
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
    "the warning level was not saved",
  );
  expectNoErrors(visitor);
});

test("the cash ledger and orders are exported completely, as files that spreadsheets open correctly", async () => {
  const orderNo = await buy();
  await visit(visitor, "/information/fundRecord");
  await seen(text("Bought"));
  const flows = await allFlows();

  // The lines of the trade are grouped under its name, and shown on demand.
  const trade = visitor.page.locator("main:visible [aria-expanded]").first();
  const inside = visitor.page.locator("main:visible [data-inside]");
  await seen(trade.getByText(CODE));
  expect(await inside.count()).toBe(0);
  await trade.click();
  await seen(inside);
  const own = flows.filter((flow) => flow.orderNo === orderNo);
  expect(own.length).toBeGreaterThan(1);
  expect(await inside.count()).toBe(own.length);
  const sum = own.reduce((total, { amountCents }) => total + amountCents, 0);
  await seen(trade.getByText(formatMoney(sum, "always")));
  const all = await downloaded(() => named(visitor, "button", "Export as CSV").click());
  expect(all.name).toMatch(/^kuroshio-flow-\d{8}\.csv$/);
  const [heading, ...rows] = all.rows;
  expect(heading).toHaveLength(11);
  expect(rows.map((row) => row[1])).toEqual(flows.map(({ flowNo }) => flowNo));
  expect(rows.map((row) => Math.round(Number(row[3]) * 100))).toEqual(flows.map(({ amountCents }) => amountCents));
  for (const row of rows) expect(row[0]).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);

  // Only the filtered entries, and none for a period without entries.
  await named(visitor, "button", "Fee").click();
  await seen(text("Fee"));
  const fees = await downloaded(() => named(visitor, "button", "Export as CSV").click());
  expect(fees.rows.slice(1).map((row) => row[1])).toEqual(flows.filter(({ kind }) => kind === "fee").map(({ flowNo }) => flowNo));
  await named(visitor, "button", "Dates").click();
  await visitor.page.getByLabel("From").fill("2001-01-01");
  await visitor.page.getByLabel("Until").fill("2001-01-31");
  await seen(text("No movement of this kind"));

  await visit(visitor, "/information/index");
  const orders = await downloaded(() => named(visitor, "button", "Orders").click());
  const of = orders.rows.find((row) => row[1] === orderNo);
  expect(of?.[2]).toBe(`="${CODE}"`);
  expect(orders.rows.slice(1)).toHaveLength((await ordersOf(server)).length);
  const fills = await downloaded(() => named(visitor, "button", "Executions").click());
  const shares = fills.rows.filter((row) => row[1] === orderNo).reduce((sum, row) => sum + Number(row[5]), 0);
  const bought = (await ordersOf(server)).find((order) => order.orderNo === orderNo);
  expect(shares).toBe(bought?.filledLots);
  expectNoErrors(visitor);
});

test("a trading lock refuses an order on the ticket, and cannot be lifted", async () => {
  await visit(visitor, "/information/risk");
  const largest = visitor.page.getByLabel("Largest order, NT$");
  const save = visitor.page.locator("form").filter({ has: largest }).getByRole("button", { name: "Save" });
  await largest.fill("0");
  await save.click();
  await seen(text("Please enter an amount"));
  await largest.fill("50,000,000");
  await save.click();
  await seen(text("50,000,000.00"));

  const before = (await ordersOf(server)).length;
  await visitor.page.getByLabel("Hours", { exact: true }).fill("2");
  await named(visitor, "button", "Lock trading").click();
  await visitor.page.locator("dialog[open]").getByRole("button", { name: "Lock trading" }).click();
  await seen(text(/Locked until/));
  const ticket = await openTicket(visitor, CODE);
  await review(ticket, "Market", 1);
  await slide(visitor, ticket.getByRole("button", { name: /Confirm buy/ }));
  await seen(visitor.page.getByText(/You locked trading until/));
  expect((await ordersOf(server)).length).toBe(before);
  expectNoErrors(visitor);
});
