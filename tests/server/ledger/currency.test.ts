/** Tests the ledger in several currencies: wallets created on need, sums per currency kept by the database, trading in TWD only. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CURRENCIES, homeValue, midRate, pairOf } from "#contract/kernel/currency.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { Overdrawn, openLedger, readBalances } from "#server/ledger/ledger.ts";
import type { Ledger } from "#server/ledger/ledger.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let db: Database;
let count = 0;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  expect((await auditBooks(db.kysely)).differences).toEqual([]);
  await db.close();
});

const newMember = (): Promise<number> => {
  count += 1;
  const person = { account: `C${count}`, idNumber: `C${count}`, name: "王", password: "x", guaranteeCode: "x" };
  return createMember(db, { ...person, identity: "verified", depositCents: cents(100_000), at: 1 });
};
const withWallets = (memberId: number, currencies: readonly Currency[], work: (ledger: Ledger) => void): Promise<void> =>
  db.transaction(async (tx) => {
    await query(tx, "SELECT FROM tally WHERE member_id = $1 FOR UPDATE", [memberId]);
    const ledger = await openLedger(tx, [memberId]);
    await ledger.openWallets(tx, [memberId], currencies);
    work(ledger);
    await ledger.write(tx, 2);
  });
const usdFor = (memberId: number, twd: number, usd: number) => ({
  memberId,
  kind: "conversion" as const,
  orderNo: null,
  moves: [
    { from: "available" as const, to: "conversion" as const, amount: twd },
    { from: "conversion" as const, to: "available" as const, amount: usd, currency: "USD" as const },
  ],
});
const brokerHas = async (kind: string, currency: Currency): Promise<number> => {
  const [row] = await query<{ balance: number }>(
    db.kysely,
    "SELECT balance FROM pocket WHERE member_id IS NULL AND kind = $1 AND currency = $2",
    [kind, currency],
  );
  return row?.balance ?? 0;
};

describe("wallets", () => {
  it("of other currencies exist once they are asked for, and hold each currency by itself", async () => {
    const id = await newMember();
    const before = await query(db.kysely, "SELECT FROM pocket WHERE member_id = $1 AND currency <> 'TWD'", [id]);
    expect(before).toEqual([]);
    await withWallets(id, ["USD"], (ledger) => ledger.post(usdFor(id, 32_000, 1_000)));
    expect(await readBalances(db.kysely, id)).toMatchObject({ available: 68_000 });
    expect(await readBalances(db.kysely, id, "USD")).toMatchObject({ available: 1_000, payout: 0, profit: 0, futures: 0 });
    expect(await readBalances(db.kysely, id, "JPY")).toMatchObject({ available: 0 });
    await withWallets(id, ["USD"], (ledger) => {
      expect(ledger.balance(id, "available", "USD")).toBe(1_000);
      ledger.post({
        memberId: id,
        kind: "transfer",
        orderNo: null,
        moves: [{ from: "available", to: "futures", amount: 400, currency: "USD" }],
      });
      ledger.post({ memberId: id, kind: "transfer", orderNo: null, moves: [{ from: "available", to: "futures", amount: 300 }] });
      expect(() => ledger.post(usdFor(id, 68_000, 1))).toThrow(Overdrawn);
    });
    expect(await readBalances(db.kysely, id, "USD")).toMatchObject({ available: 600, futures: 400 });
    expect(await readBalances(db.kysely, id)).toMatchObject({ available: 67_700, futures: 300 });
  });

  it("leave the broker's position in each currency", async () => {
    const [twd, usd] = [await brokerHas("conversion", "TWD"), await brokerHas("conversion", "USD")];
    const id = await newMember();
    await withWallets(id, ["USD"], (ledger) => ledger.post(usdFor(id, 64_000, 2_000)));
    expect(await brokerHas("conversion", "TWD")).toBe(twd + 64_000);
    expect(await brokerHas("conversion", "USD")).toBe(usd - 2_000);
  });

  it("are not created twice by two members at once", async () => {
    const ids = await Promise.all([newMember(), newMember(), newMember()]);
    await Promise.all(ids.map((id) => withWallets(id, ["THB"], () => undefined)));
    const rows = await query<{ n: number }>(
      db.kysely,
      "SELECT count(*)::integer AS n FROM pocket WHERE currency = 'THB' GROUP BY member_id, kind HAVING count(*) > 1",
    );
    expect(rows).toEqual([]);
  });

  it("that were not asked for cannot be moved", async () => {
    const id = await newMember();
    await withWallets(id, ["USD"], (ledger) => {
      expect(() =>
        ledger.post({
          memberId: id,
          kind: "transfer",
          orderNo: null,
          moves: [{ from: "available", to: "futures", amount: 1, currency: "JPY" }],
        }),
      ).toThrow("is not loaded");
    });
  });

  it("say what came from outside in another currency, valued in TWD", async () => {
    const id = await newMember();
    const move = { from: "external" as const, to: "available" as const, amount: 500, currency: "USD" as const };
    await withWallets(id, ["USD"], (ledger) => {
      expect(() => ledger.post({ memberId: id, kind: "deposit", orderNo: null, moves: [move] })).toThrow("without its value in TWD");
      ledger.post({ memberId: id, kind: "deposit", orderNo: null, moves: [move], paidInCents: 15_726 });
    });
    const rows = await query(
      db.kysely,
      "SELECT paid_in_cents AS paid FROM ledger_tx WHERE member_id = $1 AND kind = 'deposit' ORDER BY id",
      [id],
    );
    expect(rows).toEqual([{ paid: null }, { paid: 15_726 }]);
  });
});

describe("the database refuses", () => {
  const raw = (statement: string): Promise<unknown> => db.transaction((tx) => query(tx, statement));

  it("a conversion whose currencies are each out, although they are even together", async () => {
    const id = await newMember();
    await withWallets(id, ["USD"], () => undefined);
    const of = (kind: string, currency: string, member: number | null): string =>
      `(SELECT id FROM pocket WHERE member_id IS NOT DISTINCT FROM ${member ?? "NULL"}::bigint AND kind = '${kind}' AND currency = '${currency}')`;
    const write = (...lines: [pocket: string, amount: number][]): string =>
      `SELECT ledger_write(3, ARRAY[${id}]::bigint[], ARRAY['conversion'], ARRAY[NULL]::text[], ARRAY[${lines.map(() => 1).join()}],
        ARRAY[${lines.map((_, n) => n + 1).join()}], ARRAY[${lines.map(([pocket]) => pocket).join()}]::bigint[],
        ARRAY[${lines.map(([, amount]) => amount).join()}]::bigint[], ARRAY[${lines.map(() => "NULL").join()}]::bigint[])`;
    const twd = of("available", "TWD", id);
    const usd = of("available", "USD", id);
    await expect(raw(write([twd, -700], [usd, 700]))).rejects.toThrow("does not sum to zero");
    await expect(
      raw(write([twd, -700], [of("conversion", "TWD", null), 701], [usd, 20], [of("conversion", "USD", null), -21])),
    ).rejects.toThrow("does not sum to zero");
    await expect(raw(write([usd, -1], [of("conversion", "USD", null), 1]))).rejects.toThrow("pocket_not_negative");
    await raw(write([twd, -700], [of("conversion", "TWD", null), 700], [usd, 22], [of("conversion", "USD", null), -22]));
    expect(await readBalances(db.kysely, id, "USD")).toMatchObject({ available: 22 });
  });

  it("pockets of trading in another currency than TWD, and currencies that are not ours", async () => {
    const id = await newMember();
    for (const kind of ["held", "collateral", "unsettled", "owing", "margin", "debt"]) {
      const insert = `INSERT INTO pocket (member_id, kind, currency) VALUES (${id}, '${kind}', 'USD')`;
      await expect(raw(insert), kind).rejects.toThrow("pocket_trading");
    }
    await expect(raw(`INSERT INTO pocket (member_id, kind, currency) VALUES (${id}, 'available', 'EUR')`)).rejects.toThrow(
      "pocket_currency",
    );
  });
});

describe("mid rates", () => {
  it("are of one unit, although the venue quotes yen and won by the hundred and dong by the thousand", () => {
    const quoted = { bid: 205_800, ask: 205_880, last: 1 };
    const of = (currency: Currency, amount: number): number => {
      const rate = midRate(currency, quoted);
      if (!rate) throw new Error("no rate");
      return homeValue(amount, rate);
    };
    expect(of("USD", 100)).toBe(2_058);
    expect(of("JPY", 10_000)).toBe(2_058);
    expect(of("KRW", 10_000)).toBe(2_058);
    expect(of("VND", 100_000)).toBe(2_058);
    expect(of("TWD", 2_058)).toBe(2_058);
    // Downwards on either side of zero.
    expect(of("USD", 1)).toBe(20);
    expect(of("USD", -1)).toBe(-21);
    expect(CURRENCIES.map(pairOf)).toContain("VNDTWD");
  });

  it("are the last price without a book, and unknown without a price", () => {
    expect(midRate("USD", { bid: 0, ask: 5, last: 314_520 })).toEqual({ numerator: 629_040, denominator: 20_000 });
    expect(midRate("USD", { bid: 0, ask: 0, last: 0 })).toBeNull();
    expect(midRate("USD", null)).toBeNull();
    expect(midRate("TWD", null)).toEqual({ numerator: 1, denominator: 1 });
  });
});
