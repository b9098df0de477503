/** One instrument in a list: both names, code and board, live price and change in a column that never moves. */
import { memo } from "react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Instrument } from "#contract/instrument.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { detailPath, rememberDetail } from "./detail-link.ts";
import { fullName, usePlace } from "./names.ts";
import styles from "./quote-row.module.css";

export interface QuoteRowProps {
  instrument: Instrument;
  /** The instrument the screen beside the list shows. */
  current?: boolean;
  /** Takes the place of the history entry: choosing beside a detail is not a new page. */
  replace?: boolean;
  /** Beside the row, not part of its link: a star. */
  action?: ReactNode;
}

/** A row that leads to the detail. Its prices are written by the streaming kernel, not rendered. */
export const QuoteRow = memo(function QuoteRow({ instrument, current = false, replace = false, action }: QuoteRowProps) {
  const place = usePlace();
  const { code } = instrument;
  return (
    <div className={styles.row}>
      <Link
        to={detailPath(code)}
        replace={replace}
        className={styles.link ?? ""}
        aria-current={current ? "true" : undefined}
        onClick={() => rememberDetail(instrument)}
      >
        <span className={styles.texts}>
          <span className={styles.name}>{fullName(instrument)}</span>
          <span className={styles.place}>{place(instrument)}</span>
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

/** The row as a VirtualList wants it. */
export function QuoteItem({ item }: { item: Instrument }) {
  return <QuoteRow instrument={item} />;
}
