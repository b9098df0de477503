/** Worker of the AG Grid page: reads the socket and sends all changed rows at an interval, as objects for the grid. */
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import type { GridRow, GridMessage } from "./grid.ts";
import { LAST, listen, REFERENCE } from "./feed-client.ts";

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
    row.percent = `${MARKS[row.tone]} ${formatPercent(Math.round((Math.abs(last - reference) * 10_000) / reference), "never")}`;
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
    rows = instruments.map(({ row, code, zh, en }) => ({ row, code, name: `${zh} ${en}`, last: "--", percent: "--", tone: "flat" }));
    say({ rows });
  },
  (flat, from) => {
    take(flat, from);
    speak();
  },
);
