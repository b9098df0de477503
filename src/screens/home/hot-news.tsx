/** A few of the latest news articles. */
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { NewsRow } from "#src/screens/quote/news-row.tsx";
import { useNews } from "#src/streams/news.ts";
import { Section } from "#src/ui/row.tsx";
import { ErrorState, Skeleton } from "#src/ui/state.tsx";
import styles from "./digest.module.css";

const SHOWN = 3;

/** A section of headlines; nothing while there are none. */
export function HotNews() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useNews(null, null);
  if (value?.items.length === 0) return null;
  return (
    <Section
      title={t("home.hotNews")}
      action={
        <Link to="/home/newsList" replace className={styles.all ?? ""}>
          {t("home.newsAll")}
        </Link>
      }
    >
      {value && (
        <ul role="list" className={styles.list}>
          {value.items.slice(0, SHOWN).map((item) => (
            <li key={item.id}>
              <NewsRow item={item} />
            </li>
          ))}
        </ul>
      )}
      {!value && state === "loading" && <Skeleton rows={SHOWN} />}
      {!value && state === "failed" && <ErrorState what={t("home.newsFailed")} code={failure ?? ""} onRetry={retry} />}
    </Section>
  );
}
