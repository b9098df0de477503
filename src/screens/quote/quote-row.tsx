/** One instrument in a list: its name, code and board, live price and change in a column that never moves. */
import { memo } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import { ownPath, rememberDetail } from "./detail-link.ts";
import { fullName, usePlace } from "./names.ts";
import type { SortField } from "./sorting.ts";
import styles from "./quote-row.module.css";

export interface QuoteRowProps {
  instrument: Instrument;
  /** The instrument the screen beside the list shows. */
  current?: boolean;
  /** Takes the place of the history entry: choosing beside a detail is not a new page. */
  replace?: boolean;
  /** Its place in a ranking, counted from 1. */
  rank?: number;
  /** What the list is ranked or sorted by, where price and percent do not say it. */
  metric?: SortField | null;
  /** In place of name and place: with the part marked that a search found. */
  title?: ReactNode;
  subtitle?: ReactNode;
  /** Beside the row, not part of its link: a star. */
  action?: ReactNode;
}

/** A row that leads to the detail. Its prices are written by the streaming kernel, not rendered. */
export const QuoteRow = memo(function QuoteRow({
  instrument,
  current = false,
  replace = false,
  rank,
  metric = null,
  title,
  subtitle,
  action,
}: QuoteRowProps) {
  const place = usePlace();
  const { code } = instrument;
  return (
    <div className={styles.row}>
      <Link
        to={ownPath(instrument)}
        replace={replace}
        className={styles.link ?? ""}
        aria-current={current ? "true" : undefined}
        data-ranked={rank === undefined ? undefined : true}
        onClick={() => rememberDetail(instrument)}
      >
        {rank !== undefined && <span className={styles.rank}>{rank}</span>}
        <span className={styles.texts}>
          <span className={styles.name}>{title ?? fullName(instrument)}</span>
          <span className={styles.place}>
            <span className={styles.where}>{subtitle ?? place(instrument)}</span>
            {metric !== null && <Metric code={code} field={metric} />}
          </span>
        </span>
        <span className={styles.price}>
          <QuoteCell code={code} field="last" className={styles.last} />
          <QuoteCell code={code} field="percent" className={styles.change} />
        </span>
      </Link>
      {action}
    </div>
  );
});

function Metric({ code, field }: { code: string; field: SortField }) {
  const { t } = useTranslation();
  return (
    <span className={styles.metric}>
      <Hidden>{t(`ranking.column.${field}`)}</Hidden>
      <QuoteCell code={code} field={field} />
    </span>
  );
}

/** The row as a VirtualList wants it. */
export function QuoteItem({ item }: { item: Instrument }) {
  return <QuoteRow instrument={item} />;
}
