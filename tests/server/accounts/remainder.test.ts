/** Tests what of a member's money is a remainder: free, valued in TWD, and less than the smallest withdrawal. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { remainderOf } from "#server/accounts/remainder.ts";
import type { Left } from "#server/accounts/remainder.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openLedger } from "#server/ledger/ledger.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { openCurrencyBroker } from "./fixture.ts";
import type { CurrencyBroker } from "./fixture.ts";

let broker: CurrencyBroker;
beforeAll(async () => {
  broker = await openCurrencyBroker();
});
afterAll(() => broker.shut());

const LEAST = 10_000;
const left = (amountCents: number, currency: Currency = "TWD", kind = "available"): Left => ({
  kind,
  currency,
  amountCents: cents(amountCents),
});
const of = (...all: Left[]): number | null => remainderOf(all, broker.venue, LEAST);

it("is what lies in all free wallets together, and less than the smallest withdrawal", () => {
  expect(of()).toBeNull();
  expect(of(left(1))).toBe(1);
  expect(of(left(9_999))).toBe(9_999);
  expect(of(left(10_000))).toBeNull();
  expect(of(left(5_000), left(3_000, "TWD", "profit"), left(1_999, "TWD", "futures"))).toBe(9_999);
  expect(of(left(5_000), left(3_000, "TWD", "profit"), left(2_000, "TWD", "futures"))).toBeNull();
});

it("counts other currencies at the mid rate of now, exactly to the edge", () => {
  // 3.17 dollars at 31.5 are 99.85 TWD, 3.18 are 100.17.
  expect(of(left(317, "USD"))).toBe(9_985);
  expect(of(left(317, "USD"), left(14))).toBe(9_999);
  expect(of(left(317, "USD"), left(15))).toBeNull();
  expect(of(left(318, "USD"))).toBeNull();
  broker.quote("USD", 31.4);
  expect(of(left(318, "USD"))).toBe(9_985);
  broker.quote("USD", 31.5);
});

it("is nothing where a part of it is held, owed, on its way, or has no price", () => {
  for (const kind of ["held", "collateral", "payout", "receivable", "debt"]) expect(of(left(100), left(100, "TWD", kind)), kind).toBeNull();
  expect(of(left(-100, "TWD", "debt"))).toBeNull();
  expect(of(left(100), left(100, "MYR"))).toBeNull();
});

it("that a moving rate has lifted to the bound is not given up; below it, it goes to the broker in its own currency", async () => {
  const member = await broker.newMember({ depositCents: 0 });
  await broker.db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [member]);
    await ledger.openWallets(tx, [member], ["USD"]);
    const move = { from: "conversion", to: "available", amount: 317, currency: "USD" } as const;
    ledger.post({ memberId: member, kind: "conversion", orderNo: null, moves: [move] });
    await ledger.write(tx, broker.clock.now);
  });
  const pockets = () =>
    query(
      broker.db.kysely,
      "SELECT member_id IS NULL AS broker, kind, balance FROM pocket WHERE currency = 'USD' AND balance <> 0 ORDER BY member_id",
    );
  const before = await pockets();
  expect(before).toHaveLength(2);
  const close = () => broker.call("closeAccount", member, { current: "secret", givesUp: true });
  expect(await broker.call("readClosing", member, {})).toMatchObject({ open: [], remainderCents: 9_985 });
  broker.quote("USD", 31.6);
  expect(await broker.call("readClosing", member, {})).toMatchObject({ open: [{ what: "money", count: 1 }], remainderCents: null });
  expect(await refusalOf(close())).toMatchObject({ code: "ACC_CLOSE_OPEN" });
  expect(await pockets()).toEqual(before);
  broker.quote("USD", 31.5);
  await close();
  expect(await pockets()).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
});
