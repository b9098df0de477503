/** A newcomer on an empty database: invited with the code of the first start, registers, proves who they are, pays in, buys, and holds. */
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { DEMO_INVITATION } from "#server/ops/seed.ts";
import { closePages, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { expectNoErrors, named, review, seen, slide, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await closePages();
  await server.stop();
});

/** Where a camera says that the photo was taken. */
const PLACE = { IFD0: { Make: "Harbour Camera" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "25/1 2/1 0/1" } };

/** A drawing with the contrasts of a card, taken somewhere; no two seeds look the same. */
function card(seed: number): Promise<Buffer> {
  const strokes = Array.from({ length: 160 }, (_, at) => {
    const [x, y] = [(at * 137 + seed * 211) % 900, (at * 89 + seed * 331) % 570];
    return `<rect x="${x}" y="${y}" width="${20 + ((at * seed) % 60)}" height="7" fill="#123"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="570"><rect width="100%" height="100%" fill="#e8e4da"/>${strokes.join("")}</svg>`;
  return sharp(Buffer.from(drawing)).withExif(PLACE).jpeg().toBuffer();
}

/** What a person does on the way: the taps, the fields and their characters, and how long the product keeps them waiting. */
const effort = { taps: 0, fields: 0, characters: 0, waitedMs: 0 };

async function tap(what: Locator): Promise<void> {
  effort.taps += 1;
  await what.click();
}

async function type(what: Locator, text: string): Promise<void> {
  effort.fields += 1;
  effort.characters += text.length;
  await what.fill(text);
}

/** A wait that belongs to the product: a review, a bank, a market. */
async function awaits(what: Locator): Promise<void> {
  const began = performance.now();
  await seen(what);
  effort.waitedMs += performance.now() - began;
}

/** Fields of a form by their names. */
async function typeAll(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await type(page.locator(`input[name=${name}]`), text);
}

/** The account is opened with the code that the server prints at its first start; a wrong one keeps the form. */
async function register(visitor: Visit): Promise<void> {
  const { page } = visitor;
  await visit(visitor, "/login/start");
  await tap(named(visitor, "link", "Open an account"));
  await tap(named(visitor, "link", "Skip"));
  await named(visitor, "button", "Open the account").click();
  await seen(page.getByText("Please enter a mobile number"));
  await typeAll(page, {
    mobile: "0912 345 678",
    idNumber: "f131104093",
    birthDate: "1990-05-17",
    password: "violet-harbour",
    confirmation: "violet-harbour",
    guaranteeCode: "135790",
  });
  await page.locator("input[name=invitationCode]").fill("NOBODY22");
  await tap(page.getByLabel("I have read the privacy policy and agree"));
  await named(visitor, "button", "Open the account").click();
  await seen(page.getByText("The inviter does not exist"));
  // The form keeps what was typed.
  expect(await page.locator("input[name=mobile]").inputValue()).toBe("0912 345 678");
  await typeAll(page, { invitationCode: DEMO_INVITATION });
  await tap(named(visitor, "button", "Open the account"));
}

/** The name and both sides of the card; a file that is no picture is refused in its place. */
async function proveIdentity(visitor: Visit): Promise<void> {
  const { page } = visitor;
  await tap(page.getByRole("link", { name: "Please complete real-name verification first" }));
  await typeAll(page, { name: "陳黑潮" });
  const files = page.locator("input[type=file]");
  const uploads: Buffer[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/identity/photo")) return;
    const { content } = request.postDataJSON() as { content: string };
    uploads.push(Buffer.from(content, "base64"));
  });
  await files.nth(0).setInputFiles({ name: "front.jpg", mimeType: "image/jpeg", buffer: await card(1) });
  await files.nth(1).setInputFiles({ name: "back.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") });
  await seen(page.getByText("Upload failed"));
  await files.nth(1).setInputFiles({ name: "back.jpg", mimeType: "image/jpeg", buffer: await card(2) });
  // A tap opens the camera and one takes the photo, for each side.
  effort.taps += 4;
  await until(
    () => page.locator("[data-state=uploaded]").count(),
    (count) => count === 2,
    "the photos were not uploaded",
  );
  // Neither camera nor place leaves the device.
  expect((await sharp(await card(1)).metadata()).exif?.includes("Harbour Camera")).toBe(true);
  expect(uploads).toHaveLength(2);
  for (const upload of uploads) expect((await sharp(upload).metadata()).exif).toBeUndefined();
  await tap(named(visitor, "button", "Submit for review"));
  await seen(page.getByText("We are checking your photos"));
  await awaits(page.getByText("Your identity is verified"));
  await tap(named(visitor, "link", "Finish setting up"));
}

async function setFundPassword(visitor: Visit): Promise<void> {
  const { page } = visitor;
  await tap(page.getByRole("link", { name: "Please set a fund password first" }));
  await typeAll(page, { current: "violet-harbour", fundPassword: "246810", confirmation: "246810" });
  await tap(named(visitor, "button", "Set the fund password"));
  await seen(page.getByText("Your fund password is set."));
  await until(
    () => page.getByText("Please set a fund password first").count(),
    (count) => count === 0,
    "the checklist still asks for a fund password",
  );
}

async function deposit(visitor: Visit): Promise<void> {
  const { page } = visitor;
  await tap(page.getByRole("link", { name: /^Pay in/ }));
  await tap(page.getByRole("link", { name: "Bank transfer" }));
  await type(page.getByLabel("Amount in TWD"), "400000");
  await named(visitor, "button", "I have paid this").click();
  await seen(page.getByText("Please upload proof of the deposit"));
  await page.locator("input[type=file]").setInputFiles({ name: "receipt.jpg", mimeType: "image/jpeg", buffer: await card(3) });
  effort.taps += 2;
  await seen(page.locator("[data-state=uploaded]"));
  await tap(named(visitor, "button", "I have paid this"));
  await seen(page.getByText("Waiting for the bank").first());
  await awaits(page.getByRole("link", { name: "To the market" }));
  await seen(page.getByText("TWD 400,000.00").first());
}

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
