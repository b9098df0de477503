/** Live text without React renders: cells addressed by number, one write per animation frame, flashes cleared by one timer. */
import { onWorkerMessage, post } from "./worker-link.ts";
import { CELL_FIELDS, FLASH_SHIFT, TONES } from "./worker.ts";
import type { Frame, ProfitCellField, QuoteCellField, Tone } from "./worker.ts";

/** A cell's text before its value is known. */
export const NOTHING = "--";
/** How long a flash lasts. */
const FLASH_MS = 300;
/** Extra delay before the timer clears flashes, so that a frame usually does it first. */
const SWEEP_SLACK_MS = 150;
/** A cell flashes at most this often: WCAG 2.3.1 allows three flashes a second. */
const FLASH_AGAIN_MS = 500;
/** With more changes than this in one frame nothing flashes: too many flashes are noise and cost paint time. */
const FLASH_CELLS = 20;
/** Scrolling counts as ongoing this long after the last scroll event. */
const SCROLL_MS = 150;
/** Cells kept after they left the screen, so that scrolling back shows their last text at once. */
const REMEMBERED = 3_000;

/** One value of one instrument or position, shown by any number of nodes. */
export interface Cell {
  readonly id: number;
  readonly key: string;
  readonly field: number;
  text: string;
  tone: number;
  flashedMs: number;
  /** The nodes that show it, each with its text node. */
  readonly nodes: Map<HTMLElement, Text>;
}

const cells = new Map<string, Cell>();
const onScreen = new Map<number, Cell>();
let lastId = 0;

/** The cell of a value: `key` is a code, an order number, a position id or `TOTAL`. */
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

/** The tone of a cell as used in CSS. */
export function toneWord(cell: Cell): Tone {
  return TONES[cell.tone] ?? "flat";
}

const mounting = new Set<Cell>();
const unmounting = new Set<Cell>();
let scheduled = false;

/** Send all mounts and unmounts of the current task to the worker in one message. */
function scheduleUpdate(): void {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    const mount = [...mounting].flatMap((cell) => [cell.id, cell.key, cell.field]);
    const unmount = [...unmounting].map((cell) => cell.id);
    mounting.clear();
    unmounting.clear();
    if (mount.length > 0 || unmount.length > 0) post({ kind: "cells", mount, unmount });
  });
}

/** Let a node show a cell from now on. Its only child must be its text. @returns a function that stops it */
export function showCell(cell: Cell, node: HTMLElement): () => void {
  cell.nodes.set(node, writeCell(node, cell));
  if (cell.nodes.size === 1) {
    onScreen.set(cell.id, cell);
    if (!unmounting.delete(cell)) mounting.add(cell);
    scheduleUpdate();
  }
  return () => {
    cell.nodes.delete(node);
    flashing.delete(node);
    if (cell.nodes.size > 0) return;
    onScreen.delete(cell.id);
    if (!mounting.delete(cell)) unmounting.add(cell);
    scheduleUpdate();
  };
}

/** Write a cell's text and tone to a node. @returns the text node */
function writeCell(node: HTMLElement, cell: Cell): Text {
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
let sweepScheduled = false;

function sweep(now: number): void {
  for (const [node, since] of flashing) {
    if (now - since < FLASH_MS) continue;
    node.removeAttribute("data-f");
    flashing.delete(node);
  }
}

/** Frames clear old flashes as they paint, to avoid an extra paint; this timer covers the time when no frame comes. */
function sweepLater(): void {
  if (sweepScheduled || flashing.size === 0) return;
  sweepScheduled = true;
  setTimeout(() => {
    sweepScheduled = false;
    sweep(performance.now());
    sweepLater();
  }, FLASH_MS + SWEEP_SLACK_MS);
}

let scrolledMs = -Infinity;
/** Whether motion is reduced, by preference or on a slow device; null until first needed. */
let reducedMotion: boolean | null = null;

function watchMotionAndScroll(): boolean {
  const query = window.matchMedia("(prefers-reduced-motion: reduce)");
  const slowDevice = "deviceMemory" in navigator && Number(navigator.deviceMemory) <= 2;
  reducedMotion = query.matches || slowDevice;
  query.addEventListener("change", () => (reducedMotion = query.matches || slowDevice));
  document.addEventListener("scroll", () => (scrolledMs = performance.now()), { capture: true, passive: true });
  return reducedMotion;
}

let flashesOn = true;

/** Switch flashes on or off: the load lab measures their cost. */
export function setFlashes(on: boolean): void {
  flashesOn = on;
}

function mayFlash(changes: number, now: number): boolean {
  return flashesOn && changes <= FLASH_CELLS && now - scrolledMs > SCROLL_MS && !(reducedMotion ?? watchMotionAndScroll());
}

/** Write one frame: `[cellId, text, bits, …]`. Unchanged nodes are neither read nor written. */
export function paintCells(flat: Frame["cells"]): void {
  const now = performance.now();
  const flashes = mayFlash(flat.length / 3, now);
  sweep(now);
  for (let at = 0; at + 2 < flat.length; at += 3) {
    const cell = onScreen.get(flat[at] as number);
    if (!cell) continue;
    const newText = flat[at + 1] as string;
    const bits = flat[at + 2] as number;
    const tone = bits & 3;
    const flash = bits >> FLASH_SHIFT;
    const flashNow = flashes && flash > 0 && now - cell.flashedMs >= FLASH_AGAIN_MS;
    const retext = newText !== cell.text;
    const retone = tone !== cell.tone;
    cell.text = newText;
    cell.tone = tone;
    if (flashNow) cell.flashedMs = now;
    for (const [node, text] of cell.nodes) {
      if (retext) text.nodeValue = newText;
      if (retone) node.setAttribute("data-d", toneWord(cell));
      if (!flashNow) continue;
      node.setAttribute("data-f", TONES[flash] ?? "flat");
      flashing.set(node, now);
    }
  }
  sweepLater();
}

/** Reset every cell when the session ends: the next member must not see the previous member's values. */
export function clearCells(): void {
  for (const [name, cell] of cells) {
    cell.text = NOTHING;
    cell.tone = 0;
    for (const node of cell.nodes.keys()) writeCell(node, cell);
    if (cell.nodes.size === 0) cells.delete(name);
  }
}

/**
 * Acknowledge a frame once it is painted, so that a slow page skips frames instead of queueing them, with what it cost: the time its
 * message took, and the browser's from the animation frame to the first task after painting.
 */
function acknowledgeFrame(arrivedMs: number): void {
  let writtenMs = arrivedMs;
  // After the other listeners of the same message.
  queueMicrotask(() => (writtenMs = performance.now()));
  requestAnimationFrame(() => {
    const drawnFromMs = performance.now();
    setTimeout(() => post({ kind: "acked", costMs: writtenMs - arrivedMs + performance.now() - drawnFromMs }));
  });
}

// Written on arrival: the browser paints it with its next frame, without a callback in between.
onWorkerMessage("frame", (frame) => {
  const arrivedMs = performance.now();
  paintCells(frame.cells);
  if (frame.asks) acknowledgeFrame(arrivedMs);
});
