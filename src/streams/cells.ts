/** Live text without rendering: cells by number, one write per animation frame, flashes swept by one timer. */
import { onWorkerMessage, post } from "./worker-link.ts";
import { CELL_FIELDS, FLASH_SHIFT, TONES } from "./worker.ts";
import type { Frame, ProfitCellField, QuoteCellField, Tone } from "./worker.ts";

/** What a cell says before anything is known of it. */
export const NOTHING = "--";
/** How long a flash stands. */
const FLASH_MS = 300;
/** A sweep waits this much longer for a frame to go along with. */
const SWEEP_SLACK_MS = 150;
/** A cell flashes at most this often: three times a second is the limit of WCAG 2.3.1. */
const FLASH_AGAIN_MS = 500;
/** With more changes than this in one frame nothing flashes: it would be noise, and paint. */
const FLASH_CELLS = 20;
/** Scrolling lasts this long after the last scroll event. */
const SCROLL_MS = 150;
/** Cells that left the screen are remembered, so that scrolling back shows their last text at once. */
const REMEMBERED = 3_000;

/** One value of one instrument or position, shown by any number of nodes. */
export interface Cell {
  readonly id: number;
  readonly key: string;
  readonly field: number;
  text: string;
  tone: number;
  flashedMs: number;
  /** The nodes that show it, each with its text. */
  readonly nodes: Map<HTMLElement, Text>;
}

const cells = new Map<string, Cell>();
const onScreen = new Map<number, Cell>();
let lastId = 0;

/** The cell of a value: `key` is a code, an order number or `TOTAL`. */
export function cellOf(key: string, field: QuoteCellField | ProfitCellField): Cell {
  const name = `${key} ${field}`;
  const known = cells.get(name);
  if (known) return known;
  const cell: Cell = {
    id: ++lastId,
    key,
    field: CELL_FIELDS.indexOf(field),
    text: NOTHING,
    tone: 0,
    flashedMs: 0,
    nodes: new Map(),
  };
  if (cells.size >= REMEMBERED) forgetOldest();
  cells.set(name, cell);
  return cell;
}

function forgetOldest(): void {
  for (const [name, cell] of cells) {
    if (cell.nodes.size > 0) continue;
    cells.delete(name);
    return;
  }
}

/** The tone of a cell in CSS words. */
export function toneWord(cell: Cell): Tone {
  return TONES[cell.tone] ?? "flat";
}

const mounting = new Set<Cell>();
const unmounting = new Set<Cell>();
let telling = false;

/** Tell the worker once for everything that came and went in one go. */
function tellSoon(): void {
  if (telling) return;
  telling = true;
  queueMicrotask(() => {
    telling = false;
    const mount = [...mounting].flatMap((cell) => [cell.id, cell.key, cell.field]);
    const unmount = [...unmounting].map((cell) => cell.id);
    mounting.clear();
    unmounting.clear();
    if (mount.length > 0 || unmount.length > 0) post({ kind: "cells", mount, unmount });
  });
}

/** Let a node show a cell from now on. Its only child must be its text. Returns how to stop. */
export function showCell(cell: Cell, node: HTMLElement): () => void {
  cell.nodes.set(node, written(node, cell));
  if (cell.nodes.size === 1) {
    onScreen.set(cell.id, cell);
    if (!unmounting.delete(cell)) mounting.add(cell);
    tellSoon();
  }
  return () => {
    cell.nodes.delete(node);
    flashing.delete(node);
    if (cell.nodes.size > 0) return;
    onScreen.delete(cell.id);
    if (!mounting.delete(cell)) unmounting.add(cell);
    tellSoon();
  };
}

/** Let a node say what its cell says. Returns its text. */
function written(node: HTMLElement, cell: Cell): Text {
  let text = node.firstChild;
  if (!(text instanceof Text)) {
    text = document.createTextNode("");
    node.replaceChildren(text);
  }
  if (text.nodeValue !== cell.text) text.nodeValue = cell.text;
  const tone = toneWord(cell);
  if (node.getAttribute("data-d") !== tone) node.setAttribute("data-d", tone);
  return text as Text;
}

const flashing = new Map<HTMLElement, number>();
let sweeping = false;

function sweep(now: number): void {
  for (const [node, since] of flashing) {
    if (now - since < FLASH_MS) continue;
    node.removeAttribute("data-f");
    flashing.delete(node);
  }
}

/** Frames sweep as they paint, so that a sweep rarely needs a paint of its own; this is for when no frame comes. */
function sweepLater(): void {
  if (sweeping || flashing.size === 0) return;
  sweeping = true;
  setTimeout(() => {
    sweeping = false;
    sweep(performance.now());
    sweepLater();
  }, FLASH_MS + SWEEP_SLACK_MS);
}

let scrolledMs = -Infinity;
/** Whether the member wants things to stand still; null before anybody asked. */
let still: boolean | null = null;

function watchScreen(): boolean {
  const wish = window.matchMedia("(prefers-reduced-motion: reduce)");
  const slowDevice = "deviceMemory" in navigator && Number(navigator.deviceMemory) <= 2;
  still = wish.matches || slowDevice;
  wish.addEventListener("change", () => (still = wish.matches || slowDevice));
  document.addEventListener("scroll", () => (scrolledMs = performance.now()), { capture: true, passive: true });
  return still;
}

let flashesOn = true;

/** Let changes flash, or not: the lab measures what it costs. */
export function setFlashes(on: boolean): void {
  flashesOn = on;
}

function mayFlash(changes: number, now: number): boolean {
  return flashesOn && changes <= FLASH_CELLS && now - scrolledMs > SCROLL_MS && !(still ?? watchScreen());
}

/** Write one frame: `[cellId, text, bits, …]`. What did not change is not touched, nor read. */
export function paintCells(flat: Frame["cells"]): void {
  const now = performance.now();
  const flashes = mayFlash(flat.length / 3, now);
  sweep(now);
  for (let at = 0; at + 2 < flat.length; at += 3) {
    const cell = onScreen.get(flat[at] as number);
    if (!cell) continue;
    const said = flat[at + 1] as string;
    const bits = flat[at + 2] as number;
    const tone = bits & 3;
    const flash = bits >> FLASH_SHIFT;
    const flashNow = flashes && flash > 0 && now - cell.flashedMs >= FLASH_AGAIN_MS;
    const retext = said !== cell.text;
    const retone = tone !== cell.tone;
    cell.text = said;
    cell.tone = tone;
    if (flashNow) cell.flashedMs = now;
    for (const [node, text] of cell.nodes) {
      if (retext) text.nodeValue = said;
      if (retone) node.setAttribute("data-d", toneWord(cell));
      if (!flashNow) continue;
      node.setAttribute("data-f", TONES[flash] ?? "flat");
      flashing.set(node, now);
    }
  }
  sweepLater();
}

/** The session is over: what the next member sees must not begin with what this one saw. */
export function clearCells(): void {
  for (const [name, cell] of cells) {
    cell.text = NOTHING;
    cell.tone = 0;
    for (const node of cell.nodes.keys()) written(node, cell);
    if (cell.nodes.size === 0) cells.delete(name);
  }
}

// Written as it comes: the browser paints it with its next frame, without a callback of ours in between. An answer is given when
// that has come, so that a screen that falls behind skips frames and queues few.
onWorkerMessage("frame", (frame) => {
  paintCells(frame.cells);
  if (frame.asks) requestAnimationFrame(() => post({ kind: "acked" }));
});
