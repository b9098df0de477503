/** Journeys through a whole life of a sale: one clock of broker and phone that the test moves on, and a member who may take part. */
import { vi } from "vitest";
import type { Agreement } from "#contract/eligibility.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { DEMO, newPage, signIn } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { STROKES } from "#tests/support/signature.ts";
import { secondSession } from "./steps.ts";

export const FUND_PASSWORD = "246810";
/** How far the clocks of the broker and of the phone are ahead of the real one. */
let aheadMs = 0;

/** Starts a server of compressed days, in which a whole life takes an hour, on a clock that can be moved. The caller restores all mocks. */
export async function startMovedServer(): Promise<TestServer> {
  const realNow = Date.now.bind(Date);
  aheadMs = 0;
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + aheadMs);
  return startTestServer({ venue: { hours: "compressed", newIssues: true } });
}

/** Moves the clocks to just after a moment, and shows the page as of then. */
export async function passTo({ page }: Visit, moment: number): Promise<void> {
  aheadMs += Math.max(0, moment + SECOND_MS - Date.now());
  await page.evaluate((ms) => localStorage.setItem("ahead", String(ms)), aheadMs);
  await page.reload();
}

/** Opens a signed-in phone whose clock is that of the broker. */
export async function openPhone(server: TestServer): Promise<Visit> {
  const visitor = await newPage({ origin: server.url });
  await visitor.page.addInitScript(() => {
    const realNow = Date.now.bind(Date);
    Date.now = () => realNow() + Number(localStorage.getItem("ahead") ?? 0);
  });
  await signIn(visitor);
  return visitor;
}

/** Signs an agreement as the demo member. */
export async function signAs(server: TestServer, kind: Agreement): Promise<void> {
  const member = await secondSession(server);
  const text = await server.call("readAgreement", { kind, language: "en" }, member);
  if (text.status !== 1) throw new Error(text.msg);
  const { hash } = text.data;
  await server.call("signAgreement", { kind, language: "en", hash, readToEnd: true, typedName: "", strokes: STROKES }, member);
}

/** Gives the demo member a fund password and the signed agreement that subscriptions and bids need. */
export async function prepareMember(server: TestServer): Promise<void> {
  const member = await secondSession(server);
  const current = DEMO.password;
  await server.call("setFundPassword", { current, fundPassword: FUND_PASSWORD, confirmation: FUND_PASSWORD }, member);
  await signAs(server, "subscription");
}
