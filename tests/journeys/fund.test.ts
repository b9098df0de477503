/** A fund in its raising: subscribed and withdrawn, subscribed again, allotted and delivered; and a savings plan that buys by the clock. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { Raise } from "#contract/raise.ts";
import { closePages, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import type { TestServer } from "#tests/support/server.ts";
import { FUND_PASSWORD, openPhone, passTo, prepareMember, startMovedServer } from "./moved-time.ts";
import { expectNoErrors, named, secondSession, seen, until } from "./steps.ts";

/** A whole session in compressed hours; a raising is open for three. */
const SESSION_MS = 10 * MINUTE_MS;

let server: TestServer;
beforeAll(async () => {
  server = await startMovedServer();
  await prepareMember(server);
});
afterAll(async () => {
  await closePages();
  await server.stop();
  vi.restoreAllMocks();
});

/** The newest fund with enough time left to subscribe. Every session announces an issue; session after session passes until one is a fund. */
async function fundWithTime(visitor: Visit): Promise<{ code: string; opensAt: number }> {
  for (;;) {
    // The venue's own list, which grows.
    const issues = [...server.venue.issues(Date.now())];
    const found = issues.findLast(({ kind, closesAt }) => kind === "fund" && closesAt > Date.now() + SESSION_MS);
    if (found) return found;
    await passTo(visitor, Date.now() + SESSION_MS);
    await until(
      () => server.venue.issues(Date.now()).length,
      (count) => count > issues.length,
      "no issue was announced",
    );
  }
}

/** One raising as the broker has it, once a test accepts it. */
async function raiseThat(code: string, accept: (raise: Raise) => boolean, failure: string): Promise<Raise> {
  const member = await secondSession(server);
  const read = async (): Promise<Raise | undefined> => {
    const list = await server.call("listRaises", {}, member);
    return list.status === 1 ? list.data.raises.find((one) => one.code === code && accept(one)) : undefined;
  };
  const found = await until(read, (one) => one !== undefined, failure);
  if (!found) throw new Error(failure);
  return found;
}

test("a stake is withdrawn, made again, and becomes a position that is locked until the listing", async () => {
  const visitor = await openPhone(server);
  const { page } = visitor;
  const main = page.locator("main:visible");
  await visit(visitor, "/home/etf");
  const { code, opensAt } = await fundWithTime(visitor);
  await passTo(visitor, opensAt);
  const { closesAt, allottedAt } = await raiseThat(code, ({ status }) => status === "raising", "the raising did not open");
  await page.reload();
  await main.getByRole("link", { name: new RegExp(code) }).click();
  await seen(main.getByText("Past performance does not promise").first());

  const subscribe = async (): Promise<void> => {
    // So many that some are allotted however much others ask for.
    await main.getByRole("textbox", { name: "Lots", exact: true }).fill("40");
    await named(visitor, "button", "Review").click();
    await page.getByLabel("Fund password", { exact: true }).fill(FUND_PASSWORD);
    await page.getByRole("button", { name: /^Subscribe TWD / }).click();
    await seen(main.getByText("Subscribed", { exact: true }));
  };
  await subscribe();
  await named(visitor, "button", "Withdraw").click();
  await page.locator("dialog[open]").getByRole("button", { name: "Withdraw", exact: true }).click();
  await seen(main.getByText("Withdrawn", { exact: true }));
  await subscribe();

  await passTo(visitor, closesAt);
  await raiseThat(code, ({ status }) => status === "raised", "the raising was not decided");
  await passTo(visitor, allottedAt);
  const member = await secondSession(server);
  const delivered = async (): Promise<boolean> => {
    const list = await server.call("listStakes", { cursor: null }, member);
    return list.status === 1 && list.data.items[0]?.orderNo != null;
  };
  await until(delivered, (done) => done, "nothing was delivered");
  await visit(visitor, "/home/etf?part=mine");
  await seen(main.getByText("In progress", { exact: true }).last());
  await named(visitor, "link", "To the position").click();
  await seen(main.getByText(code).first());
  expectNoErrors(visitor);
});

test("a savings plan buys by the clock, and is ended", async () => {
  const visitor = await openPhone(server);
  const main = visitor.page.locator("main:visible");
  await visit(visitor, "/home/etf?part=savings");
  await named(visitor, "link", "New savings plan").click();
  await visitor.page.getByRole("radio", { name: /0050/ }).click();
  await visitor.page.getByLabel("Amount a month (NT$)", { exact: true }).first().fill("30,000");
  await named(visitor, "button", "Start the plan").click();
  await seen(main.getByText("Running", { exact: true }));
  const member = await secondSession(server);
  const list = await server.call("listSavingsPlans", {}, member);
  const nextAt = list.status === 1 ? list.data.plans[0]?.nextAt : undefined;
  if (nextAt == null) throw new Error("nothing is due");
  await passTo(visitor, nextAt);
  const bought = async (): Promise<boolean> => {
    const runs = await server.call("listSavingsRuns", { planNo: null, cursor: null }, member);
    return runs.status === 1 && (runs.data.items[0]?.orders.length ?? 0) > 0;
  };
  await until(bought, (done) => done, "nothing was bought");
  await visitor.page.reload();
  await seen(main.getByRole("link", { name: /shares at|Working|Pending/ }));
  await named(visitor, "button", "End").click();
  await visitor.page.locator("dialog[open]").getByRole("button", { name: "End", exact: true }).click();
  await seen(main.getByText("Ended", { exact: true }).first());
  expect(await main.getByRole("button", { name: "Pause" }).count()).toBe(0);
  expectNoErrors(visitor);
});
