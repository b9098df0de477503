/** A list that is read page by page: its skeleton, failure and empty state, its items, and the button for more. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ReadPages } from "#src/streams/pages.ts";
import { Button } from "#src/ui/button.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./fund.module.css";

export interface PagedListProps<Item> {
  pages: ReadPages<Item>;
  words: { label: string; failed: string };
  empty: Parameters<typeof EmptyState>[0];
  /** Cards with room between them, or rows from edge to edge. */
  as: "cards" | "rows";
  keyOf: (item: Item) => string | number;
  children: (item: Item) => ReactNode;
}

export function PagedList<Item>({ pages, words, empty, as, keyOf, children }: PagedListProps<Item>) {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = pages;
  const skeleton = useSkeleton(value === null && state === "loading");
  const next = value && value.next !== null && (
    <Button busy={moreState === "loading"} onClick={more}>
      {t("fund.more")}
    </Button>
  );
  return (
    <>
      {value === null && skeleton && <Skeleton rows={5} />}
      {value === null && state === "failed" && <ErrorState what={words.failed} code={failure ?? ""} onRetry={retry} />}
      {value?.items.length === 0 && <EmptyState {...empty} />}
      {value && value.items.length > 0 && (
        <ul role="list" aria-label={words.label} className={as === "cards" ? styles.stages : styles.rows}>
          {value.items.map((item) => (
            <li key={keyOf(item)}>{children(item)}</li>
          ))}
        </ul>
      )}
      {next && (as === "cards" ? next : <div className={styles.inset}>{next}</div>)}
    </>
  );
}
