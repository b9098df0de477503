/** A member's whole way in a browser: from an invitation over dollars, a loan and a reward to money back in the bank, without an operator. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { closePages, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { deposit, proveIdentity, register, setFundPassword } from "./newcomer-steps.ts";
import { expectNoErrors, named, seen, until } from "./steps.ts";

const NAME = "陳黑潮";
const FUND_PASSWORD = "246810";
/** The sandbox's bank and reviewers are quick, and nothing is slowed after a new card: that is tested elsewhere. */
const QUICK = {
  account: { identityReviewSeconds: 1, slowHours: 0 },
  funding: { reportSeconds: 1, bookSeconds: 1, reviewAfterSeconds: 1, reviewSeconds: 1, payoutSeconds: 1 },
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  // They apply within ten seconds.
  for (const [part, rule] of Object.entries(QUICK)) {
    const text = "UPDATE rule SET body = body || $2::jsonb WHERE part = $1 AND member_id IS NULL";
    await query(server.db.kysely, text, [part, JSON.stringify(rule)]);
  }
});
afterAll(async () => {
  await closePages();
  await server.stop();
});

async function convert(visitor: Visit): Promise<void> {
  const { page } = visitor;
  await visit(visitor, "/information/exChange");
  await page.getByLabel("Amount in TWD").fill("63,000");
  await named(visitor, "button", "Ask for a quote").click();
  await named(visitor, "button", "Exchange now").click();
  await seen(page.getByRole("status").filter({ hasText: /^Exchanged$/ }));
}

/** The loan is offered, its agreement signed by name, and drawn. While it is unpaid nothing can be withdrawn, which is said before the form. */
async function borrowAndRepay(visitor: Visit): Promise<void> {
  const { page } = visitor;
  await visit(visitor, "/home/loan");
  await page.getByLabel("Amount (TWD)").fill("20,000");
  await named(visitor, "button", "Ask for an offer").click();
  await named(visitor, "link", "Read and sign").click();
  await named(visitor, "checkbox", "I have read the text to its end").check();
  await named(visitor, "radio", "Type my name").check({ force: true });
  await page.getByLabel("Your name", { exact: true }).fill(NAME);
  await named(visitor, "button", "Sign the agreement").click();
  await seen(page.getByText(/^Signed /));
  await visit(visitor, "/home/loan");
  await named(visitor, "button", /^Draw NT/).click();
  await seen(page.getByText("To pay back").first());
  await visit(visitor, "/information/cashOut");
  await seen(page.getByText("The credit loan is unpaid, you cannot withdraw"));
  await visit(visitor, "/home/loanRe");
  await named(visitor, "button", /^All of it/).click();
  await named(visitor, "button", "Repay").click();
  await seen(page.getByText("Nothing to pay back"));
}

async function checkIn(visitor: Visit): Promise<void> {
  await visit(visitor, "/home/checkIn");
  await named(visitor, "button", "Check in").click();
  await seen(visitor.page.getByText("Checked in today"));
}

async function addCard(visitor: Visit): Promise<void> {
  const { page } = visitor;
  await visit(visitor, "/information/addBankCard");
  await page.getByLabel("Bank", { exact: true }).selectOption("004");
  await page.getByLabel("Branch name").fill("台北分行");
  await page.getByLabel("Branch code").fill("0037");
  await page.getByLabel("Account number").fill("1234567890");
  await page.getByLabel("Fund password").fill(FUND_PASSWORD);
  await named(visitor, "button", "Add").click();
  await seen(page.getByRole("main").getByText(/7890/));
}

async function withdraw(visitor: Visit): Promise<void> {
  const { page } = visitor;
  await visit(visitor, "/information/cashOut");
  await page.getByLabel("Amount (TWD)").fill("100,000");
  await page.getByLabel("Fund password").fill(FUND_PASSWORD);
  await named(visitor, "button", "Withdraw").click();
  await seen(page.getByText("On the way to the bank"));
}

test("an invitation becomes an account, dollars, a repaid loan and a reward, and money comes back to the bank", async () => {
  const visitor = await newPage({ origin: server.url });
  await register(visitor);
  await proveIdentity(visitor);
  await setFundPassword(visitor);
  await deposit(visitor);
  await convert(visitor);
  await borrowAndRepay(visitor);
  await checkIn(visitor);
  await addCard(visitor);
  await withdraw(visitor);
  const { kysely } = server.db;
  // The page names all steps of a withdrawal, so the broker tells whether the last one is taken.
  const paid = await until(
    async () => (await query<{ member: number; status: string }>(kysely, "SELECT member_id AS member, status FROM withdrawal"))[0],
    (one) => one?.status === "paid",
    "the withdrawal was not paid",
  );
  const rows = await query<{ currency: string; kind: string; balance: number }>(
    kysely,
    "SELECT currency, kind, balance FROM pocket WHERE member_id = $1 AND balance <> 0 ORDER BY currency",
    [paid?.member],
  );
  // Paid in 400,000; 63,000 are dollars, 100,000 are back in the bank, and the loan cost a day's interest at most.
  expect(rows.map(({ currency, kind }) => `${currency} ${kind}`)).toEqual(["TWD available", "USD available"]);
  expect(rows[0]?.balance).toBeLessThanOrEqual(23_700_000);
  expect(rows[0]?.balance).toBeGreaterThan(23_690_000);
  expect((await auditBooks(kysely)).differences).toEqual([]);
  expectNoErrors(visitor);
});
