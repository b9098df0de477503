/** Tests the grouping of cash ledger entries by trade: what belongs together, exact sums, and the rows of an open group. */
import { describe, expect, it } from "vitest";
import type { CashEntry, CashEntryKind } from "#contract/cash-ledger.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import { groupEntries } from "#src/screens/information/cash-ledger-groups.ts";
import { rowKey, rowsOf } from "#src/screens/information/cash-ledger-row.tsx";

let last = 100;

/** An entry, each older than the one made before. */
function entry(kind: CashEntryKind, orderNo: string | null, amount: number, over: Partial<CashEntry> = {}): CashEntry {
  last -= 1;
  return {
    flowNo: `F${last}`,
    at: epochMs(1_700_000_000_000 + last * 1000),
    kind,
    currency: "TWD",
    amountCents: cents(amount),
    availableCents: cents(amount),
    frozenCents: cents(0),
    balanceCents: cents(last * 1_000),
    orderNo: orderNo as OrderNo | null,
    code: (orderNo === null ? null : "2330") as Code | null,
    series: null,
    futuresWalletCents: null,
    ...over,
  };
}

describe("groups of the cash ledger", () => {
  const list = [
    entry("tax", "A", -303),
    entry("fee", "A", -143),
    entry("sell", "A", 100_001, { frozenCents: cents(5) }),
    entry("fee", "B", -20),
    entry("buy", "A", -99_999, { frozenCents: cents(-7) }),
    entry("hold", "A", 0),
    entry("deposit", null, 10),
    entry("deposit", null, 20),
  ];
  const groups = groupEntries(list);

  it("contain the neighbouring entries of one order, and nothing else", () => {
    expect(groups.map(({ entries }) => entries.map(({ kind }) => kind))).toEqual([
      ["tax", "fee", "sell"],
      ["fee"],
      ["buy", "hold"],
      ["deposit"],
      ["deposit"],
    ]);
    expect(groups.flatMap(({ entries }) => entries)).toEqual(list);
  });

  it("sum to the cent", () => {
    expect(groups.map(({ amountCents }) => amountCents)).toEqual([99_555, -20, -99_999, 10, 20]);
    expect(groups.map(({ frozenCents }) => frozenCents)).toEqual([5, 0, -7, 0, 0]);
  });

  it("name the kinds that moved money, oldest first", () => {
    expect(groups.map(({ kinds }) => kinds.join())).toEqual(["sell,fee,tax", "fee", "buy", "deposit", "deposit"]);
    expect(groupEntries([entry("release", "A", 0), entry("hold", "A", 0)])[0]?.kinds).toEqual(["hold", "release"]);
  });

  it("end with the day in Taipei", () => {
    const days = groupEntries([entry("sell", "A", 1), entry("buy", "A", -1, { at: epochMs(1_700_000_000_000 - DAY_MS) })]);
    expect(days).toHaveLength(2);
  });

  it("keep their identity when newer entries join", () => {
    const older = groupEntries(list.slice(1))[0];
    expect(groups[0]?.id).toBe(older?.id);
  });

  it("show their lines only while open; a single entry is a line of its own", () => {
    const kindsOf = (opened: string[]): string[] => rowsOf(groups, new Set(opened), () => undefined).map(({ kind }) => kind);
    expect(kindsOf([])).toEqual(["group", "line", "group", "line", "line"]);
    expect(kindsOf([groups[2]?.id ?? ""])).toEqual(["group", "line", "group", "line", "line", "line", "line"]);
    const keys = rowsOf(groups, new Set(groups.map(({ id }) => id)), () => undefined).map(rowKey);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
