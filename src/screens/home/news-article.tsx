/** One news article, and the instruments it mentions with live quotes. */
import { useTranslation } from "react-i18next";
import { useQuery } from "#src/ui/link.tsx";
import { formatDateTime } from "#contract/kernel/time.ts";
import { NEWS_TOPIC_OF } from "#contract/news.ts";
import type { NewsItem } from "#contract/news.ts";
import { useNewsWords } from "#src/screens/quote/news-words.ts";
import { QuoteRow } from "#src/screens/quote/quote-row.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useInstruments } from "#src/streams/instruments.ts";
import { useArticle } from "#src/streams/news.ts";
import { Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./news.module.css";

/** `/home/newsDetail?id=N12` */
export function NewsArticle() {
  const [query] = useQuery<"/home/newsDetail">();
  return <ArticleScreen id={query.get("id") ?? ""} />;
}

/** The screen of an article. */
export function ArticleScreen({ id }: { id: string }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useArticle(id);
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen
      header={<BackHeader title={t("news.article")} fallback="/home/newsList" />}
      top={<StaleNotice />}
      scroll={value ? "page" : "read"}
    >
      {value && <Article item={value} />}
      {!value && skeleton && <Skeleton shape="text" rows={5} />}
      {!value && failure === "GEN_NOT_FOUND" && (
        <EmptyState title={t("refusal.GEN_NOT_FOUND")} action={{ label: t("news.title"), to: "/home/newsList" }} />
      )}
      {!value && state === "failed" && failure !== "GEN_NOT_FOUND" && (
        <ErrorState what={t("news.failed")} code={failure ?? ""} onRetry={retry} />
      )}
    </Screen>
  );
}

function Article({ item }: { item: NewsItem }) {
  const { t } = useTranslation();
  const words = useNewsWords()?.(item);
  const table = useInstruments();
  const named = item.codes.flatMap((code) => table?.byCode.get(code) ?? []);
  return (
    <article className={styles.article}>
      <div className={styles.words}>
        <p className={styles.when}>
          <time dateTime={new Date(item.at).toISOString()}>{formatDateTime(item.at)}</time> · {t(`news.topic.${NEWS_TOPIC_OF[item.kind]}`)}
        </p>
        <h2 className={styles.headline}>{words?.title}</h2>
        {words?.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p className={styles.note}>{t("news.simulated")}</p>
      </div>
      {named.length > 0 && (
        <Section title={t("news.named")}>
          <ul role="list">
            {named.map((instrument) => (
              <li key={instrument.code}>
                <QuoteRow instrument={instrument} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </article>
  );
}
