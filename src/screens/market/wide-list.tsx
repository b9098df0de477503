/** The list next to the chart: tabs of live rows; arrow keys choose, unless the user is typing. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { ROW_PX, useDensity } from "#src/screens/quote/density.ts";
import { LISTS, useListed } from "#src/screens/quote/lists.ts";
import type { ListName } from "#src/screens/quote/lists.ts";
import { QuoteRow } from "#src/screens/quote/quote-row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { requestedCode } from "./requested-code.ts";
import { isTyping } from "./is-typing.ts";
import styles from "./wide.module.css";

interface WideListProps {
  /** The instrument on screen. */
  instrument: Instrument;
  onChoose: (instrument: Instrument) => void;
}

/** The next instrument for an arrow key; the first of the list if the current one is not in it. */
export function neighbour(list: readonly Instrument[], code: string, by: 1 | -1): Instrument | null {
  const at = list.findIndex((one) => one.code === code);
  return list[at < 0 ? 0 : at + by] ?? null;
}

/** At most two hundred watchlist rows or thirty ranked ones: no virtualisation needed. */
export function WideList({ instrument, onChoose }: WideListProps) {
  const { t } = useTranslation();
  const [list, setList] = useState<ListName>("watchlist");
  const { instruments, failure, retry } = useListed(list);
  const skeleton = useSkeleton(instruments === null && failure === null);
  const blockSize = `${ROW_PX[useDensity()] / 16}rem`;
  const rows = useRef<HTMLUListElement>(null);
  const chooseNeighbour = useEffectEvent((event: KeyboardEvent) => {
    if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || isTyping(event)) return;
    // Arrow keys belong to the chart, tabs and radios when those have focus; in the list they also move the focus.
    const inList = event.target instanceof Node && rows.current?.contains(event.target) === true;
    if (event.target !== document.body && !inList && !(event.target instanceof HTMLElement && event.target.id === "main")) return;
    const next = neighbour(instruments ?? [], requestedCode(instrument.code), event.key === "ArrowDown" ? 1 : -1);
    if (!next) return;
    event.preventDefault();
    onChoose(next);
    const row = rows.current?.querySelector<HTMLElement>(`[data-code="${CSS.escape(next.code)}"] a`);
    if (inList) row?.focus();
    row?.scrollIntoView({ block: "nearest" });
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => chooseNeighbour(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <nav className={styles.list} aria-label={t("market.lists")}>
      <Tabs
        label={t("market.lists")}
        tabs={LISTS.map((value) => ({ value, label: t(`market.list.${value}`) }))}
        value={list}
        onChoose={setList}
      />
      <div className={styles.scroller}>
        {failure !== null && <ErrorState what={t("market.listFailed")} code={failure} onRetry={retry} />}
        {skeleton && instruments === null && <Skeleton rows={8} />}
        {instruments?.length === 0 &&
          (list === "watchlist" ? (
            <EmptyState title={t("favorite.noneTitle")} why={t("favorite.noneWhy")} />
          ) : (
            <EmptyState why={t("market.noRanking")} />
          ))}
        <ul ref={rows} role="list" aria-label={t(`market.list.${list}`)}>
          {instruments?.map((one) => (
            <li key={one.code} className={styles.row} style={{ blockSize }} data-code={one.code}>
              <QuoteRow instrument={one} current={one.code === instrument.code} replace />
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
