/** Layout of plain data: sections, lists, rows, cards and label-value pairs. */
import { ChevronRight } from "lucide-react";
import { useId } from "react";
import type { ReactNode } from "react";
import { Link } from "./link.tsx";
import type { Path } from "#src/paths.ts";
import { classNames } from "./class-names.ts";
import styles from "./row.module.css";

/** A titled part of a screen, with an optional action at the end of its heading. */
export function Section({
  title,
  action,
  children,
  inset = false,
}: {
  title?: string;
  action?: ReactNode;
  children: ReactNode;
  inset?: boolean;
}) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={title ? id : undefined} data-inset={inset || undefined}>
      {title && (
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          {action}
        </div>
      )}
      {children}
    </section>
  );
}

/** A plain list; its children are `<Row>`s. For long or live lists use VirtualList. */
export function List({ label, children }: { label?: string; children: ReactNode }) {
  // Safari drops the list role from lists without bullets.
  return (
    <ul className={styles.list} role="list" aria-label={label}>
      {children}
    </ul>
  );
}

export interface RowProps {
  title: ReactNode;
  subtitle?: ReactNode;
  /** Before the title: an icon. */
  leading?: ReactNode;
  /** At the end: a value, a chip. Uses the fixed price column when `price` is set. */
  trailing?: ReactNode;
  price?: boolean;
  compact?: boolean;
  to?: Path;
  state?: unknown;
  onPress?: () => void;
}

/** One row of a `<List>`: a link when it has `to`, a button when it has `onPress`, else plain text. */
export function Row(props: RowProps) {
  return (
    <li className={styles.item}>
      <RowBody {...props} />
    </li>
  );
}

/** The row without its list item, for lists that bring their own (VirtualList). */
export function RowBody({ title, subtitle, leading, trailing, price = false, compact = false, to, state, onPress }: RowProps) {
  const inner = (
    <>
      {leading && <span className={styles.leading}>{leading}</span>}
      <span className={styles.texts}>
        <span className={styles.title}>{title}</span>
        {subtitle && <span className={styles.subtitle}>{subtitle}</span>}
      </span>
      {trailing && <span className={classNames(styles.trailing, price && styles.price)}>{trailing}</span>}
      {(to || onPress) && !price && <ChevronRight className={styles.chevron} size={18} aria-hidden />}
    </>
  );
  const look = { className: styles.row ?? "", "data-compact": compact || undefined, "data-price": price || undefined };
  if (to) {
    return (
      <Link to={to} state={state} {...look}>
        {inner}
      </Link>
    );
  }
  if (onPress) {
    return (
      <button type="button" onClick={onPress} {...look}>
        {inner}
      </button>
    );
  }
  return <div {...look}>{inner}</div>;
}

/** A surface with a thin border. */
export function Card({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <div className={styles.card} role={label ? "group" : undefined} aria-label={label}>
      {children}
    </div>
  );
}

export interface Field {
  label: string;
  value: ReactNode;
}

/** Labels and values, in one column or two. */
export function FieldList({ fields, columns = 1 }: { fields: readonly Field[]; columns?: 1 | 2 }) {
  return (
    <dl className={styles.fields} data-columns={columns}>
      {fields.map((field) => (
        <div key={field.label} className={styles.pair}>
          <dt className={styles.term}>{field.label}</dt>
          <dd className={styles.value}>{field.value}</dd>
        </div>
      ))}
    </dl>
  );
}
