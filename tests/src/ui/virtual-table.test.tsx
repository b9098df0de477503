// @vitest-environment happy-dom
/** The dense table and the list with headings, for screen readers and keyboard. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { pathTo } from "#src/paths.ts";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { VirtualTable } from "#src/ui/virtual-table.tsx";
import type { VirtualTableProps } from "#src/ui/virtual-table.tsx";
import { doing, one, show } from "./render.tsx";
import type { Shown } from "./render.tsx";

let shown: Shown | null = null;
afterEach(async () => {
  await shown?.gone();
  shown = null;
  vi.restoreAllMocks();
});

interface Item {
  code: string;
}
const items: Item[] = Array.from({ length: 500 }, (_, at) => ({ code: `c${at}` }));
const opened = vi.fn<(code: string) => void>();
const codeOf = ({ code }: Item): string => code;

function Head({ item }: { item: Item }) {
  return (
    <a
      href="#detail"
      onClick={(event) => {
        event.preventDefault();
        opened(item.code);
      }}
    >
      {item.code}
    </a>
  );
}
const Cell = ({ item, column }: { item: Item; column: "last" | "open" }) => <i>{`${item.code} ${column}`}</i>;

describe("a dense table", () => {
  const sorted = vi.fn<(by: "last" | "open") => void>();
  const table = (sort: VirtualTableProps<Item, "last" | "open">["sort"]) => (
    <VirtualTable
      label="Prices"
      items={items}
      keyOf={codeOf}
      corner="Name"
      columns={[
        { name: "last", title: "Price", rem: 6, sorts: true },
        { name: "open", title: "Open", rem: 6 },
      ]}
      RowHead={Head}
      Cell={Cell}
      sort={sort}
      onSort={sorted}
    />
  );

  it("is a table to screen readers: all rows counted, few mounted, each with its head", async () => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(640);
    shown = await show(table(null));
    expect(one(document, "[role=table]").getAttribute("aria-rowcount")).toBe("501");
    const rows = [...document.querySelectorAll("[role=row]")];
    expect(rows.length).toBeLessThan(30);
    expect(rows[1]?.getAttribute("aria-rowindex")).toBe("2");
    expect(rows[1]?.querySelector("[role=rowheader]")?.textContent).toBe("c0");
    expect([...(rows[1]?.querySelectorAll("[role=cell]") ?? [])].map((cell) => cell.textContent)).toEqual(["c0 last", "c0 open"]);
  });

  it("shows its sort column, and requests another order from sortable heads", async () => {
    shown = await show(table({ by: "last", descending: true }));
    const [corner, last, open] = document.querySelectorAll("[role=columnheader]");
    expect([corner, last, open].map((head) => head?.getAttribute("aria-sort") ?? null)).toEqual([null, "descending", null]);
    await doing(() => last?.querySelector("button")?.click());
    expect(sorted).toHaveBeenCalledWith("last");
    expect(open?.querySelector("button")).toBeNull();
  });

  it("opens a row once, wherever it is tapped", async () => {
    opened.mockClear();
    shown = await show(table(null));
    await doing(() => one(document, "[role=cell] i").click());
    expect(opened.mock.calls).toEqual([["c0"]]);
    await doing(() => one(document, "[role=rowheader] a").click());
    expect(opened).toHaveBeenCalledTimes(2);
  });
});

describe("a list with headings", () => {
  const sections = Array.from({ length: 40 }, (_, at) => ({
    id: `s${at}`,
    title: `Section ${at}`,
    to: pathTo("/market/Plate1", { board: "otc", category: String(at) }),
    items: items.slice(at * 4, at * 4 + 4),
  }));
  const tops = vi.fn<(section: number, atEnd: boolean) => void>();
  const Row = ({ item }: { item: Item }) => <a href="#row">{item.code}</a>;
  const list = (jump: { to: number } | null) => (
    <VirtualList label="All" sections={sections} keyOf={codeOf} Row={Row} onTop={tops} jump={jump} />
  );

  it("jumps to a section, and reports the section at the top", async () => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(640);
    const height = sections.length * (45 + 4 * 64);
    vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(height);
    HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, options?: ScrollToOptions | number): void {
      this.scrollTop = Math.min(typeof options === "object" ? (options.top ?? 0) : 0, height - 640);
      queueMicrotask(() => this.dispatchEvent(new Event("scroll")));
    };
    shown = await show(list(null));
    expect(tops.mock.lastCall).toEqual([0, false]);
    await shown.again(list({ to: 20 }));
    expect(tops.mock.lastCall).toEqual([20, false]);
    expect(one(document, "a[href='/market/Plate1?board=otc&category=20']").textContent).toContain("Section 20");
    await shown.again(list({ to: 39 }));
    // The last sections are shorter than the screen: the list ends before they reach its top.
    expect(tops.mock.lastCall).toEqual([37, true]);
  });
});
