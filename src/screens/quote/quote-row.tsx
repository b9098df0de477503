/** One instrument in a list, on two lines: name, code and volume, and live price and change in a column of fixed position. */
import { memo } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { ownPath, rememberDetail } from "./detail-link.ts";
import { fullName } from "./names.ts";
import type { SortField } from "./sorting.ts";
import { Sparkline } from "./sparkline.tsx";
import styles from "./quote-row.module.css";

export interface QuoteRowProps {
  instrument: Instrument;
  /** The instrument shown in the detail next to the list. */
  current?: boolean;
  /** Replaces the history entry: choosing next to a detail is not a new page. Such a narrow list has no sparklines. */
  replace?: boolean;
  /** Its rank, from 1. */
  rank?: number;
  /** Shown below the name: the field the list is ranked or sorted by, if price and change do not show it already. */
  metric?: SortField;
  /** Replaces the name, for example with the search match highlighted. */
  title?: ReactNode;
  subtitle?: ReactNode;
  /** Next to the row, outside its link: a star. */
  action?: ReactNode;
}

/** A row that links to the detail. Its prices are written by the streams, not rendered. */
export const QuoteRow = memo(function QuoteRow({
  instrument,
  current = false,
  replace = false,
  rank,
  metric = "volume",
  title,
  subtitle,
  action,
}: QuoteRowProps) {
  const { code } = instrument;
  return (
    <div className={styles.row} data-quote={code}>
      <Link
        to={ownPath(instrument)}
        replace={replace}
        className={styles.link ?? ""}
        aria-current={current ? "true" : undefined}
        data-spark={replace ? undefined : true}
        data-ranked={rank === undefined ? undefined : true}
        onClick={() => rememberDetail(instrument)}
      >
        {rank !== undefined && <span className={styles.rank}>{rank}</span>}
        <span className={styles.texts}>
          <span className={styles.title}>
            <span className={styles.name}>{title ?? fullName(instrument)}</span>
            {/* Nobody knows an index by its code, and its name needs the room. */}
            {subtitle === undefined && instrument.kind !== "index" && <span className={styles.code}>{code}</span>}
          </span>
          {subtitle === undefined ? <Metric code={code} field={metric} /> : <span className={styles.where}>{subtitle}</span>}
        </span>
        {!replace && <Sparkline code={code} />}
        <span className={styles.price}>
          <QuoteCell code={code} field="last" className={styles.last} />
          <QuoteCell code={code} field="changeAndPercent" className={styles.change} />
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
      {t(`ranking.column.${field}`)} <QuoteCell code={code} field={field} />
    </span>
  );
}

/** The row component for VirtualList. */
export function QuoteItem({ item }: { item: Instrument }) {
  return <QuoteRow instrument={item} />;
}
