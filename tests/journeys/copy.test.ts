/** Copy trading on the phone: a mentor's record is recomputed, followed, copied with the price beside the mentor's, paused, and stopped. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { UsualVolume } from "#server/accounts/usual-volume.ts";
import { runCommand } from "#server/ops/run-command.ts";
import { DEMO, closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { uuid } from "#tests/support/uuid.ts";
import { FUND_PASSWORD, signAs } from "./moved-time.ts";
import { expectNoErrors, named, ordersOf, secondSession, seen, until } from "./steps.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await closePages();
  await server.stop();
});

/** A member whom the operator admits as a mentor, with a capital of NT$2,000,000. */
async function admitMentor(): Promise<Headers> {
  const account = "KS800001";
  const id = await createMember(server.db, {
    account,
    idNumber: account,
    name: "陳老師",
    password: "secret",
    guaranteeCode: "888888",
    identity: "verified",
    depositCents: cents(2_000_000_000),
    at: Date.now(),
  });
  const said: string[] = [];
  const words = ["mentor", "admit", "--account", account, "--name", "Chen", "--capital", "2000000"];
  await runCommand(server.db, words, (line) => said.push(line), "tests");
  expect(said.join(" ")).toContain("can be copied");
  return { token: (await server.sessions.open(id, "test")).token, account };
}

/** Copies buy a tenth of what trades on a usual day: this many lots leave room for all of the journey. */
const USUAL_LOTS = 500;

/** Buys ten lots of something cheap that trades enough as the mentor. @returns its code */
async function buyAsMentor(mentor: Headers): Promise<string> {
  const volume = new UsualVolume();
  const cheap = server.venue.instruments
    .filter(({ kind, tradable, lotShares, row }) => kind === "stock" && tradable && lotShares > 1 && server.venue.quote(row).ask > 0)
    .toSorted((a, b) => server.venue.quote(a.row).ask - server.venue.quote(b.row).ask);
  for (const { code } of cheap) {
    if ((await volume.of(server.venue, code, Date.now())) < USUAL_LOTS) continue;
    const ticket = { requestId: uuid(), code, direction: "rise", pricing: "market", price: null, lots: 10, validity: "fok" };
    const bought = await server.call("placeOrder", PlaceOrderBody.parse(ticket), mentor);
    if (bought.status === 1 && bought.data.status === "holding") return code;
  }
  throw new Error("the mentor could buy nothing");
}

test("a mentor is checked, followed, copied, paused and stopped", async () => {
  const mentor = await admitMentor();
  const first = await buyAsMentor(mentor);
  const visitor = await newPage({ origin: server.url });
  await signIn(visitor);
  const { page } = visitor;
  const main = page.locator("main:visible");
  await visit(visitor, "/home/fllow");
  await seen(main.getByText("Kuroshio's own, simulated for the sandbox").first());
  await seen(main.getByText("past result").first());
  await main.getByRole("link", { name: /Chen/ }).click();
  await seen(main.getByText("Fewer than 30 days: too short to judge by").first());
  await named(visitor, "button", "Recompute the record from every fill").click();
  await seen(main.getByText(/Computed on this device from \d+ fills?: the same/));
  await seen(main.getByRole("list", { name: "Fills, newest first" }).getByText(new RegExp(first)).first());

  await seen(main.getByText("You cannot follow yet").first());
  const member = await secondSession(server);
  await server.call("setFundPassword", { current: DEMO.password, fundPassword: FUND_PASSWORD, confirmation: FUND_PASSWORD }, member);
  await signAs(server, "copy");
  await page.reload();
  await page.getByLabel("Amount, NT$", { exact: true }).fill("99,999");
  await named(visitor, "button", "Follow").click();
  await seen(main.getByText(/100,000/).first());
  await page.getByLabel("Amount, NT$", { exact: true }).fill("1,000,000");
  await named(visitor, "button", "Follow").click();
  await seen(main.getByText("Following", { exact: true }).last());

  const code = await buyAsMentor(mentor);
  const copied = await until(
    () => ordersOf(server),
    (orders) => orders.some(({ origin }) => origin === "copy"),
    "nothing was copied",
  );
  expect(copied.filter(({ origin }) => origin === "copy")).toMatchObject([{ code, filledLots: 5 }]);
  await seen(main.getByText("1 copied, 0 left out"));
  await named(visitor, "link", "What was copied").click();
  await seen(main.getByText(/^Mentor \d/));
  await seen(main.getByText(/^You \d/));
  await main.getByRole("link", { name: new RegExp(code) }).click();
  await seen(main.getByText("Copy trading").first());

  await visit(visitor, "/home/fllow?part=mine");
  await named(visitor, "button", "Pause").click();
  await seen(main.getByText("Paused", { exact: true }));
  await named(visitor, "button", "Resume").click();
  await seen(named(visitor, "button", "Pause"));
  await named(visitor, "button", "Stop and sell").click();
  await page.locator("dialog[open]").getByRole("button", { name: "Stop and sell" }).click();
  await seen(main.getByText("You follow no mentor"));
  await page
    .getByRole("radio", { name: "Stopped" })
    .or(page.getByRole("button", { name: "Stopped" }))
    .first()
    .click();
  await seen(main.getByText("You stopped it."));
  const orders = await ordersOf(server);
  expect(orders.filter(({ origin }) => origin === "copy")).toMatchObject([{ status: "closed", closeCause: "copy" }]);
  expectNoErrors(visitor);
});
