/** One article in a list: headline, time, topic, and the live change of its first instrument; links to the article. */
import { pathTo } from "#src/paths.ts";
import { memo } from "react";
import { Link } from "#src/ui/link.tsx";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import { NEWS_TOPIC_OF } from "#contract/news.ts";
import type { NewsItem } from "#contract/news.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { useNewsWords } from "./news-words.ts";
import styles from "./news-row.module.css";

/** The height of a row in pixels at a 16 px root font size. */
export const NEWS_ROW_PX = 76;

/** Without the seconds: `2026.11.21 13:30`. */
const minuteOf = (at: number): string => formatDateTime(at).slice(0, -3);

/** A row that links to the article. */
export const NewsRow = memo(function NewsRow({ item }: { item: NewsItem }) {
  const { t } = useTranslation();
  const words = useNewsWords();
  const about = item.codes[0];
  return (
    <Link to={pathTo("/home/newsDetail", { id: item.id })} className={styles.row ?? ""}>
      <span className={styles.title}>{words?.(item).title}</span>
      <span className={styles.note}>
        <time dateTime={new Date(item.at).toISOString()}>{minuteOf(item.at)}</time>
        <span>{t(`news.topic.${NEWS_TOPIC_OF[item.kind]}`)}</span>
        <span className={styles.mark}>{t("news.mark")}</span>
      </span>
      {about !== undefined && (
        <span className={styles.now}>
          <span className={styles.code}>{about}</span>
          <QuoteCell code={about} field="percent" className={styles.change} />
        </span>
      )}
    </Link>
  );
});
