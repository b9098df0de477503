/** What a run of a strategy or a copy of a mentor traded and left out, newest first, each with its order. */
import type { ReactNode } from "react";
import { pathTo } from "#src/paths.ts";
import type { ReadPages } from "#src/streams/pages.ts";
import { Link } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { PagedList } from "./paged-list.tsx";
import styles from "./fund.module.css";

interface TradedPageProps<Trade> {
  title: string;
  fallback: "/home/qcList" | "/home/fllow";
  words: { label: string; failed: string; none: string; noneWhy: string };
  trades: ReadPages<Trade>;
  renderRow: (trade: Trade) => ReactNode;
}

export function TradedPage<Trade extends { id: number }>({ title, fallback, words, trades, renderRow }: TradedPageProps<Trade>) {
  return (
    <Screen header={<BackHeader title={title} fallback={fallback} />}>
      <div className={styles.panel}>
        <PagedList pages={trades} words={words} empty={{ title: words.none, why: words.noneWhy }} as="rows" keyOf={({ id }) => id}>
          {renderRow}
        </PagedList>
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
