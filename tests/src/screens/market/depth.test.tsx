/** Tests the levels of the book: a price is coloured against the reference, and the one sent is the one that was pressed, even if the book is redrawn before the finger is lifted. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import en from "#locales/en.json";
import { Levels, writeLevels } from "#src/screens/market/depth.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

let shown: Shown;
let level: HTMLButtonElement;
let picked: number[] = [];

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: "en", resources: { en: { translation: en } } });
});
beforeEach(async () => {
  picked = [];
  shown = await show(<Levels enabled flashing={false} onPick={(at) => picked.push(at)} />);
  const found = shown.place.querySelector<HTMLButtonElement>("[data-level=bids0]");
  if (!found) throw new Error("no level");
  level = found;
});
afterEach(() => shown.gone());

const writes = (units: number): void => void (level.dataset["price"] = String(units));
const sends = (event: Event): Promise<void> => doing(() => void level.dispatchEvent(event));

it("is the price under the finger when it came down", async () => {
  writes(10_000_000);
  await sends(new Event("pointerdown", { bubbles: true }));
  writes(10_050_000);
  await doing(() => level.click());
  expect(picked).toEqual([10_000_000]);
});

it("is the current price for a key, also after a finger that slid away", async () => {
  writes(10_000_000);
  await sends(new Event("pointerdown", { bubbles: true }));
  writes(10_050_000);
  await sends(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  await doing(() => level.click());
  expect(picked).toEqual([10_050_000]);
});

it("is nothing for an empty level", async () => {
  await sends(new Event("pointerdown", { bubbles: true }));
  await doing(() => level.click());
  expect(picked).toEqual([]);
});

it("is above, at or below the reference price, whatever side it is on; empty levels are neither", async () => {
  const book = {
    bids: [
      [10_050_000, 3],
      [10_000_000, 2],
      [9_950_000, 1],
    ] as [number, number][],
    asks: [[10_100_000, 6]] as [number, number][],
  };
  writeLevels(shown.place, book, { decimals: 2, reference: 10_000_000 });
  const at = (name: string): (string | null | undefined)[] => {
    const price = shown.place.querySelector(`[data-level=${name}] > [data-d]`);
    return [price?.textContent, price?.getAttribute("data-d")];
  };
  expect(["bids0", "bids1", "bids2", "asks0", "asks1"].map(at)).toEqual([
    ["1,005.00", "up"],
    ["1,000.00", "flat"],
    ["995.00", "down"],
    ["1,010.00", "up"],
    ["--", "none"],
  ]);
  writeLevels(shown.place, book, { decimals: 2, reference: null });
  expect(at("asks0")).toEqual(["1,010.00", "none"]);
});
