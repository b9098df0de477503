/** A chart on a phone: studies with legends, parameters and lines that survive a reload, adjusted prices, and the order book beside it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { closePages, newPage, PHONE, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { arrive, expectNoErrors, named, secondSession, seen, until, reload } from "./steps.ts";
import { exStock } from "./ex-stock.ts";

let server: TestServer;
let member: Headers;

beforeAll(async () => {
  server = await startTestServer();
  member = await server.enter();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

const legend = ({ page }: Visit): Promise<string> =>
  page
    .locator("main [data-pane]:visible")
    .allInnerTexts()
    .then((panes) => panes.join(" "));

/** Waits until the legend matches. */
const legendShows = (visitor: Visit, pattern: RegExp): Promise<string> =>
  until(
    () => legend(visitor),
    (text) => pattern.test(text),
    `the legend does not match ${pattern}`,
  );

/** Opens the chart settings sheet. */
async function tools(visitor: Visit): Promise<Locator> {
  const sheet = visitor.page.locator("dialog[open]");
  await named(visitor, "button", "Chart settings").click();
  await seen(sheet.getByRole("heading", { name: "Over the prices" }));
  return sheet;
}

const close = async (sheet: Locator): Promise<void> => {
  await sheet.getByRole("button", { name: "Close window", exact: true }).click();
  await sheet.waitFor({ state: "hidden" });
};

test("the first screen holds head, chart, book and keys; the time frame and collapsed panes are remembered for all stocks", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  const lowest = page.getByRole("button", { name: /^Ask 5/ });
  await seen(lowest);
  const frames = page.getByRole("group", { name: "Time frame" }).getByRole("button");
  // The chart loads by itself, after the book.
  await seen(frames.first());
  expect((await frames.allInnerTexts()).slice(0, 5)).toEqual(["Intraday", "5 min", "Day", "Week", "Month"]);
  const buy = named(visitor, "button", "Buy");
  await until(
    async () => {
      const [book, key] = [await lowest.boundingBox(), await buy.boundingBox()];
      return book && key ? { bottom: book.y + book.height, top: key.y, end: key.y + key.height } : null;
    },
    (at) => at !== null && at.bottom <= at.top && at.end <= PHONE.height,
    "the book or the keys are not in the first screen",
  );
  await legendShows(visitor, /VOL [\d,]/);
  await named(visitor, "button", "VOL pane").click();
  await legendShows(visitor, /^(?!.*VOL)/s);
  await named(visitor, "button", "Week").click();
  await until(
    async () => server.call("readPreferences", {}, await secondSession(server)),
    (reply) => reply.status === 1 && reply.data.frame === "week" && reply.data.collapsed.includes("vol"),
    "the choices were not saved",
  );

  await visit(visitor, "/market/stockDetail?code=2317");
  await seen(named(visitor, "slider", /^Price chart of .*, Week$/));
  expect(await named(visitor, "button", "Week").getAttribute("aria-pressed")).toBe("true");
  expect(await named(visitor, "button", "VOL pane").getAttribute("aria-expanded")).toBe("false");
  await named(visitor, "button", "VOL pane").click();
  await named(visitor, "button", "Intraday").click();
  await until(
    async () => server.call("readPreferences", {}, await secondSession(server)),
    (reply) => reply.status === 1 && reply.data.frame === "intraday" && reply.data.collapsed.length === 0,
    "the choices were not saved again",
  );
  expectNoErrors(visitor);
  await visitor.close();
});

/** How many lines the legend of the moving averages takes. */
const averageLines = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const tops = [...document.querySelectorAll<HTMLElement>("[data-color]")].slice(0, 4).map((value) => value.getBoundingClientRect().top);
    return new Set(tops).size;
  });

