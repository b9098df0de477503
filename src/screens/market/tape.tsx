/** Time and sales: the latest trades of an instrument, newest on top. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Instrument } from "#contract/instrument.ts";
import { tape$ } from "#src/streams/tapes.ts";
import type { TapeUpdate } from "#src/streams/tapes.ts";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./tape.module.css";

const COLUMNS = ["time", "price", "lots", "side"] as const;
const SIDES = { 1: "up", [-1]: "down", 0: "flat" } as const;
type SideWord = (typeof SIDES)[keyof typeof SIDES];

/** Trades arrive ten times a second, so rows are written to the DOM, not rendered: a new trade reuses the row that falls off the end. */
export function Tape({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { code } = instrument;
  const body = useRef<HTMLTableSectionElement>(null);
  const [state, setState] = useState<"waiting" | "empty" | "there">("waiting");
  useEffect(() => {
    const rows = body.current;
    if (!rows) return;
    const words = { up: t("market.tape.bought"), down: t("market.tape.sold"), flat: t("market.tape.auction") };
    let shown = 0;
    const subscription = tape$(code).subscribe((update) => {
      setState(update.flat.length === 0 ? "empty" : "there");
      shown = writeTape(rows, update, words, shown);
    });
    return () => {
      subscription.unsubscribe();
      rows.replaceChildren();
    };
  }, [code, t]);
  const skeleton = useSkeleton(state === "waiting");
  return (
    <section className={styles.tape} aria-labelledby="tape">
      <h2 id="tape" className={styles.title}>
        {t("market.tape.title")}
      </h2>
      {state === "empty" && <EmptyState why={t("market.tape.none")} />}
      {state === "waiting" && skeleton && <Skeleton rows={8} shape="text" />}
      <div className={styles.scroller} hidden={state !== "there"}>
        <table className={styles.table}>
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {t(`market.tape.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body} data-live />
        </table>
      </div>
    </section>
  );
}

/**
 * Updates the rows to the given trades; `shown` is the number of the newest trade they show. When the trade number restarts
 * at 1 on a new day, the rows are cleared.
 * @returns the number of the newest trade shown now
 */
export function writeTape(
  body: Element,
  { flat, texts }: Pick<TapeUpdate, "flat" | "texts">,
  words: Record<SideWord, string>,
  shown: number,
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
