/** Suggestions for an empty search: recent searches, popular searches, or the most traded instruments when too few members searched. */
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { clearSearches, useSearches } from "#src/streams/recent-searches.ts";
import { useNamed, useRanked } from "#src/screens/quote/lists.ts";
import { QuoteRow } from "#src/screens/quote/quote-row.tsx";
import { WatchStar } from "#src/screens/quote/watch-star.tsx";
import { Button } from "#src/ui/button.tsx";
import { Section } from "#src/ui/row.tsx";
import { Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { FoundItem } from "./search-results.tsx";
import styles from "./search.module.css";

const MOST_TRADED = 10;
const NONE: readonly string[] = [];

export function Suggestions() {
  const { t } = useTranslation();
  const { value, state } = useSearches();
  const mine = useNamed(value?.mine ?? NONE);
  // If the searches fail to load, the most traded instruments are shown anyway.
  const settled = value !== null || state === "failed";
  return (
    <div className={styles.suggestions}>
      {mine !== null && mine.length > 0 && (
        <Section
          title={t("favorite.recent")}
          action={
            <Button tone="quiet" onClick={() => void clearSearches()}>
              {t("favorite.forget")}
            </Button>
          }
        >
          <ul className={styles.rows} role="list" aria-label={t("favorite.recent")} data-found="">
            {mine.map((instrument) => (
              <FoundItem key={instrument.code} instrument={instrument} />
            ))}
          </ul>
        </Section>
      )}
      {settled && (value !== null && value.hot.length > 0 ? <Hot hot={value.hot} /> : <MostTraded />)}
    </div>
  );
}

/** Popular searches, counted in members; the server returns none while too few members searched. */
function Hot({ hot }: { hot: readonly { code: string; members: number }[] }) {
  const { t } = useTranslation();
  const codes = hot.map(({ code }) => code);
  const instruments = useNamed(codes) ?? [];
  const members = new Map(hot.map((one) => [one.code, one.members]));
  return (
    <Section title={t("search.hot")}>
      <SuggestionList
        instruments={instruments}
        label={t("search.hot")}
        note={({ code }) => t("search.hotNote", { count: members.get(code) ?? 0 })}
      />
    </Section>
  );
}

function MostTraded() {
  const { t } = useTranslation();
  const instruments = useNamed(useRanked({ by: "turnover", board: null, category: null, size: MOST_TRADED }));
  const skeleton = useSkeleton(instruments === null);
  return (
    <Section title={t("favorite.hot")}>
      {instruments ? <SuggestionList instruments={instruments} label={t("favorite.hot")} /> : skeleton && <Skeleton rows={6} />}
    </Section>
  );
}

function SuggestionList({
  instruments,
  label,
  note,
}: {
  instruments: readonly Instrument[];
  label: string;
  note?: (instrument: Instrument) => string;
}) {
  return (
    <ul className={styles.rows} role="list" aria-label={label} data-found="">
      {instruments.map((instrument) => (
        <li key={instrument.code} className={styles.row}>
          <QuoteRow
            instrument={instrument}
            {...(note ? { subtitle: `${instrument.code} · ${note(instrument)}` } : {})}
            action={<WatchStar instrument={instrument} />}
          />
        </li>
      ))}
    </ul>
  );
}
