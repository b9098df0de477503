// @vitest-environment happy-dom
/** Which rows of a long list are mounted: the visible ones and a few more, the focused one, and the same ones after hiding. */
import { Activity } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import type { VirtualListProps } from "#src/ui/virtual-list.tsx";
import { doing, one, show } from "./render.tsx";
import type { Shown } from "./render.tsx";

const SCREEN_PX = 640;
const ROW_PX = 64;
const HEADING_PX = 36;
/** Rows and headings mounted beyond both edges, and two cut by the edges. */
const MAX_MOUNTED = Math.ceil(SCREEN_PX / ROW_PX) + 2 * 4 + 2;

interface Item {
  code: string;
}
const codeOf = ({ code }: Item): string => code;
const itemsOf = (count: number, name = "c"): Item[] => Array.from({ length: count }, (_, at) => ({ code: `${name}${at}` }));
const Row = ({ item }: { item: Item }) => <a href={`#${item.code}`}>{item.code}</a>;

let shown: Shown | null = null;
/** The scroller's height, and the offset of the rows in it. */
let screenPx = SCREEN_PX;
let abovePx = 0;
beforeEach(() => {
  screenPx = SCREEN_PX;
  abovePx = 0;
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockImplementation(() => screenPx);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(() => screenPx);
  vi.spyOn(HTMLElement.prototype, "offsetTop", "get").mockImplementation(() => abovePx);
});
afterEach(async () => {
  await shown?.gone();
  shown = null;
  vi.restoreAllMocks();
});

const list = (props: Partial<VirtualListProps<Item>>) => (
  <VirtualList label="All" sections={[]} keyOf={codeOf} Row={Row} headingPx={HEADING_PX} {...props} />
);
const scroller = (): HTMLElement => one(document, "[role=region]");
const rows = (): string[] => [...document.querySelectorAll("[role=listitem]")].map((row) => row.textContent);
const scrollTo = (y: number): Promise<void> =>
  doing(() => {
    scroller().scrollTop = y;
    scroller().dispatchEvent(new Event("scroll"));
  });

/** Forty sections of four rows under a heading, each 292 px high. */
const sections = Array.from({ length: 40 }, (_, at) => ({ id: `s${at}`, title: `Section ${at}`, items: itemsOf(4, `s${at}r`) }));
const SECTION_PX = HEADING_PX + 4 * ROW_PX;
function visibleAt(y: number): string[] {
  return sections.flatMap(({ items }, section) =>
    items.flatMap(({ code }, index) => {
      const top = section * SECTION_PX + HEADING_PX + index * ROW_PX;
      return top < y + SCREEN_PX && top + ROW_PX > y ? [code] : [];
    }),
  );
}

