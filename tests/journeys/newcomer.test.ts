/** A newcomer on a server without demo members: invited by a client the operator made, registers, proves who they are, sets a fund password. */
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "#server/ops/run-command.ts";
import { closePages, newPage, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { expectNoErrors, named, seen, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ demo: "off" });
});
afterAll(async () => {
  await closePages();
  await server.stop();
});

/** A drawing with the contrasts of a card; no two seeds look the same. */
function card(seed: number): Promise<Buffer> {
  const strokes = Array.from({ length: 160 }, (_, at) => {
    const [x, y] = [(at * 137 + seed * 211) % 900, (at * 89 + seed * 331) % 570];
    return `<rect x="${x}" y="${y}" width="${20 + ((at * seed) % 60)}" height="7" fill="#123"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="570"><rect width="100%" height="100%" fill="#e8e4da"/>${strokes.join("")}</svg>`;
  return sharp(Buffer.from(drawing)).jpeg().toBuffer();
}

/** The invitation code of a client whom the operator creates. */
async function invitation(): Promise<string> {
  const lines: string[] = [];
  await runCommand(server.db, ["member", "create", "KS300001", "A223456781", "王小明"], (line) => lines.push(line));
  return (
    lines
      .find((line) => line.startsWith("invitation code"))
      ?.split(/\s+/)
      .at(-1) ?? ""
  );
}

test("an invitation becomes a verified account with a fund password and money", async () => {
  const invitationCode = await invitation();
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  const field = (name: string) => page.locator(`input[name=${name}]`);
  const route = (): string => new URL(page.url()).hash.slice(1);

  await visit(visitor, "/login/start");
  await named(visitor, "link", "Open an account").click();
  await named(visitor, "link", "Skip").click();
  await named(visitor, "button", "Open the account").click();
  await seen(page.getByText("Please enter a mobile number"));
  for (const [name, text] of Object.entries({
    mobile: "0912 345 678",
    idNumber: "f131104093",
    birthDate: "1990-05-17",
    password: "violet-harbour",
    confirmation: "violet-harbour",
    guaranteeCode: "135790",
    invitationCode: "NOBODY22",
  })) {
    await field(name).fill(text);
  }
  await page.getByLabel("I have read the privacy policy and agree").check();
  await named(visitor, "button", "Open the account").click();
  await seen(page.getByText("The inviter does not exist"));
  // The form keeps what was typed.
  expect(await field("mobile").inputValue()).toBe("0912 345 678");
  await field("invitationCode").fill(invitationCode);
  await named(visitor, "button", "Open the account").click();

  await until(route, (at) => at === "/login/loginAfter", "the checklist was not shown");
  await page.getByRole("link", { name: "Please complete real-name verification first" }).click();
  await field("name").fill("陳黑潮");
  const files = page.locator("input[type=file]");
  await files.nth(0).setInputFiles({ name: "front.jpg", mimeType: "image/jpeg", buffer: await card(1) });
  await files.nth(1).setInputFiles({ name: "back.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") });
  await seen(page.getByText("Upload failed"));
  await files.nth(1).setInputFiles({ name: "back.jpg", mimeType: "image/jpeg", buffer: await card(2) });
  await until(
    () => page.locator("[data-state=uploaded]").count(),
    (count) => count === 2,
    "the photos were not uploaded",
  );
  await named(visitor, "button", "Submit for review").click();
  await seen(page.getByText("We are checking your photos"));
  await seen(page.getByText("Your identity is verified"));

  await visit(visitor, "/information/fundPass");
  for (const [name, text] of Object.entries({ current: "violet-harbour", fundPassword: "246810", confirmation: "246810" })) {
    await field(name).fill(text);
  }
  await named(visitor, "button", "Set the fund password").click();
  await seen(page.getByText("Your fund password is set."));

  await visit(visitor, "/information/recharge");
  await page.getByRole("link", { name: "Bank transfer" }).click();
  await page.getByLabel("Amount in TWD").fill("200000");
  await named(visitor, "button", "I have paid this").click();
  await seen(page.getByText("Waiting for the bank").first());
  await seen(page.getByRole("link", { name: "To the market" }));
  await seen(page.getByText("TWD 200,000.00").first());

  await visit(visitor, "/login/loginAfter");
  await seen(page.getByText("Set a fund password"));
  expect(await page.getByText("Please set a fund password first").count()).toBe(0);
  expectNoErrors(visitor);
});
