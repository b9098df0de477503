/** Writes trades to the rows of the tape. */
import { TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { TapeUpdate } from "#src/streams/tapes.ts";

/** The columns of the tape. */
export const COLUMNS = ["time", "price", "lots", "side"] as const;
const SIDES = { 1: "up", [-1]: "down", 0: "flat" } as const;
type SideWord = (typeof SIDES)[keyof typeof SIDES];

/**
 * Updates the rows to the given trades; `shown` is the number of the newest trade they show. When the trade number restarts
 * at 1 on a new day, the rows are cleared. Trades of at least `bigLots` lots are marked.
 * @returns the number of the newest trade shown now
 */
export function writeTape(
  body: Element,
  { flat, texts }: Pick<TapeUpdate, "flat" | "texts">,
  words: Record<SideWord, string>,
  shown: number,
  bigLots = Infinity,
): number {
  const count = flat.length / TAPE_STRIDE;
  const newest = count === 0 ? 0 : tradeAt(flat, (count - 1) * TAPE_STRIDE).n;
  const restarted = newest < shown;
  if (restarted) body.replaceChildren();
  const from = restarted ? 0 : shown;
  for (let at = 0; at < count; at += 1) {
    const trade = tradeAt(flat, at * TAPE_STRIDE);
    const text = texts[at];
    if (trade.n <= from || !text) continue;
    const last = body.lastElementChild;
    const row = last && body.childElementCount >= count ? last : newRow();
    const side = SIDES[trade.side as keyof typeof SIDES] ?? "flat";
    row.setAttribute("data-d", side);
    row.toggleAttribute("data-big", trade.lots >= bigLots);
    [...text, words[side]].forEach((one, place) => {
      const cell = row.children[place];
      if (cell) cell.textContent = one;
    });
    body.prepend(row);
  }
  return newest;
}

function newRow(): Element {
  const row = document.createElement("tr");
  for (const column of COLUMNS) {
    const cell = document.createElement("td");
    cell.setAttribute("data-column", column);
    row.append(cell);
  }
  return row;
}
