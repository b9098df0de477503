/** A dense table of many rows: sticky row heads and column heads while it scrolls both ways; only a few rows are mounted. */
import { ArrowDown, ArrowUp } from "lucide-react";
import { memo, useCallback, useMemo, useState } from "react";
import type { ComponentType, CSSProperties, ReactNode } from "react";
import { placeSections } from "./virtual-layout.ts";
import { itemOf, moveFocus, useVirtualWindow } from "./virtual-window.ts";
import styles from "./virtual-table.module.css";

export interface TableColumn<Name extends string> {
  name: Name;
  title: string;
  /** Minimum width in rem; spare width is shared. */
  rem: number;
  /** Its head sorts the table. */
  sorts?: boolean;
}

export interface VirtualTableProps<Item, Name extends string> {
  /** The table's accessible name. */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** The head of the name column. */
  corner: string;
  columns: readonly TableColumn<Name>[];
  /** The row's head; its identity must be stable between renders. */
  RowHead: ComponentType<{ item: Item }>;
  /** One value of a row; its identity must be stable between renders. */
  Cell: ComponentType<{ item: Item; column: Name }>;
  /** The column the rows are sorted by; null for their own order. */
  sort: { by: Name; descending: boolean } | null;
  onSort: (by: Name) => void;
  /** Row height at a 16 px root. */
  rowPx?: number;
  after?: ReactNode;
}

const DEFAULT_ROW_PX = 44;
/** Minimum width of the name column. */
const NAME_REM = 7.5;
/** The head row counts as the table's first. */
const HEADS = 1;

/** The table fills its container and scrolls on its own, in both directions. */
export function VirtualTable<Item, Name extends string>({
  label,
  items,
  keyOf,
  corner,
  columns,
  RowHead,
  Cell,
  sort,
  onSort,
  rowPx = DEFAULT_ROW_PX,
  after,
}: VirtualTableProps<Item, Name>) {
  const rows = items.length;
  const place = useCallback((scale: number) => placeSections([{ rows, headed: false }], Math.round(rowPx * scale), 0), [rows, rowPx]);
  const [focused, setFocused] = useState<number | null>(null);
  const { scroller, plane, layout, items: mounted } = useVirtualWindow(place, focused);
  const names = useMemo(() => columns.map(({ name }) => name), [columns]);
  const template = [`minmax(${NAME_REM}rem, 2fr)`, ...columns.map(({ rem }) => `minmax(${rem}rem, 1fr)`)].join(" ");
  const style = {
    "--columns": template,
    minInlineSize: `${NAME_REM + columns.reduce((sum, { rem }) => sum + rem, 0)}rem`,
  } as CSSProperties;
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label={label}
      tabIndex={0}
      onKeyDown={moveFocus}
      onFocus={(event) => setFocused(itemOf(event))}
      onBlur={() => setFocused(null)}
    >
      <div className={styles.table} role="table" aria-label={label} aria-rowcount={rows + HEADS} style={style}>
        <div role="rowgroup" className={styles.heads}>
          <div role="row" aria-rowindex={1} className={styles.line}>
            <span role="columnheader" className={styles.corner}>
              {corner}
            </span>
            {columns.map((column) => (
              <Head key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        <div ref={plane} role="rowgroup" className={styles.plane} style={{ blockSize: layout.height }}>
          {mounted.map((index) => {
            const item = items[index];
            if (item === undefined) return null;
            return (
              <Line
                key={keyOf(item)}
                item={item}
                index={index}
                names={names}
                RowHead={RowHead as ComponentType<{ item: unknown }>}
                Cell={Cell as ComponentType<{ item: unknown; column: string }>}
                top={index * layout.rowPx}
                height={layout.rowPx}
              />
            );
          })}
        </div>
      </div>
      {after && <div className={styles.after}>{after}</div>}
    </div>
  );
}

interface HeadProps<Name extends string> {
  column: TableColumn<Name>;
  sort: { by: Name; descending: boolean } | null;
  onSort: (by: Name) => void;
}

function Head<Name extends string>({ column, sort, onSort }: HeadProps<Name>) {
  const { name, title, sorts = false } = column;
  if (!sorts) {
    return (
      <span role="columnheader" className={styles.head}>
        {title}
      </span>
    );
  }
  const now = sort?.by === name ? (sort.descending ? "descending" : "ascending") : "none";
  const Arrow = now === "ascending" ? ArrowUp : ArrowDown;
  return (
    <span role="columnheader" className={styles.head} aria-sort={now}>
      <button type="button" className={styles.sorter} onClick={() => onSort(name)}>
        <span>{title}</span>
        {now !== "none" && <Arrow size={12} strokeWidth={2.5} aria-hidden />}
      </button>
    </span>
  );
}

interface LineProps {
  item: unknown;
  index: number;
  names: readonly string[];
  RowHead: ComponentType<{ item: unknown }>;
  Cell: ComponentType<{ item: unknown; column: string }>;
  top: number;
  height: number;
}

/** A tap anywhere in the row follows the link of its name; keyboard and screen readers use the link itself. */
const Line = memo(function Line({ item, index, names, RowHead, Cell, top, height }: LineProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 1 + HEADS}
      data-index={index}
      className={styles.line}
      style={{ insetBlockStart: top, blockSize: height }}
      onClick={(event) => {
        if (event.target instanceof Element && !event.target.closest("a, button")) event.currentTarget.querySelector("a")?.click();
      }}
    >
      <div role="rowheader" className={styles.name}>
        <RowHead item={item} />
      </div>
      {names.map((name) => (
        <div key={name} role="cell" className={styles.cell}>
          <Cell item={item} column={name} />
        </div>
      ))}
    </div>
  );
});
