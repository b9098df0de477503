/** Groups the lines that one trade left in the cash ledger, with their exact sums. */
import type { CashEntry, CashEntryKind } from "#contract/cash-ledger.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { taipeiDay } from "#contract/kernel/time.ts";

/** Neighbouring entries of one order on one day, newest first; or a single entry. */
export interface CashGroup {
  /** The number of its oldest entry: loading older ones may change it, new ones do not. */
  id: string;
  /** At least one, newest first. */
  entries: readonly [CashEntry, ...CashEntry[]];
  amountCents: Cents;
  frozenCents: Cents;
  /** Its kinds, oldest first, each once; those that moved no money only if there are no others. */
  kinds: CashEntryKind[];
}

const together = (a: CashEntry, b: CashEntry): boolean =>
  a.orderNo !== null && a.orderNo === b.orderNo && taipeiDay(a.at) === taipeiDay(b.at);

function groupOf(entries: readonly [CashEntry, ...CashEntry[]]): CashGroup {
  const sum = (part: "amountCents" | "frozenCents"): Cents => cents(entries.reduce((total, entry) => total + entry[part], 0));
  const moved = entries.filter(({ amountCents }) => amountCents !== 0);
  const told = moved.length > 0 ? moved : entries;
  const kinds = [...new Set(told.map(({ kind }) => kind).toReversed())];
  return { id: (entries.at(-1) ?? entries[0]).flowNo, entries, amountCents: sum("amountCents"), frozenCents: sum("frozenCents"), kinds };
}

/** The groups of a list, in its order. */
export function groupEntries(list: readonly CashEntry[]): CashGroup[] {
  const groups: [CashEntry, ...CashEntry[]][] = [];
  for (const entry of list) {
    const group = groups.at(-1);
    if (group && together(group[0], entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups.map(groupOf);
}
