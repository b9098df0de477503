/** Time and sales: the latest trades of an instrument, newest on top. */
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { savePreferences, usePreferences } from "#src/streams/preferences.ts";
import { tape$ } from "#src/streams/tapes.ts";
import { Segmented } from "#src/ui/choice.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { COLUMNS, writeTape } from "./tape-rows.ts";
import styles from "./tape.module.css";

/** Thresholds offered for the mark of a big trade, in lots. */
const BIG_LOTS = [10, 50, 100, 500, 1000] as const;

const VolumeByPrice = lazy(async () => ({ default: (await import("./volume-by-price.tsx")).VolumeByPrice }));

/** The trades one by one, or the session's volume by price. */
export function Tape({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const [part, setPart] = useState<"title" | "byPrice">("title");
  const parts = ["title", "byPrice"] as const;
  return (
    <section className={styles.tape} aria-label={t("market.tape.title")}>
      <div className={styles.parts}>
        <Segmented
          label={t("market.tape.title")}
          options={parts.map((value) => ({ value, label: t(`market.tape.${value}`) }))}
          value={part}
          onChoose={setPart}
        />
      </div>
      {part === "title" ? (
        <Trades instrument={instrument} />
      ) : (
        <Suspense fallback={<Skeleton rows={8} shape="text" />}>
          <VolumeByPrice instrument={instrument} />
        </Suspense>
      )}
    </section>
  );
}

/** Trades arrive ten times a second, so rows are written to the DOM, not rendered: a new trade reuses the row that falls off the end. */
function Trades({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { code } = instrument;
  const { bigLots } = usePreferences();
  const body = useRef<HTMLTableSectionElement>(null);
  const [state, setState] = useState<"waiting" | "empty" | "there">("waiting");
  useEffect(() => {
    const rows = body.current;
    if (!rows) return;
    const words = { up: t("market.tape.bought"), down: t("market.tape.sold"), flat: t("market.tape.auction") };
    let shown = 0;
    const subscription = tape$(code).subscribe((update) => {
      setState(update.flat.length === 0 ? "empty" : "there");
      shown = writeTape(rows, update, words, shown, bigLots);
    });
    return () => {
      subscription.unsubscribe();
      rows.replaceChildren();
    };
  }, [code, t, bigLots]);
  const skeleton = useSkeleton(state === "waiting");
  return (
    <>
      <label className={styles.big}>
        {t("market.tape.big")}
        <select value={bigLots} onChange={(event) => void savePreferences({ bigLots: Number(event.currentTarget.value) })}>
          {BIG_LOTS.map((lots) => (
            <option key={lots} value={lots}>
              {t("market.tape.atLeast", { lots })}
            </option>
          ))}
        </select>
      </label>
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
    </>
  );
}