describe("the window of a list", () => {
  it("mounts every visible row and few others, wherever it is scrolled", async () => {
    shown = await show(list({ sections }));
    for (const y of [0, 1, 63, 300, 2_917, 5_555, 40 * SECTION_PX - SCREEN_PX, 1_000, 0]) {
      await scrollTo(y);
      expect(rows(), `scrolled to ${y}`).toEqual(expect.arrayContaining(visibleAt(y)));
      expect(rows().length, `scrolled to ${y}`).toBeLessThanOrEqual(MAX_MOUNTED);
    }
  });

  it("measures from the start of its rows, also when the content above has grown", async () => {
    shown = await show(list({ sections }));
    abovePx = 3_000;
    await scrollTo(3_000 + 5_555);
    expect(rows()).toEqual(expect.arrayContaining(visibleAt(5_555)));
  });

  it("keeps the headings of visible sections, also when scrolled past", async () => {
    shown = await show(list({ sections: [{ id: "long", title: "Long", items: itemsOf(500) }] }));
    await scrollTo(10_000);
    expect(one(document, "h2").textContent).toBe("Long");
    expect(rows()).toContain("c160");
  });

  it("tells which items scrolling would show next, on the side it scrolls to, and none once it is gone", async () => {
    const told: string[][] = [];
    const onAhead = (items: readonly Item[]): number => told.push(items.map(codeOf));
    shown = await show(list({ sections: [{ id: "all", title: "All", items: itemsOf(500) }], onAhead }));
    // Beyond the mounted rows: none of them twice, none left out.
    const nextTo = (row: string): number => Number(row.slice(1));
    const expectAhead = (from: number, least: number): void => {
      const ahead = told.at(-1)?.map(nextTo) ?? [];
      expect(ahead.length).toBeGreaterThanOrEqual(least);
      for (let row = from; row < from + least; row += 1) expect(ahead).toContain(row);
    };
    expectAhead(nextTo(rows().at(-1) ?? "") + 1, 8);
    await scrollTo(200 * ROW_PX);
    expectAhead(nextTo(rows().at(-1) ?? "") + 1, 8);
    await scrollTo(150 * ROW_PX);
    expectAhead(nextTo(rows()[0] ?? "") - 8, 8);
    const before = told.length;
    await scrollTo(150 * ROW_PX + 10);
    expect(told.length).toBe(before);
    await shown.gone();
    shown = null;
    expect(told.at(-1)).toEqual([]);
  });

  it("keeps the focused row mounted until it loses the focus", async () => {
    shown = await show(list({ sections: [{ id: "all", items: itemsOf(500) }] }));
    const link = one(document, "a[href='#c2']");
    await doing(() => link.focus());
    await scrollTo(20_000);
    expect(document.activeElement).toBe(link);
    expect(rows()[0]).toBe("c2");
    await doing(() => link.blur());
    await scrollTo(20_100);
    expect(rows()).not.toContain("c2");
  });

  it("moves the focus by arrow keys in the order of the rows", async () => {
    shown = await show(list({ sections }));
    await doing(() => one(document, "a[href='#s0r3']").focus());
    const key = (name: string): Promise<void> =>
      doing(() => document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })));
    await key("ArrowDown");
    expect(document.activeElement?.textContent).toBe("s1r0");
    await key("ArrowUp");
    await key("ArrowUp");
    expect(document.activeElement?.textContent).toBe("s0r2");
  });

  it("follows a changed row height", async () => {
    const all = [{ id: "all", items: itemsOf(500) }];
    shown = await show(list({ sections: all, rowPx: ROW_PX }));
    await shown.again(list({ sections: all, rowPx: 16 }));
    expect(rows()).toContain(`c${SCREEN_PX / 16 - 1}`);
    await shown.again(list({ sections: all, rowPx: 160 }));
    expect(rows().length).toBeLessThanOrEqual(4 + 4 + 1);
  });

  it("requests more once per number of rows near the end", async () => {
    const onNearEnd = vi.fn<(rows: number) => void>();
    const with40 = [{ id: "all", items: itemsOf(40) }];
    shown = await show(list({ sections: with40, onNearEnd }));
    expect(onNearEnd).not.toHaveBeenCalled();
    await scrollTo(20 * ROW_PX);
    await scrollTo(30 * ROW_PX);
    expect(onNearEnd.mock.calls).toEqual([[40]]);
    await shown.again(list({ sections: [{ id: "all", items: itemsOf(42) }], onNearEnd }));
    expect(onNearEnd.mock.calls).toEqual([[40], [42]]);
  });

  it("mounts rows in a container without height", async () => {
    screenPx = 0;
    shown = await show(list({ sections }));
    expect(rows().length).toBeGreaterThanOrEqual(Math.floor(window.innerHeight / ROW_PX) - 1);
  });

  it("returns from hiding with its rows and scroll position", async () => {
    const page = (mode: "visible" | "hidden") => <Activity mode={mode}>{list({ sections })}</Activity>;
    shown = await show(page("visible"));
    await scrollTo(5_555);
    const before = rows();
    const moved = vi.fn();
    scroller().scrollTo = moved;
    screenPx = 0;
    await shown.again(page("hidden"));
    expect(rows()).toEqual(before);
    screenPx = SCREEN_PX;
    await shown.again(page("visible"));
    expect([rows(), moved.mock.calls, scroller().scrollTop]).toEqual([before, [], 5_555]);
    await scrollTo(8_000);
    expect(rows()).toEqual(expect.arrayContaining(visibleAt(8_000)));
  });
});
