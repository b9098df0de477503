/** What a run of a strategy or a copy of a mentor traded and left out, newest first, each with its order. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { pathTo } from "#src/paths.ts";
import type { ReadPages } from "#src/streams/pages.ts";
import { Button } from "#src/ui/button.tsx";
import { Link } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./fund.module.css";

interface TradedPageProps<Trade> {
  title: string;
  fallback: "/home/qcList" | "/home/fllow";
  words: { label: string; failed: string; none: string; noneWhy: string };
  trades: ReadPages<Trade>;
  renderRow: (trade: Trade) => ReactNode;
}

export function TradedPage<Trade extends { id: number }>({ title, fallback, words, trades, renderRow }: TradedPageProps<Trade>) {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = trades;
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={title} fallback={fallback} />}>
      <div className={styles.panel}>
        {value === null && skeleton && <Skeleton rows={5} />}
        {value === null && state === "failed" && <ErrorState what={words.failed} code={failure ?? ""} onRetry={retry} />}
        {value && value.items.length === 0 && <EmptyState title={words.none} why={words.noneWhy} />}
        {value && value.items.length > 0 && (
          <ul role="list" aria-label={words.label} className={styles.rows}>
            {value.items.map((trade) => (
              <li key={trade.id}>{renderRow(trade)}</li>
            ))}
          </ul>
        )}
        {value && value.next !== null && (
          <div className={styles.inset}>
            <Button busy={moreState === "loading"} onClick={more}>
              {t("fund.more")}
            </Button>
          </div>
        )}
      </div>
    </Screen>
  );
}

/** A row that leads to its order; what was left out has none. */
export function TradedRow({ orderNo, children }: { orderNo: string | null; children: ReactNode }) {
  if (orderNo === null) return <div className={styles.row}>{children}</div>;
  return (
    <Link to={pathTo("/trade/positionDetail", { orderNo })} className={styles.row ?? ""}>
      {children}
    </Link>
  );
}
