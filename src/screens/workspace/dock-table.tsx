/** The compact tables of the dock: rows of one line, the instrument's name first; only rows on screen are mounted. */
import { createContext, useContext } from "react";
import type { ComponentType, ReactNode } from "react";
import type { Order } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import { useTranslation } from "react-i18next";
import { AsyncSection } from "#src/screens/trade/async-section.tsx";
import type { OrderRunning, RunningAction } from "#src/screens/trade/order-actions.tsx";
import { useOrderName } from "#src/screens/trade/order-lines.tsx";
import { detailPath } from "#src/screens/quote/detail-link.ts";
import type { Read } from "#src/streams/resource.ts";
import { Link } from "#src/ui/link.tsx";
import { VirtualTable } from "#src/ui/virtual-table.tsx";
import type { TableColumn } from "#src/ui/virtual-table.tsx";
import { columnRem } from "./text-width.ts";
import styles from "./dock.module.css";

/** How a row starts an action: cells of a virtual table have no properties but their item. */
export const RunAction = createContext<(running: RunningAction) => void>(() => undefined);

/** Opens the sheet that closes a position. */
export const ClosePosition = createContext<(position: Position) => void>(() => undefined);

const ROW_PX = 32;
const unsorted = (): void => undefined;

/** The instrument of a row; choosing it shows it in the active chart. */
export function CodeHead({ item }: { item: { code: string } }) {
  const nameOf = useOrderName();
  return (
    <Link to={detailPath(item.code)} replace className={styles.code ?? ""}>
      {nameOf({ code: item.code as Order["code"] })}
    </Link>
  );
}

/** A button in a row. */
export function RowButton({ label, about, onPress }: { label: string; about: string; onPress: () => void }) {
  return (
    <button type="button" className={styles.act} aria-label={about} onClick={onPress}>
      {label}
    </button>
  );
}

/** A button in a row that starts an action on its order. */
export function RowAction({ label, about, order, action }: { label: string; about: string; order: Order; action: OrderRunning["action"] }) {
  const run = useContext(RunAction);
  return <RowButton label={label} about={about} onPress={() => run({ action, order })} />;
}

/** Stands for the borders, paddings and gap of a row's two buttons where their width is estimated. */
export const BORDERS = "-----";

interface DockColumn<Name extends string> extends TableColumn<Name> {
  /** Texts of the column that may be long in some languages; none is cut off. */
  lines?: readonly string[] | undefined;
}

interface DockTableProps<Item, Name extends string> {
  label: string;
  read: Read<unknown>;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  columns: readonly DockColumn<Name>[];
  Cell: ComponentType<{ item: Item; column: Name }>;
  /** Said when there is no row. */
  none: string;
  /** Below the last row: more rows. */
  after?: ReactNode;
}

export function DockTable<Item extends { code: string }, Name extends string>({
  label,
  read,
  items,
  keyOf,
  columns,
  Cell,
  none,
  after,
}: DockTableProps<Item, Name>) {
  const { t } = useTranslation();
  return (
    <AsyncSection read={read} rows={2}>
      {items.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <VirtualTable
          label={label}
          items={items}
          keyOf={keyOf}
          corner={t("workspace.column.name")}
          columns={columns.map(({ lines, rem, ...column }) => ({ ...column, rem: columnRem(rem, column.title, lines) }))}
          RowHead={CodeHead}
          Cell={Cell}
          sort={null}
          onSort={unsorted}
          rowPx={ROW_PX}
          after={after}
        />
      )}
    </AsyncSection>
  );
}
