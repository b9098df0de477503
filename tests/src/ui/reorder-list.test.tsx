// @vitest-environment happy-dom
/** The reorder list under keyboard and pointer: which order is requested, what is shown meanwhile, and what is announced. */
import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ReorderList } from "#src/ui/reorder-list.tsx";
import { doing, show } from "./render.tsx";
import type { Shown } from "./render.tsx";

let shown: Shown | null = null;
let answer: (() => void) | null = null;
const requests: string[][] = [];

const onOrder = (keys: string[]): Promise<void> => {
  requests.push(keys);
  return new Promise((resolve) => {
    answer = resolve;
  });
};
const itself = (item: string): string => item;
const list = (items: readonly string[]) => (
  <ReorderList label="Letters" items={items} keyOf={itself} nameOf={itself} onOrder={onOrder} renderRow={(item) => <b>{item}</b>} />
);

/** The rows from top to bottom, independent of their order in the tree. */
const order = (): string =>
  [...document.querySelectorAll<HTMLElement>("[role=listitem]")]
    .toSorted((one, other) => Number(one.ariaPosInSet ?? one.getAttribute("aria-posinset")) - Number(other.getAttribute("aria-posinset")))
    .map((row) => row.querySelector("b")?.textContent)
    .join("");
const handle = (item: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-key="${item}"] button`);
  if (!found) throw new Error(`no handle of ${item}`);
  return found;
};
const press = (item: string, key: string): Promise<void> =>
  doing(() => handle(item).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
const pause = (): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(1_000)));
const point = (type: string, y: number, target: EventTarget = window): Promise<void> =>
  doing(() =>
    target.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, pointerId: 1, button: 0, clientX: 0, clientY: y })),
  );

beforeEach(() => {
  vi.useFakeTimers();
  requests.length = 0;
  answer = null;
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(640);
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 360, 640));
  HTMLElement.prototype.setPointerCapture = () => undefined;
  HTMLElement.prototype.scrollBy = () => undefined;
});

afterEach(async () => {
  await shown?.gone();
  shown = null;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Presses a button of a row by its name, without a drag. */
const tap = (name: string): Promise<void> => doing(() => document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click());

describe("a tap on a handle", () => {
  it("shows two buttons that move the row, and takes them away again", async () => {
    shown = await show(list(["a", "b", "c"]));
    expect(document.querySelectorAll("button")).toHaveLength(3);
    await tap("Move a");
    await tap("Move a down");
    expect(order()).toBe("bac");
    await tap("Move a down");
    await tap("Move a down");
    expect(order()).toBe("bca");
    await tap("Move a up");
    expect(order()).toBe("bac");
    await pause();
    expect(requests).toEqual([["b", "a", "c"]]);
    await tap("Move a");
    expect(document.querySelectorAll("button")).toHaveLength(3);
  });

  it("is not the end of a drag", async () => {
    shown = await show(list(["a", "b", "c"]));
    await point("pointerdown", 20, handle("a"));
    await point("pointerup", 100);
    await doing(() => handle("a").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1, clientY: 100 })));
    expect(document.querySelector("button[aria-expanded=true]")).toBeNull();
  });
});

describe("arrow keys on a handle", () => {
  it("move the row at once, announce its position, and send one request per burst", async () => {
    shown = await show(list(["a", "b", "c", "d"]));
    await press("a", "ArrowDown");
    await press("a", "ArrowDown");
    expect(order()).toBe("bcad");
    expect(document.querySelector("[role=status]")?.textContent).toBe("a: place 3 of 4");
    expect(requests).toEqual([]);
    await pause();
    expect(requests).toEqual([["b", "c", "a", "d"]]);
  });

  it("show the requested order until the answer, and then the answer", async () => {
    shown = await show(list(["a", "b", "c"]));
    await press("c", "Home");
    await pause();
    expect(order()).toBe("cab");
    // Refused: the items stay as they were.
    await doing(() => answer?.());
    expect(order()).toBe("abc");
  });

  it("keep a newer request over the answer to an older one", async () => {
    shown = await show(list(["a", "b", "c"]));
    await press("c", "Home");
    await pause();
    await press("c", "ArrowDown");
    await doing(() => answer?.());
    await shown.again(list(["c", "a", "b"]));
    expect(order()).toBe("acb");
    await pause();
    expect(requests.at(-1)).toEqual(["a", "c", "b"]);
  });

  it("are sent even when the list is unmounted before the pause is over", async () => {
    shown = await show(list(["a", "b"]));
    await press("a", "ArrowDown");
    await shown.gone();
    shown = null;
    expect(requests).toEqual([["b", "a"]]);
  });

  it("do nothing at the ends", async () => {
    shown = await show(list(["a", "b"]));
    await press("a", "ArrowUp");
    await pause();
    expect(requests).toEqual([]);
  });
});

describe("a row dragged at its handle", () => {
  it("pushes the others aside and requests the order on drop", async () => {
    shown = await show(list(["a", "b", "c", "d"]));
    await point("pointerdown", 30, handle("a"));
    await point("pointermove", 30 + 64 * 2);
    await pause();
    expect(order()).toBe("bcad");
    expect(requests).toEqual([]);
    await point("pointerup", 30 + 64 * 2);
    expect(requests).toEqual([["b", "c", "a", "d"]]);
  });

  it("returns on Esc and on pointercancel", async () => {
    shown = await show(list(["a", "b", "c"]));
    for (const end of ["Escape", "pointercancel"]) {
      await point("pointerdown", 30, handle("a"));
      await point("pointermove", 100);
      await pause();
      expect(order()).toBe("bac");
      if (end === "Escape") await doing(() => window.dispatchEvent(new KeyboardEvent("keydown", { key: end })));
      else await point(end, 100);
      await point("pointerup", 100);
      expect(order()).toBe("abc");
    }
    expect(requests).toEqual([]);
  });
});

describe("a long list", () => {
  it("mounts visible rows only, and never unmounts the focused handle", async () => {
    const items = Array.from({ length: 200 }, (_, at) => `n${at}`);
    shown = await show(list(items));
    expect(document.querySelectorAll("[role=listitem]").length).toBeLessThan(30);
    await doing(() => handle("n0").focus());
    await press("n0", "End");
    expect(document.activeElement).toBe(handle("n0"));
    expect(handle("n0").closest("[role=listitem]")?.getAttribute("aria-posinset")).toBe("200");
  });
});
