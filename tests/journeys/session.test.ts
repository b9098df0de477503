/** A session in the browser: forced sign-out and return to the same screen, another language, two tabs of one member, a passkey. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, DEMO, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, expectNoErrors, named, openTicket, ordersOf, review, seen, slide, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

const keys = ({ page }: Visit): Promise<string[]> => page.evaluate(() => Object.keys(localStorage).toSorted());
const route = ({ page }: Visit): string => new URL(page.url()).hash.slice(1);

async function signInByForm(visitor: Visit, remember: boolean): Promise<void> {
  const { page } = visitor;
  const id = page.getByLabel("ID number", { exact: true });
  if ((await id.inputValue()) === "") await id.fill(DEMO.idNumber);
  await page.getByLabel("Password", { exact: true }).fill(DEMO.password);
  await page.getByLabel("Guarantee code").fill(DEMO.guaranteeCode);
  if (remember) await page.getByLabel("Remember my ID number on this device").check();
  await named(visitor, "button", "Sign in").click();
}

test("an expired session clears all but the remembered ID, and signing in returns to the screen", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await visit(visitor, "/login/login");
  await signInByForm(visitor, true);
  await until(
    () => route(visitor),
    (at) => at.startsWith("/home"),
    "not signed in",
  );
  await visit(visitor, "/market/stockDetail?code=2330");
  await seen(page.getByText("台積電"));
  const token = await page.evaluate(() => localStorage.getItem("tokend") ?? "");
  expect(token).not.toBe("");
  await server.sessions.revoke(createHash("sha256").update(token).digest("hex"));

  await until(
    () => route(visitor),
    (at) => at.startsWith("/login/"),
    "did not reach the sign-in page",
  );
  expect(await keys(visitor)).toEqual(["rembInfo"]);
  await until(
    () => page.getByLabel("ID number", { exact: true }).inputValue(),
    (id) => id === DEMO.idNumber,
    "the ID number was not remembered",
  );
  await signInByForm(visitor, false);
  await until(
    () => route(visitor),
    (at) => at.startsWith("/market/stockDetail"),
    "did not return to the screen",
  );
  await visitor.close();
});

test("wrong credentials are refused at the form, which keeps its contents", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await visit(visitor, "/login/login");
  await page.getByLabel("ID number", { exact: true }).fill("A123456780");
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByLabel("Guarantee code").fill("1");
  await named(visitor, "button", "Sign in").click();
  await seen(page.getByText("The ID number is invalid"));
  await page.getByLabel("ID number", { exact: true }).fill("A100537307");
  await named(visitor, "button", "Sign in").click();
  await seen(page.getByText("Wrong account or password"));
  expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("wrong");
  expectNoErrors(visitor);
  await visitor.close();
});

test("another language is stored and used by the whole app", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/information/changeLang");
  const chinese = page.getByRole("radio", { name: /繁體中文/ });
  await chinese.click();
  // Choosing changes nothing yet; each name is marked with its language.
  expect(await chinese.isChecked()).toBe(true);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
  expect(await page.getByText("isiZulu", { exact: true }).getAttribute("lang")).toBe("zu");
  await named(visitor, "button", "Apply").click();
  await until(
    () => page.evaluate(() => document.documentElement.lang),
    (lang) => lang.startsWith("zh"),
    "the language did not change",
  );
  expect(await page.evaluate(() => localStorage.getItem("language"))).toBe("zh-TW");
  await visit(visitor, "/home/index");
  await seen(page.getByText("總資產", { exact: false }));
  expectNoErrors(visitor);
  await visitor.close();
});

test("two tabs show the same orders, and signing out of one signs out both", async () => {
  const first = await newPage({ origin: server.url });
  await arrive(first, "/home/index");
  const second = await newPage({ origin: server.url, beside: first });
  await visit(second, "/trade/index");
  await seen(second.page.getByText("No positions yet"));

  // Browsers render background tabs once a second: bring the active one to the front.
  await first.page.bringToFront();
  const ticket = await openTicket(first, "0050");
  await review(ticket, "Market", 1);
  await slide(first, ticket.getByRole("button", { name: /Confirm buy/ }));
  await seen(ticket.getByText("Filled", { exact: true }));
  await second.page.bringToFront();
  await seen(second.page.locator("main:visible").getByText("0050"));
  expect(await ordersOf(server)).toHaveLength(1);

  await first.page.bringToFront();
  await ticket.getByRole("button", { name: "Done" }).click();
  await visit(first, "/information/setting");
  await named(first, "button", "Sign out").click();
  await first.page.locator("dialog[open]").getByRole("button", { name: "Sign out" }).click();
  await until(
    () => route(first),
    (at) => at === "/login/login",
    "the first tab did not sign out",
  );
  await until(
    () => route(second),
    (at) => at.startsWith("/login/"),
    "the second tab did not sign out",
  );
  expect((await keys(first)).filter((key) => key === "tokend" || key === "account")).toEqual([]);
  await first.close();
});

test("a passkey is added in the settings and signs in instead of the secrets; other devices are signed out", async () => {
  // Passkeys belong to a host name.
  const visitor = await newPage({ origin: server.url.replace("127.0.0.1", "localhost") });
  const { page } = visitor;
  await arrive(visitor, "/information/setting");
  const devtools = await visitor.context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await named(visitor, "button", "Add a passkey").click();
  await page.getByLabel("Name", { exact: true }).fill("My laptop");
  await page.getByLabel("Your sign-in password").fill("wrong");
  await named(visitor, "button", "Continue").click();
  await seen(page.getByText("The original password is wrong"));
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("My laptop");
  await page.getByLabel("Your sign-in password").fill(DEMO.password);
  await named(visitor, "button", "Continue").click();
  await seen(named(visitor, "group", "My laptop"));

  await named(visitor, "button", "Sign out").click();
  await page.locator("dialog[open]").getByRole("button", { name: "Sign out" }).click();
  await named(visitor, "button", "Sign in with a passkey").click();
  await until(
    () => route(visitor),
    (at) => !at.startsWith("/login"),
    "not signed in with the passkey",
  );

  const elsewhere = await server.enter();
  await visit(visitor, "/information/setting");
  await named(visitor, "button", "Sign out all others").click();
  await page.locator("dialog[open]").getByRole("button", { name: "Sign out all others" }).click();
  await seen(page.getByText("You are signed in nowhere else."));
  expect((await server.post("restoreSession", "{}", elsewhere)).http).toBe(401);
  await named(visitor, "button", "Remove").click();
  await page.locator("dialog[open]").getByRole("button", { name: "Remove" }).click();
  await seen(page.getByText("You have no passkey yet."));
  expectNoErrors(visitor);
  await visitor.close();
});
