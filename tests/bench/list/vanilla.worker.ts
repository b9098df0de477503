/** Worker of the hand-written page: the socket, a table, and the visible rows that changed, as formatted texts. */
import { shortNumber, unitsOf } from "#workers/short-number.ts";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import { LAST, listen, REFERENCE, VOLUME } from "./feed-client.ts";
import type { WorkerMessage, WorkerCommand } from "./vanilla.ts";

const MARKS = ["–", "▲", "▼"];
const UNITS = unitsOf("en");

let lasts = new Float64Array(0);
let references = new Float64Array(0);
let volumes = new Float64Array(0);
let shown = new Float64Array(0);
let shownLots = new Float64Array(0);
let onScreen: number[] = [];
let everyMs = 50;
let spokeMs = 0;

const say = (message: WorkerMessage): void => postMessage(message);

function take(flat: number[], from: number): void {
  for (let at = from; at < flat.length; at += QUOTE_STRIDE) {
    const row = flat[at] ?? 0;
    lasts[row] = flat[at + LAST] ?? 0;
    references[row] = flat[at + REFERENCE] ?? 0;
    volumes[row] = flat[at + VOLUME] ?? 0;
  }
}

const direction = (difference: number): number => (difference > 0 ? 1 : difference < 0 ? 2 : 0);

function speak(): void {
  const cells: (number | string)[] = [];
  for (const row of onScreen) {
    const last = lasts[row] ?? 0;
    const before = shown[row] ?? 0;
    const lots = volumes[row] ?? 0;
    if ((last === before && lots === shownLots[row]) || last === 0) continue;
    shown[row] = last;
    shownLots[row] = lots;
    const difference = last - (references[row] ?? 0);
    const percent = formatPercent(Math.round((Math.abs(difference) * 10_000) / (references[row] ?? 1)), "never");
    const tone = direction(difference);
    const change = `${MARKS[tone]} ${formatPrice(Math.abs(difference))} (${percent})`;
    const volume = shortNumber(lots, UNITS);
    cells.push(row, formatPrice(last), change, volume, tone, before === 0 ? 0 : direction(last - before));
  }
  if (cells.length > 0) say(cells);
}

addEventListener("message", (event: MessageEvent<WorkerCommand>) => {
  if ("everyMs" in event.data) {
    everyMs = event.data.everyMs;
    return;
  }
  const before = new Set(onScreen);
  onScreen = event.data.rows;
  for (const row of onScreen) if (!before.has(row)) shown[row] = 0;
  speak();
});

void listen(
  (listed) => {
    lasts = new Float64Array(listed.instruments.length);
    references = new Float64Array(listed.instruments.length);
    volumes = new Float64Array(listed.instruments.length);
    shownLots = new Float64Array(listed.instruments.length);
    shown = new Float64Array(listed.instruments.length);
    say(listed);
  },
  (flat, from) => {
    take(flat, from);
    if (performance.now() - spokeMs < everyMs * 0.8) return;
    spokeMs = performance.now();
    speak();
  },
);
