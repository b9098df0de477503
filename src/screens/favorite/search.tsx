/** Search by code, Chinese or English name; with what was opened before and what is traded most while nothing is typed. */
import { ChevronLeft, Search as Magnifier, X } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Instrument } from "#contract/instrument.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { searchInstruments } from "#src/streams/searches.ts";
import { useListed } from "#src/screens/quote/lists.ts";
import { QuoteRow } from "#src/screens/quote/quote-row.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { WatchStar } from "#src/screens/quote/watch-star.tsx";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import { Section } from "#src/ui/row.tsx";
import { Screen } from "#src/ui/screen.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { forget, remember, searched } from "./search-history.ts";
import styles from "./search.module.css";

const HOT = 10;

interface Found {
  text: string;
  instruments: Instrument[];
}

/** `/favorite/search` */
export function Search() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const text = useDeferredValue(typed.trim());
  return (
    <Screen
      header={
        <header className={styles.header}>
          <IconButton label={t("ui.back")} icon={<ChevronLeft size={24} aria-hidden />} onClick={() => void navigate(-1)} />
          <h1>
            <Hidden>{t("favorite.search")}</Hidden>
          </h1>
          <label className={styles.box}>
            <Magnifier size={18} aria-hidden />
            <Hidden>{t("ui.search")}</Hidden>
            <input
              ref={field}
              type="search"
              enterKeyHint="search"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder={t("ui.search")}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          {typed !== "" && (
            <IconButton
              label={t("favorite.clear")}
              icon={<X size={20} aria-hidden />}
              onClick={() => {
                setTyped("");
                field.current?.focus();
              }}
            />
          )}
        </header>
      }
      top={<StaleNotice />}
    >
      {text === "" ? <Suggestions /> : <Results text={text} />}
    </Screen>
  );
}

function Results({ text }: { text: string }) {
  const { t } = useTranslation();
  const table = useInstruments();
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (!table) return;
    let over = false;
    void searchInstruments(text).then((instruments) => {
      // An answer to what was typed before must not overtake this one's.
      if (!over) setFound({ text, instruments });
    });
    return () => {
      over = true;
    };
  }, [text, table]);
  const skeleton = useSkeleton(found === null);
  if (found === null) return skeleton ? <Skeleton rows={4} /> : null;
  return (
    <>
      <p className={styles.count} role="status">
        {found.text === text && t("favorite.found", { n: found.instruments.length })}
      </p>
      {found.instruments.length === 0 ? (
        <EmptyState
          title={t("favorite.nothing", { text: found.text })}
          why={t("favorite.nothingWhy")}
          action={{ label: t("favorite.allStocks"), to: "/home/stockList" }}
        />
      ) : (
        <Rows instruments={found.instruments} label={t("favorite.results")} />
      )}
    </>
  );
}

function Rows({ instruments, label }: { instruments: readonly Instrument[]; label: string }) {
  return (
    <ul className={styles.rows} role="list" aria-label={label}>
      {instruments.map((instrument) => (
        <li key={instrument.code} className={styles.row} onClickCapture={(event) => noteOpened(event.target, instrument)}>
          <QuoteRow instrument={instrument} action={<WatchStar instrument={instrument} />} />
        </li>
      ))}
    </ul>
  );
}

/** A star is not an opening. */
function noteOpened(target: EventTarget, instrument: Instrument): void {
  if (target instanceof Element && target.closest("a")) remember(instrument.code);
}

function Suggestions() {
  const { t } = useTranslation();
  const table = useInstruments();
  const [recent, setRecent] = useState(searched);
  const { instruments: hot } = useListed("hot");
  const opened = recent.map((code) => table?.byCode.get(code)).filter((instrument) => instrument !== undefined);
  const skeleton = useSkeleton(hot === null);
  return (
    <div className={styles.suggestions}>
      {opened.length > 0 && (
        <Section
          title={t("favorite.recent")}
          action={
            <Button
              tone="quiet"
              onClick={() => {
                forget();
                setRecent(searched());
              }}
            >
              {t("favorite.forget")}
            </Button>
          }
        >
          <Rows instruments={opened} label={t("favorite.recent")} />
        </Section>
      )}
      <Section title={t("favorite.hot")}>
        {hot ? <Rows instruments={hot.slice(0, HOT)} label={t("favorite.hot")} /> : skeleton && <Skeleton rows={6} />}
      </Section>
    </div>
  );
}
