/** The text size: what a choice changes, what is remembered, and that the boot script puts it on the page. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterEach, expect, it } from "vitest";
import { TEXT_SIZES, TextSizeSetting } from "#src/screens/information/text-size.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { ROOT } from "#tests/support/tree.ts";

const BOOT = readFileSync(join(ROOT, "public", "boot.js"), "utf8");
const CSS = readFileSync(join(ROOT, "src", "styles", "base.css"), "utf8");
const root = document.documentElement;
let shown: Shown | null = null;

const radios = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>("input[type=radio]")];
/** A new page of the same browser. */
function reload(): void {
  delete root.dataset["text"];
  runInNewContext(BOOT, { window, document, MutationObserver });
}

afterEach(async () => {
  await shown?.gone();
  shown = null;
});

it("is the standard one until another is chosen", async () => {
  reload();
  shown = await show(<TextSizeSetting />);
  expect(radios().map(({ checked }) => checked)).toEqual([true, false, false, false]);
  expect(root.dataset["text"]).toBe("standard");
});

it.each([...TEXT_SIZES.entries()].toReversed())(
  "step %i, %s, applies at once, and before the first paint of the next page",
  async (nth, size) => {
    shown = await show(<TextSizeSetting />);
    await doing(() => radios()[nth]?.click());
    expect(root.dataset["text"]).toBe(size);
    await shown.gone();
    reload();
    expect(root.dataset["text"]).toBe(size);
    shown = await show(<TextSizeSetting />);
    expect(radios().findIndex(({ checked }) => checked)).toBe(nth);
  },
);

it("has a scale for every step, each larger than the one before", () => {
  const scales = TEXT_SIZES.map((size) => Number(new RegExp(`data-text="${size}"\\] \\{\\s*--text-scale: ([\\d.]+)`).exec(CSS)?.[1] ?? 1));
  expect(scales).toEqual([...new Set(scales)].toSorted((a, b) => a - b));
  expect(scales).toHaveLength(TEXT_SIZES.length);
});
