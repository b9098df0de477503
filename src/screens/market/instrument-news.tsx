/** The news about one instrument. */
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { useNews } from "#src/streams/news.ts";
import { NewsRow } from "#src/screens/quote/news-row.tsx";
import { Button } from "#src/ui/button.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./sections.module.css";

/** Loads a page at a time, newest first. */
export function InstrumentNews({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = useNews(null, instrument.code);
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("market.newsFailed")} code={failure ?? ""} onRetry={retry} />;
    return skeleton && <Skeleton rows={5} />;
  }
  if (value.items.length === 0) return <EmptyState title={t("market.noNews")} why={t("market.noNewsWhy")} />;
  return (
    <section aria-label={t("market.section.news")}>
      <ul role="list" className={styles.items}>
        {value.items.map((item) => (
          <li key={item.id}>
            <NewsRow item={item} />
          </li>
        ))}
      </ul>
      {value.next !== null && (
        <div className={styles.more}>
          <Button busy={moreState === "loading"} onClick={more}>
            {moreState === "failed" ? t("ui.retry") : t("market.moreNews")}
          </Button>
        </div>
      )}
    </section>
  );
}
