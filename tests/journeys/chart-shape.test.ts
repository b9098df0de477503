/** Shapes on a chart, on a phone: drawn by two taps, kept over a reload and time frames, moved, typed and removed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator } from "playwright-core";
import type { ChartShape } from "#contract/preference.ts";
import { onTick, step } from "#contract/tick.ts";
import { closePages, newPage, PHONE } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { arrive, boxOf, expectNoErrors, named, reload, secondSession, seen, until } from "./steps.ts";

let server: TestServer;
let session: Headers;

beforeAll(async () => {
  server = await startTestServer();
  await server.enter();
  session = await secondSession(server);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

const saved = (count: number, what: string): Promise<ChartShape[]> =>
  until(
    async () => {
      const reply = await server.call("readShapes", { code: "2330" }, session);
      return reply.status === 1 ? reply.data.shapes : [];
    },
    (shapes) => shapes.length === count,
    what,
  );

/** Opens the list of lines and shapes. */
async function list(visitor: Visit): Promise<Locator> {
  const sheet = visitor.page.locator("dialog[open]");
  await named(visitor, "button", "Chart settings").click();
  await sheet.getByRole("button", { name: /^Lines and alerts/ }).click();
  await seen(sheet.getByRole("group", { name: "Drawing tools" }));
  return sheet;
}

/** Chooses a tool, and waits until the sheet no longer covers the chart. */
async function choose(sheet: Locator, tool: string): Promise<void> {
  await sheet.getByRole("button", { name: tool }).click();
  await sheet.waitFor({ state: "hidden" });
}

/** Taps the price pane at these parts of its width and height while a tool is in use. */
async function tap(visitor: Visit, x: number, y: number): Promise<void> {
  const box = await boxOf(visitor.page.locator("[data-tool]"));
  await visitor.page.mouse.click(box.x + box.width * x, box.y + box.height * y);
}

test("a trend line is drawn by two taps, is there after a reload, follows a typed point, and is removed", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  await named(visitor, "button", "Day").click();
  let sheet = await list(visitor);
  await choose(sheet, "Trend line");
  await seen(page.getByText("Trend line: tap the first point"));
  await tap(visitor, 0.3, 0.7);
  await seen(page.getByText("Trend line: tap the second point"));
  await tap(visitor, 0.7, 0.4);
  const [drawn] = await saved(1, "the trend line was not saved");
  if (!drawn) throw new Error("no shape");
  expect(drawn.kind).toBe("trend");
  expect(drawn.from.at).toBeLessThan(drawn.to.at);
  expect(drawn.from.price).toBeLessThan(drawn.to.price);
  expect([drawn.from, drawn.to].every(({ price }) => onTick("stock", price))).toBe(true);

  await reload(visitor);
  await named(visitor, "button", "Day").click();
  sheet = await list(visitor);
  const edit = sheet.getByRole("button", { name: /^Edit: Trend line [\d,.]+ → [\d,.]+$/ });
  await edit.click();
  await sheet.getByRole("group", { name: "Second point" }).getByLabel("Date and time").fill("2020-01-02T09:00");
  await sheet.getByRole("button", { name: "Save the points" }).click();
  await until(
    () => saved(1, "the shape is gone"),
    ([shape]) => shape?.to.at === Date.parse("2020-01-02T09:00:00+08:00") && shape.to.price === drawn.to.price,
    "the typed point was not saved",
  );
  await sheet.getByRole("button", { name: /^Remove: Trend line/ }).click();
  await saved(0, "the trend line was not removed");
  expectNoErrors(visitor);
  await visitor.close();
});

test("a tap selects a shape, a handle moves one of its points, and a button removes it", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  await named(visitor, "button", "Day").click();
  const sheet = await list(visitor);
  await choose(sheet, "Rectangle");
  await tap(visitor, 0.2, 0.3);
  await tap(visitor, 0.6, 0.6);
  const [drawn] = await saved(1, "the rectangle was not saved");
  const handles = page.locator("[data-at]:visible");
  const remove = page.getByRole("button", { name: /^Remove: Rectangle/ });
  await seen(remove);
  const box = await boxOf(handles.first());
  if (!drawn) throw new Error("the rectangle was not saved");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y + 20, { steps: 4 });
  await page.mouse.up();
  await until(
    () => saved(1, "the shape is gone"),
    ([shape]) => shape !== undefined && shape.from.price < drawn.from.price && shape.from.at > drawn.from.at,
    "the handle did not move its point",
  );
  const dragged = (await saved(1, "the shape is gone"))[0];
  // By keyboard: a tick up and a bar to the right, announced, and saved when the key is released.
  const handle = page.getByRole("slider", { name: /^First point of Rectangle/ });
  await handle.focus();
  const before = await handle.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  expect(await handle.getAttribute("aria-valuetext")).not.toBe(before);
  await until(
    () => saved(1, "the shape is gone"),
    ([shape]) =>
      shape !== undefined &&
      dragged !== undefined &&
      shape.from.price === step("stock", dragged.from.price, 1) &&
      shape.from.at > dragged.from.at,
    "the arrow keys did not move the point",
  );
  const isAgain = (wanted: ChartShape | undefined, what: string): Promise<ChartShape[]> =>
    until(
      () => saved(1, "the shape is gone"),
      ([shape]) => JSON.stringify(shape) === JSON.stringify(wanted),
      what,
    );
  const keyed = (await saved(1, "the shape is gone"))[0];
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await isAgain(dragged, "Ctrl+Z did not undo the keys");
  await page.getByRole("button", { name: "Undo" }).click();
  await isAgain(drawn, "the button did not undo the drag");
  await page.getByRole("button", { name: "Redo" }).click();
  await isAgain(dragged, "the button did not redo the drag");
  await page.keyboard.press("Control+Shift+Z");
  await page.keyboard.press("Control+Shift+Z");
  await isAgain(keyed, "Ctrl+Shift+Z did not redo the keys");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await isAgain(dragged, "Ctrl+Z did not undo the keys again");
  // Off every line, then on the upper edge.
  await page.mouse.click(x + 145, y + 45);
  await remove.waitFor({ state: "hidden" });
  await page.mouse.click(x + 80, y + 20);
  await remove.click();
  await saved(0, "the rectangle was not removed");
  await page.getByRole("button", { name: "Undo" }).click();
  await isAgain(dragged, "the removal was not undone");
  await remove.click();
  await saved(0, "the rectangle was not removed again");
  expectNoErrors(visitor);
  await visitor.close();
});
