/** The list benchmark's hand-written page: the same rows, style sheets and virtualisation with direct DOM updates and its own worker. */
import "#src/styles/index.css";
import type { Instrument } from "#contract/instrument.ts";
import listStyles from "#src/ui/virtual-list.module.css";
import rowStyles from "#src/screens/quote/quote-row.module.css";
import { placeSections } from "#src/ui/virtual-layout.ts";
import type { Listed } from "./feed-client.ts";
import { rowsAt, sameRuns } from "./window.ts";
import type { Run } from "./window.ts";

/** From the worker: the table once, then `[row, last, change, volume, tone, flash, …]`. */
export type WorkerMessage = Listed | (number | string)[];
/** To the worker: the update interval, then the visible rows. */
export type WorkerCommand = { everyMs: number } | { rows: number[] };

const ROW_PX = 44;
const HEADING_PX = 36;
const FLASH_MS = 300;
const TONES = ["flat", "up", "down"];

interface Row {
  element: HTMLElement;
  last: HTMLElement;
  change: HTMLElement;
  volume: HTMLElement;
}

const worker = new Worker(new URL("/tests/bench/list/vanilla.worker.ts", import.meta.url), { type: "module" });
const tell = (message: WorkerCommand): void => worker.postMessage(message);
const everyMs = Number(new URLSearchParams(location.search).get("every") ?? 50);
tell({ everyMs });

function element(tag: string, name: string | undefined, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  if (name !== undefined) made.className = name;
  made.append(...children);
  return made;
}

function rowOf(instrument: Instrument, index: number, of: number): Row {
  const last = element("span", rowStyles["last"], "--");
  const change = element("span", rowStyles["change"], "--");
  const volume = element("span", undefined, "--");
  const texts = element(
    "span",
    rowStyles["texts"],
    element(
      "span",
      rowStyles["title"],
      element("span", rowStyles["name"], `${instrument.zh} ${instrument.en}`),
      element("span", rowStyles["code"], instrument.code),
    ),
    element("span", rowStyles["metric"], "Volume ", volume),
  );
  const link = element("a", rowStyles["link"], texts, element("span", rowStyles["price"], last, change));
  link.setAttribute("href", `#/market/stockDetail?code=${instrument.code}`);
  const outer = element("div", listStyles["row"], element("div", rowStyles["row"], link));
  outer.setAttribute("role", "listitem");
  outer.setAttribute("aria-setsize", String(of));
  outer.setAttribute("aria-posinset", String(index + 1));
  outer.style.insetBlockStart = `${HEADING_PX + index * ROW_PX}px`;
  outer.style.blockSize = `${ROW_PX}px`;
  return { element: outer, last, change, volume };
}

function set(node: HTMLElement, text: string, tone: string): void {
  if (node.firstChild && node.firstChild.nodeValue !== text) node.firstChild.nodeValue = text;
  if (node.dataset["d"] !== tone) node.dataset["d"] = tone;
}

function start(instruments: Instrument[], categories: { code: string; en: string }[]): void {
  const sections = categories.map((category) => ({
    ...category,
    items: instruments.filter((instrument) => instrument.category === category.code),
  }));
  const layout = placeSections(
    sections.map(({ items }) => ({ rows: items.length, headed: true })),
    ROW_PX,
    HEADING_PX,
  );
  const plane = element("div", listStyles["plane"]);
  plane.style.blockSize = `${layout.height}px`;
  const scroller = element("div", listStyles["scroller"], plane);
  document.getElementById("app")?.append(scroller);
  const mounted = new Map<number, Row>();
  const standing = new Map<number, { element: HTMLElement; list: HTMLElement }>();
  let runs: Run[] = [];

  const standUp = (at: number): { element: HTMLElement; list: HTMLElement } => {
    const section = sections[at];
    const place = layout.sections[at];
    const heading = element("div", listStyles["heading"], element("h2", undefined, section?.en ?? ""));
    heading.append(element("span", undefined, String(section?.items.length)));
    heading.style.blockSize = `${HEADING_PX}px`;
    const list = element("div", undefined);
    list.setAttribute("role", "list");
    const outer = element("div", listStyles["section"], heading, list);
    outer.style.insetBlockStart = `${place?.top ?? 0}px`;
    outer.style.blockSize = `${place?.height ?? 0}px`;
    plane.append(outer);
    return { element: outer, list };
  };

  const look = (): void => {
    const next = rowsAt(layout, scroller.scrollTop, scroller.clientHeight);
    if (sameRuns(runs, next)) return;
    runs = next;
    const wanted = new Set<number>();
    for (const { section: at, from, to } of runs) {
      const items = sections[at]?.items ?? [];
      let section = standing.get(at);
      if (!section) standing.set(at, (section = standUp(at)));
      for (let index = from; index < to; index++) {
        const instrument = items[index];
        if (!instrument) continue;
        wanted.add(instrument.row);
        if (mounted.has(instrument.row)) continue;
        const row = rowOf(instrument, index, items.length);
        mounted.set(instrument.row, row);
        section.list.append(row.element);
      }
    }
    for (const [row, { element: gone }] of mounted) {
      if (wanted.has(row)) continue;
      gone.remove();
      mounted.delete(row);
    }
    for (const [at, section] of standing) {
      if (runs.some((run) => run.section === at)) continue;
      section.element.remove();
      standing.delete(at);
    }
    tell({ rows: [...wanted] });
  };
  scroller.addEventListener("scroll", look, { passive: true });

  let flashing: HTMLElement[] = [];
  const paint = (cells: (number | string)[]): void => {
    const lit: HTMLElement[] = [];
    for (let at = 0; at < cells.length; at += 6) {
      const row = mounted.get(Number(cells[at]));
      if (!row) continue;
      const tone = TONES[Number(cells[at + 4])] ?? "flat";
      set(row.last, String(cells[at + 1]), tone);
      set(row.change, String(cells[at + 2]), tone);
      set(row.volume, String(cells[at + 3]), "flat");
      const flash = Number(cells[at + 5]);
      if (flash === 0 || cells.length > 60) continue;
      row.last.dataset["f"] = TONES[flash];
      lit.push(row.last);
    }
    if (lit.length === 0) return;
    flashing.push(...lit);
    setTimeout(() => {
      for (const node of lit) delete node.dataset["f"];
      flashing = flashing.filter((node) => !lit.includes(node));
    }, FLASH_MS);
  };
  worker.addEventListener("message", (event: MessageEvent<WorkerMessage>) => {
    const { data } = event;
    if (Array.isArray(data)) requestAnimationFrame(() => paint(data));
  });
  look();
}

worker.addEventListener("message", (event: MessageEvent<WorkerMessage>) => {
  if (!Array.isArray(event.data)) start(event.data.instruments, event.data.categories);
});