test("studies have legends; parameters and lines are saved on the server", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  await named(visitor, "button", "3M").click();
  // A narrow phone leaves out the letters after the first, so that the averages are one line.
  await legendShows(visitor, /MA5 [\d,.]+\s*10 [\d,.]+\s*20 [\d,.]+\s*60 [\d,.]+/);
  expect(await averageLines(page)).toBe(1);
  let sheet = await tools(visitor);
  await sheet.getByRole("button", { name: "MACD" }).click();
  await sheet.getByRole("button", { name: "BOLL" }).click();
  await legendShows(visitor, /Upper [\d,.]+.*DIF [−\d.]+/s);
  await sheet.getByRole("button", { name: "MA", exact: true }).click();
  await sheet.getByRole("group", { name: "MA, moving averages" }).getByLabel("Length 1", { exact: true }).fill("7");
  await legendShows(visitor, /MA7 [\d,.]+\s*10/);
  await until(
    () => server.call("readPreferences", {}, member),
    (reply) => reply.status === 1 && reply.data.studies.ma[0] === 7 && reply.data.sub.includes("macd"),
    "the parameters were not saved",
  );

  await sheet.getByRole("button", { name: /^Lines and alerts/ }).click();
  await sheet.getByRole("button", { name: "Draw line" }).click();
  const [line] = await until(
    async () => {
      const reply = await server.call("readLines", { code: "2330" }, member);
      return reply.status === 1 ? reply.data.lines : [];
    },
    (lines) => lines.length === 1,
    "the line was not saved",
  );
  await close(sheet);

  await reload(visitor);
  await named(visitor, "button", "3M").click();
  await legendShows(visitor, /MA7 [\d,.]+\s*10.*MV5.*DIF [−\d.]+/s);
  const handle = named(visitor, "slider", "Line");
  await seen(handle);
  expect(Number(await handle.getAttribute("aria-valuenow")) * 10_000).toBeCloseTo(line?.price ?? 0);

  // By keyboard only: select a bar, read it out, and draw a line at it.
  const chart = named(visitor, "slider", /^Price chart of TSMC/);
  await chart.focus();
  for (const key of ["Home", "ArrowRight"]) await page.keyboard.press(key);
  await until(
    () => chart.getAttribute("aria-valuetext"),
    (text) => /open [\d,.]+, high [\d,.]+.*volume.*MA7/.test(text ?? ""),
    "the bar was not read out",
  );
  await page.keyboard.press("Enter");
  await until(
    () => server.call("readLines", { code: "2330" }, member),
    (reply) => reply.status === 1 && reply.data.lines.length === 2,
    "Enter did not draw a line",
  );

  sheet = await tools(visitor);
  await sheet.getByRole("button", { name: /^Compare with/ }).click();
  await sheet.getByLabel("Name or code of an instrument").fill("2317");
  await sheet.getByRole("button", { name: /2317/ }).click();
  await legendShows(visitor, /2330 [+−][\d.]+%\s*\S.* [+−]?[\d.]+%/);
  expectNoErrors(visitor);
  await visitor.close();
});

test("forward adjustment scales prices before an ex-date by its factor and leaves today unchanged", async () => {
  const { code, before, after } = await exStock(server.venue);
  const visitor = await newPage({ origin: server.url, size: { width: 390, height: 844 } });
  await arrive(visitor, `/market/stockDetail?code=${code}`);
  await named(visitor, "button", "1Y").click();
  await legendShows(visitor, /MA\d+ [\d,.]+/);
  /** Closing prices of the bars in view, newest first. */
  const closes = async (sheet: Locator): Promise<number[]> => {
    await sheet.getByRole("button", { name: "Show as table" }).click();
    const cells = visitor.page.locator("dialog[open] tbody td:nth-child(5)");
    await seen(cells);
    const texts = await cells.allInnerTexts();
    await close(visitor.page.locator("dialog[open]"));
    return texts.map((text) => Number(text.replaceAll(",", "")));
  };
  const raw = await closes(await tools(visitor));
  const sheet = await tools(visitor);
  await sheet.getByRole("radio", { name: "Forward" }).check({ force: true });
  await seen(sheet.getByText("Past prices are made comparable"));
  await close(sheet);
  await legendShows(visitor, /MA\d+ [\d,.]+/);
  const adjusted = await closes(await tools(visitor));
  expect(adjusted).toHaveLength(raw.length);
  const oldest = raw.at(-1) ?? 0;
  expect((adjusted.at(-1) ?? 0) / (oldest * (after / before))).toBeCloseTo(1, 2);
  expect(adjusted[1]).toBe(raw[1]);
  expectNoErrors(visitor);
  await visitor.close();
});

test("the order book shows volume by aggressor side, and a tap on a level puts its price into the ticket", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/home/index");
  await visit(visitor, "/market/stockDetail?code=2330");
  const flow = page.getByRole("group", { name: "Traded today by side" });
  await seen(flow);
  const traded = async (): Promise<number> => {
    const texts = await flow.locator("b").allInnerTexts();
    return texts.reduce((sum, text) => sum + Number(/^[\d,]+/.exec(text)?.[0].replaceAll(",", "") ?? Number.NaN), 0);
  };
  const first = await until(traded, (lots) => lots > 0, "no volume by side");
  await until(traded, (lots) => lots > first, "the volume by side does not change", 60_000);
  const level = page.getByRole("list", { name: "Asks" }).getByRole("button").first();
  await until(
    () => level.innerText(),
    (text) => /\d/.test(text),
    "no asks",
  );
  const price = await level.getAttribute("data-price");
  await level.click();
  const ticket = page.locator("dialog[open]");
  await seen(ticket.getByRole("button", { name: "Review order" }));
  const typed = Number((await ticket.getByLabel("Price", { exact: true }).inputValue()).replaceAll(",", ""));
  // The book may move a little between reading and tapping.
  expect(Math.abs(typed - Number(price) / 10_000)).toBeLessThan(typed * 0.02);
  expectNoErrors(visitor);
  await visitor.close();
});
