/** The news tab: articles by topic, newest first. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { NEWS_TOPICS } from "#contract/news.ts";
import type { NewsItem, NewsTopic } from "#contract/news.ts";
import { NEWS_ROW_PX, NewsRow } from "#src/screens/quote/news-row.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useNews } from "#src/streams/news.ts";
import { Screen, TitleHeader } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import styles from "./news.module.css";

const ALL = "all";
const TABS = [ALL, ...NEWS_TOPICS] as const;
const PANEL = "news-panel";

const keyOf = ({ id }: NewsItem): string => id;

/** `/home/newsList` */
export function News() {
  const { t } = useTranslation();
  const [topic, setTopic] = useState<NewsTopic | null>(null);
  const list = useNews(topic, null);
  const { value, state, failure } = list;
  const skeleton = useSkeleton(value === null && state === "loading");
  const sections = useMemo(() => [{ id: "news", items: value?.items ?? [] }], [value]);
  return (
    <Screen
      header={<TitleHeader title={t("news.title")} />}
      top={
        <>
          <StaleNotice />
          <Tabs
            label={t("news.topics")}
            tabs={TABS.map((tab) => ({ value: tab, label: t(`news.topic.${tab}`) }))}
            value={topic ?? ALL}
            onChoose={(tab) => setTopic(tab === ALL ? null : tab)}
            panelId={PANEL}
          />
        </>
      }
      scroll="own"
    >
      <div className={styles.list} role="tabpanel" id={PANEL} aria-label={t(`news.topic.${topic ?? ALL}`)}>
        <VirtualList
          key={topic ?? ALL}
          label={t("news.title")}
          sections={sections}
          keyOf={keyOf}
          Row={NewsRow}
          rowPx={NEWS_ROW_PX}
          before={<p className={styles.simulated}>{t("news.simulated")}</p>}
          onNearEnd={() => {
            if (value?.next && list.moreState !== "loading") list.more();
          }}
          after={
            <>
              {!value && skeleton && <Skeleton rows={8} />}
              {!value && state === "failed" && <ErrorState what={t("news.failed")} code={failure ?? ""} onRetry={list.retry} />}
              {value?.items.length === 0 && <EmptyState title={t("news.none")} why={t("news.noneWhy")} />}
              {value && list.moreState === "failed" && <ErrorState what={t("news.failed")} onRetry={list.more} />}
              {value && value.items.length > 0 && list.moreState !== "failed" && (
                <p className={styles.end} role="status">
                  {value.next === null ? t("news.end") : t("news.more")}
                </p>
              )}
            </>
          }
        />
      </div>
    </Screen>
  );
}
