/** Search results with the matching parts marked, and next steps when nothing was found. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { noteSearch } from "#src/streams/recent-searches.ts";
import { searchInstruments } from "#src/streams/searches.ts";
import { QuoteRow } from "#src/screens/quote/quote-row.tsx";
import { WatchStar } from "#src/screens/quote/watch-star.tsx";
import { ButtonLink } from "#src/ui/button.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { foundIn } from "./highlight-match.ts";
import type { Part } from "./highlight-match.ts";
import styles from "./search.module.css";

/** Maximum number of results; typing another letter is quicker than reading more. */
const MAX_RESULTS = 30;

interface Found {
  text: string;
  instruments: Instrument[];
}

interface SearchResultsProps {
  text: string;
  /** The text Enter was pressed for: its first result is opened as soon as it is loaded; null when none is pending. */
  entered: string | null;
  /** The result was opened, or nothing was found. */
  onOpened: () => void;
}

/** The previous results stay until the next have loaded, so that typing does not flicker. */
export function SearchResults({ text, entered, onOpened }: SearchResultsProps) {
  const { t } = useTranslation();
  const table = useInstruments();
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (!table) return;
    let cancelled = false;
    void searchInstruments(text, MAX_RESULTS).then((instruments) => {
      // A late answer for an earlier text must not replace this one.
      if (!cancelled) setFound({ text, instruments });
    });
    return () => {
      cancelled = true;
    };
  }, [text, table]);
  const list = useRef<HTMLUListElement>(null);
  const openFirst = useEffectEvent(() => {
    onOpened();
    list.current?.querySelector("a")?.click();
  });
  // Only results for exactly the entered text count; those on screen may still belong to an earlier text.
  const ready = entered !== null && found?.text === entered;
  useEffect(() => {
    if (ready) openFirst();
  }, [ready]);
  const skeleton = useSkeleton(found === null);
  if (found === null) return skeleton ? <Skeleton rows={4} /> : null;
  return (
    <>
      <p className={styles.count} role="status">
        {found.text === text &&
          t(found.instruments.length < MAX_RESULTS ? "favorite.found" : "search.first", { n: found.instruments.length })}
      </p>
      {found.instruments.length === 0 ? (
        <NoResults text={found.text} />
      ) : (
        <ul ref={list} className={styles.rows} role="list" aria-label={t("favorite.results")} data-found={found.text}>
          {found.instruments.map((instrument) => (
            <FoundRow key={instrument.code} instrument={instrument} text={found.text} />
          ))}
        </ul>
      )}
    </>
  );
}

function FoundRow({ instrument, text }: { instrument: Instrument; text: string }) {
  const { t, i18n } = useTranslation();
  const { name, code, other } = foundIn(instrument, text, i18n.language);
  return (
    <FoundItem
      instrument={instrument}
      title={<Marked parts={name} />}
      subtitle={
        <>
          <Marked parts={code} /> · {t(`market.board.${instrument.board}`)}
          {other && (
            <>
              {" · "}
              <Marked parts={other} />
            </>
          )}
        </>
      }
    />
  );
}

function Marked({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ text, found }, at) => (found ? <mark key={at}>{text}</mark> : text));
}

/** A result row; following its link records the search, the watch star does not. */
export function FoundItem({ instrument, ...words }: Pick<Parameters<typeof QuoteRow>[0], "instrument" | "title" | "subtitle">) {
  return (
    <li
      className={styles.row}
      onClickCapture={(event) => {
        if (event.target instanceof Element && event.target.closest("a")) void noteSearch(instrument.code);
      }}
    >
      <QuoteRow instrument={instrument} {...words} action={<WatchStar instrument={instrument} />} />
    </li>
  );
}

function NoResults({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <>
      <EmptyState
        title={t("favorite.nothing", { text })}
        why={t("favorite.nothingWhy")}
        action={{ label: t("search.categories"), to: "/favorite/categoryList" }}
      />
      <div className={styles.next}>
        <ButtonLink tone="quiet" to="/home/stockList">
          {t("favorite.allStocks")}
        </ButtonLink>
      </div>
    </>
  );
}
