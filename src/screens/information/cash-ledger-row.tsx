/** Rows of the cash ledger: a trade under its name, which opens into its lines, and a single line. */
import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CashEntry } from "#contract/cash-ledger.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { Link } from "#src/ui/link.tsx";
import type { CashGroup } from "./cash-ledger-groups.ts";
import styles from "./information.module.css";

export type CashRow =
  /** A trade of several lines. */
  | { kind: "group"; group: CashGroup; open: boolean; toggle: (id: string) => void }
  /** A line of its own, or (`inside`) of the open trade above it. */
  | { kind: "line"; entry: CashEntry; inside: boolean };

export const rowKey = (row: CashRow): string =>
  row.kind === "group" ? `group ${row.group.id}` : `${row.entry.flowNo} ${row.entry.currency}`;

/** The rows of groups; the lines of an open one follow it. */
export function rowsOf(groups: readonly CashGroup[], opened: ReadonlySet<string>, toggle: (id: string) => void): CashRow[] {
  return groups.flatMap((group): CashRow[] => {
    const [entry, ...others] = group.entries;
    if (others.length === 0) return [{ kind: "line", entry, inside: false }];
    const open = opened.has(group.id);
    const lines = open ? group.entries.map((line): CashRow => ({ kind: "line", entry: line, inside: true })) : [];
    return [{ kind: "group", group, open, toggle }, ...lines];
  });
}

export function CashLedgerRow({ item }: { item: CashRow }) {
  return item.kind === "group" ? <Group {...item} /> : <Line {...item} />;
}

/** The name of what was traded and its code; null without an instrument. */
function useTraded(): (code: string | null) => string | null {
  const table = useInstruments();
  return (code) => {
    if (code === null) return null;
    const instrument = table?.byCode.get(code);
    return instrument ? `${shortName(instrument)} ${code}` : code;
  };
}

function Group({ group, open, toggle }: Extract<CashRow, { kind: "group" }>) {
  const { t } = useTranslation();
  const traded = useTraded();
  const [newest] = group.entries;
  return (
    <button type="button" className={styles.flow} aria-expanded={open} onClick={() => toggle(group.id)}>
      <span className={styles.flowLine}>
        <span className={styles.kind}>{traded(newest.code) ?? newest.orderNo}</span>
        <span className={styles.amount}>{formatMoney(group.amountCents, "always")}</span>
      </span>
      <span className={styles.flowLine}>
        <span className={styles.when}>{group.kinds.map((kind) => t(`information.flow.kind.${kind}`)).join(" · ")}</span>
        <span className={styles.balance}>
          {group.frozenCents !== 0 && `${t("information.flow.frozen", { amount: formatMoney(group.frozenCents, "always") })} · `}
          {t("information.flow.balance", { amount: formatMoney(newest.balanceCents) })}
        </span>
      </span>
      <span className={styles.flowLine}>
        <span className={styles.when}>{formatDateTime(newest.at)}</span>
        <span className={styles.lines}>
          {t("information.flow.lines", { count: group.entries.length })}
          <ChevronDown size={14} aria-hidden data-open={open || undefined} />
        </span>
      </span>
    </button>
  );
}

/** An amount with its currency where that is not TWD. */
const inCurrency = (amount: string, currency: CashEntry["currency"]): string =>
  currency === HOME_CURRENCY ? amount : `${amount} ${currency}`;

function Line({ entry, inside }: Extract<CashRow, { kind: "line" }>) {
  const { t } = useTranslation();
  const traded = useTraded();
  const kind = t(`information.flow.kind.${entry.kind}`);
  const name = inside ? null : traded(entry.code);
  const at = formatDateTime(entry.at);
  const of = entry.orderNo ?? entry.series;
  // Futures and options move the futures wallet, and nothing that is available.
  const afterwards =
    entry.series !== null && entry.futuresWalletCents !== null
      ? t("information.flow.futuresBalance", { amount: formatMoney(entry.futuresWalletCents) })
      : t("information.flow.balance", { amount: formatMoney(entry.balanceCents) });
  return (
    <Link to={pathTo("/information/movement", { no: entry.flowNo })} className={styles.flow ?? ""} data-inside={inside || undefined}>
      <span className={styles.flowLine}>
        <span className={styles.kind}>{name === null ? kind : `${name} · ${kind}`}</span>
        <span className={styles.amount}>{inCurrency(formatMoney(entry.amountCents, "always"), entry.currency)}</span>
      </span>
      <span className={styles.flowLine}>
        <span className={styles.when}>{of ?? at}</span>
        <span className={styles.balance}>{afterwards}</span>
      </span>
      <span className={styles.flowLine}>
        <span className={styles.when}>{of !== null && at}</span>
        {entry.frozenCents !== 0 && (
          <span className={styles.balance}>{t("information.flow.frozen", { amount: formatMoney(entry.frozenCents, "always") })}</span>
        )}
      </span>
    </Link>
  );
}
