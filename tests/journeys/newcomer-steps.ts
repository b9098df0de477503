/** The steps of a newcomer in a browser: an account, an identity, a fund password and a deposit. What a person does on the way is counted. */
import sharp from "sharp";
import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";
import { DEMO_INVITATION } from "#server/ops/seed.ts";
import { visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { named, seen, until } from "./steps.ts";

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
export const effort = { taps: 0, fields: 0, characters: 0, waitedMs: 0 };

/** Counts from nothing: other journeys of the same process take these steps too. */
export const beginEffort = (): object => Object.assign(effort, { taps: 0, fields: 0, characters: 0, waitedMs: 0 });

export async function tap(what: Locator): Promise<void> {
  effort.taps += 1;
  await what.click();
}

export async function type(what: Locator, text: string): Promise<void> {
  effort.fields += 1;
  effort.characters += text.length;
  await what.fill(text);
}

/** A wait that belongs to the product: a review, a bank, a market. */
export async function awaits(what: Locator): Promise<void> {
  const began = performance.now();
  await seen(what);
  effort.waitedMs += performance.now() - began;
}

/** Fields of a form by their names. */
async function typeAll(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await type(page.locator(`input[name=${name}]`), text);
}

/** The account is opened with the code that the server prints at its first start; a wrong one keeps the form. */
export async function register(visitor: Visit): Promise<void> {
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
export async function proveIdentity(visitor: Visit): Promise<void> {
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

export async function setFundPassword(visitor: Visit): Promise<void> {
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

export async function deposit(visitor: Visit): Promise<void> {
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
