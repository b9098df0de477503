/** The list of cards: only a screenful is mounted, the focused one stays, the next page is asked for once, and a row is updated in place. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { useEffect, useState } from "react";
import { afterEach, expect, it } from "vitest";
import { MeasuredList } from "#src/ui/measured-list.tsx";
import { doing, show } from "./render.tsx";
import type { Shown } from "./render.tsx";

interface Item {
  id: string;
  text: string;
}
const itemsOf = (count: number): Item[] => Array.from({ length: count }, (_, nth) => ({ id: `I${nth}`, text: `row ${nth}` }));

let shown: Shown;
let nearEnds = 0;
let allow: (canLoad: boolean) => void = () => undefined;
let change: (of: (before: Item[]) => Item[]) => void = () => undefined;
afterEach(() => shown.gone());

function Probe({ count }: { count: number }) {
  const [items, setItems] = useState(() => itemsOf(count));
  const [canLoad, setCanLoad] = useState(true);
  useEffect(() => {
    change = setItems;
    allow = setCanLoad;
  }, []);
  const load = (): void => void (nearEnds += 1);
  return (
    <MeasuredList label="cards" items={items} keyOf={({ id }) => id} estimatePx={100} gapPx={10} onNearEnd={canLoad ? load : undefined}>
      {({ text }) => <button type="button">{text}</button>}
    </MeasuredList>
  );
}

async function open(count: number): Promise<void> {
  nearEnds = 0;
  shown = await show(<Probe count={count} />, "/home/etf");
}
const rows = () => [...document.querySelectorAll("li")];

it("mounts a screenful of three hundred, and tells a screen reader of all", async () => {
  await open(300);
  expect(rows().length).toBeGreaterThan(window.innerHeight / 110);
  expect(rows().length).toBeLessThan(window.innerHeight / 110 + 10);
  expect(rows()[0]?.getAttribute("aria-setsize")).toBe("300");
  expect(rows().map((row) => row.getAttribute("aria-posinset"))).toEqual(rows().map((_row, nth) => String(nth + 1)));
  expect(document.querySelector("ul")?.getAttribute("role")).toBe("list");
  expect(document.querySelector("ul")?.style.blockSize).toBe(`${300 * 110 - 10}px`);
  expect(nearEnds).toBe(0);
});

it("asks for the next page once a number of items, when the end is near", async () => {
  await open(6);
  expect(nearEnds).toBe(1);
  await doing(() => change((before) => before.map((item) => ({ ...item }))));
  expect(nearEnds).toBe(1);
  await doing(() => change((before) => [...before, { id: "I6", text: "row 6" }]));
  expect(nearEnds).toBe(2);
  await doing(() => change(() => itemsOf(300)));
  expect(nearEnds).toBe(2);
});

it("asks for nothing while a page is loading, and again once that has brought nothing for this list", async () => {
  await open(6);
  await doing(() => allow(false));
  await doing(() => change((before) => [...before, { id: "I6", text: "row 6" }]));
  expect(nearEnds).toBe(1);
  await doing(() => allow(true));
  expect(nearEnds).toBe(2);
});

it("mounts the row behind the focused one at once, so that the Tab key stays in the order of the list", async () => {
  await open(300);
  const places = () => rows().map((row) => Number(row.dataset["index"]));
  const last = places().at(-1) ?? 0;
  await doing(() => rows().at(-1)?.querySelector("button")?.focus());
  expect(places().at(-1)).toBe(last + 1);
  expect(places()).toEqual(places().toSorted((a, b) => a - b));
  await doing(() => rows().at(0)?.querySelector("button")?.focus());
  expect(places()).toEqual(Array.from({ length: last + 1 }, (_, nth) => nth));
});

it("updates one row in place: it keeps its element and its focus", async () => {
  await open(300);
  const button = rows()[2]?.querySelector("button");
  await doing(() => button?.focus());
  await doing(() => change((before) => before.map((item) => (item.id === "I2" ? { ...item, text: "changed" } : item))));
  expect(rows()[2]?.querySelector("button")).toBe(button);
  expect(button?.textContent).toBe("changed");
  expect(document.activeElement).toBe(button);
});
