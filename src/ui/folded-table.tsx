/** What is folded away under a line until it is asked for: anything, or a table of numbers. */
import type { ReactNode } from "react";
import styles from "./folded-table.module.css";

export function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={styles.folded}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

interface FoldedTableProps {
  title: string;
  columns: readonly string[];
  /** The first cell names the row. */
  rows: readonly { key: number; cells: readonly string[] }[];
}

export function FoldedTable({ title, columns, rows }: FoldedTableProps) {
  return (
    <Folded title={title}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...values] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {values.map((value, nth) => (
                <td key={columns[nth + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Folded>
  );
}
