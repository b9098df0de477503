/** Worker of the AG Grid page: reads the socket and sends all changed rows at an interval, as objects for the grid. */
import { shortNumber, unitsOf } from "#workers/short-number.ts";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import type { GridRow, GridMessage } from "./grid.ts";
import { LAST, listen, REFERENCE, VOLUME } from "./feed-client.ts";

const UNITS = unitsOf("en");
const MARKS = { up: "▲", down: "▼", flat: "–" };

let rows: GridRow[] = [];
const changed = new Set<number>();
let everyMs = 50;
let spokeMs = 0;

const say = (message: GridMessage): void => postMessage(message);

function take(flat: number[], from: number): void {
  for (let at = from; at < flat.length; at += QUOTE_STRIDE) {
    const row = rows[flat[at] ?? 0];
    if (!row) continue;
    const last = flat[at + LAST] ?? 0;
    const reference = flat[at + REFERENCE] ?? 1;
    row.tone = last > reference ? "up" : last < reference ? "down" : "flat";
    row.last = formatPrice(last);
    const difference = Math.abs(last - reference);
    const percent = formatPercent(Math.round((difference * 10_000) / reference), "never");
    row.change = `${MARKS[row.tone]} ${formatPrice(difference)} (${percent})`;
    row.volume = shortNumber(flat[at + VOLUME] ?? 0, UNITS);
    changed.add(row.row);
  }
}

function speak(): void {
  const now = performance.now();
  if (now - spokeMs < everyMs * 0.8 || changed.size === 0) return;
  spokeMs = now;
  say({ changed: [...changed].flatMap((at) => rows[at] ?? []) });
  changed.clear();
}

addEventListener("message", (event: MessageEvent<{ everyMs: number }>) => {
  everyMs = event.data.everyMs;
});

void listen(
  ({ instruments }) => {
    rows = instruments.map(({ row, code, zh, en }) => ({
      row,
      code,
      name: `${zh} ${en}`,
      last: "--",
      change: "--",
      volume: "--",
      tone: "flat",
    }));
    say({ rows });
  },
  (flat, from) => {
    take(flat, from);
    speak();
  },
);
