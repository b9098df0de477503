/** A newcomer on an empty database: invited with the code of the first start, registers, proves who they are, pays in, buys, and holds. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { awaits, beginEffort, deposit, effort, proveIdentity, register, setFundPassword, tap, type } from "./newcomer-steps.ts";
import { expectNoErrors, named, review, seen, slide, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await closePages();
  await server.stop();
});

/** From the market through the search to a filled order, and to the position that it became. */
async function buy(visitor: Visit): Promise<void> {
  const { page } = visitor;
  await tap(named(visitor, "link", "To the market"));
  await tap(named(visitor, "link", "Home"));
  await tap(page.locator('a[href$="/favorite/search"]:visible').first());
  await type(page.getByRole("searchbox"), "0050");
  await tap(page.getByRole("main").getByRole("link", { name: /0050/ }).first());
  await tap(named(visitor, "button", /^Buy/).first());
  const ticket = page.locator("dialog[open]");
  await seen(ticket);
  // Market order, number of lots, end of the number pad, review, and the slide.
  await review(ticket, "Market", 1);
  effort.taps += 4;
  effort.fields += 1;
  effort.characters += 1;
  await slide(visitor, ticket.getByRole("button", { name: /Confirm buy/ }));
  await awaits(ticket.getByText("Filled", { exact: true }));
  await tap(ticket.getByRole("link", { name: "View order" }));
}

/** A person's pace on a phone: a second and a half for each tap, a second to begin a field, and a third of one for each character. */
const secondsOf = ({ taps, fields, characters, waitedMs }: typeof effort): number =>
  Math.round(1.5 * taps + fields + characters / 3 + waitedMs / 1_000);

test("an invitation becomes a verified account with money and a first position, without an operator", async () => {
  beginEffort();
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  const route = (): string => new URL(page.url()).hash.slice(1);

  await register(visitor);
  await until(route, (at) => at === "/login/loginAfter", "the checklist was not shown");
  await proveIdentity(visitor);
  await setFundPassword(visitor);
  await deposit(visitor);
  await buy(visitor);
  await seen(page.getByText("Open", { exact: true }).first());
  const account = await page.evaluate(() => localStorage.getItem("account"));
  const [held] = await server.db.kysely
    .selectFrom("order")
    .innerJoin("member", "member.id", "order.member_id")
    .select(["order.status", "code", "filled_lots"])
    .where("account", "=", account ?? "")
    .execute();
  expect(held).toEqual({ status: "holding", code: "0050", filled_lots: 1 });
  console.info(`registration to the first position: ${JSON.stringify(effort)}, about ${secondsOf(effort)} s`);
  expect(effort.taps).toBeLessThanOrEqual(28);
  expect(effort.fields).toBeLessThanOrEqual(15);
  expectNoErrors(visitor);
});
