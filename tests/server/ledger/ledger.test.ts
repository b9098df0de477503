/** Tests the ledger: its operations, and the constraints that the database enforces. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CASH_ENTRY_KINDS } from "#contract/cash-ledger.ts";
import { CURRENCIES } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { Overdrawn, openLedger, readBalances, takePockets } from "#server/ledger/ledger.ts";
import type { Ledger, Move } from "#server/ledger/ledger.ts";
import { BROKER_POCKETS, MEMBER_POCKETS } from "#server/ledger/pocket.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let db: Database;
let member: number;
let count = 0;
const newMember = (): Promise<number> => {
  count += 1;
  const person = { account: `L${count}`, idNumber: `L${count}`, name: "王", password: "x", guaranteeCode: "x" };
  return createMember(db, { ...person, identity: "verified", depositCents: cents(100_000), at: 1 });
};

beforeAll(async () => {
  db = await openTestDatabase();
  member = await newMember();
});
afterAll(async () => {
  expect(
    (await auditBooks(db.kysely)).differences.filter((difference) => !/the orders (?:and block purchases )?say/.test(difference)),
  ).toEqual([]);
  await db.close();
});

/** Runs work on a ledger and writes it. */
const withLedger = <Result>(memberId: number, work: (ledger: Ledger, tx: Tx) => Result): Promise<Result> =>
  db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [memberId]);
    const result = work(ledger, tx);
    await ledger.write(tx, 2);
    return result;
  });

const brokerBalance = async (kind: string): Promise<number> =>
  (await query<{ balance: number }>(db.kysely, "SELECT balance FROM pocket WHERE member_id IS NULL AND kind = $1", [kind]))[0]?.balance ??
  0;

it("takes no balance that a number does not hold exactly", () => {
  const rows = (balance: string): unknown[] => [{ pockets: JSON.parse(`[[1, 2, "available", ${balance}]]`) as unknown }];
  expect(takePockets(rows("9007199254740991"))).toMatchObject([{ id: 1, member_id: 2, kind: "available", balance: 2 ** 53 - 1 }]);
  expect(() => takePockets(rows("9007199254740993"))).toThrow(RangeError);
  expect(takePockets([{ pockets: null }])).toEqual([]);
});

describe("moving money", () => {
  it("hold, release and settle, one row each", async () => {
    const rows: {
      name: string;
      does: (ledger: Ledger, id: number) => unknown;
      available: number;
      held: number;
      collateral: number;
      fees: number;
    }[] = [
      { name: "hold", does: (ledger, id) => ledger.hold(id, 60_000, "K1"), available: 40_000, held: 60_000, collateral: 0, fees: 0 },
      { name: "release", does: (ledger, id) => ledger.release(id, 10_000, "K1"), available: 50_000, held: 50_000, collateral: 0, fees: 0 },
      {
        name: "settle",
        does: (ledger, id) =>
          ledger.settle({ memberId: id, kind: "shortOpen", orderNo: "K1", moves: [{ from: "held", to: "collateral", amount: 30_000 }] }),
        available: 50_000,
        held: 20_000,
        collateral: 30_000,
        fees: 0,
      },
      {
        name: "settle a debt the balance covers",
        does: (ledger, id) => ledger.settle({ memberId: id, kind: "fee", orderNo: "K1", moves: [] }, [{ to: "fees", amount: 2_000 }]),
        available: 48_000,
        held: 20_000,
        collateral: 30_000,
        fees: 2_000,
      },
    ];
    const id = await newMember();
    for (const row of rows) {
      await withLedger(id, (ledger) => row.does(ledger, id));
      expect(await readBalances(db.kysely, id), row.name).toMatchObject({
        available: row.available,
        held: row.held,
        collateral: row.collateral,
      });
      expect(await brokerBalance("fees"), row.name).toBe(row.fees);
    }
  });

  it("books the uncovered part of a payment as debt, and repays it with the available money", async () => {
    const id = await newMember();
    const added = await withLedger(id, (ledger) =>
      ledger.settle({ memberId: id, kind: "fee", orderNo: null, moves: [{ from: "available", to: "held", amount: 99_000 }] }, [
        { to: "fees", amount: 1_700 },
      ]),
    );
    expect(added).toBe(700);
    expect(await readBalances(db.kysely, id)).toMatchObject({ available: 0, debt: -700 });
    expect(await brokerBalance("shortfall")).toBe(0);
    const depositAndRepay = () =>
      withLedger(id, (ledger) => {
        ledger.deposit(id, cents(500));
        ledger.repay(id, "available");
      });
    await depositAndRepay();
    expect(await readBalances(db.kysely, id)).toMatchObject({ available: 0, debt: -200 });
    await depositAndRepay();
    expect(await readBalances(db.kysely, id)).toMatchObject({ available: 300, debt: 0 });
    await expect(
      withLedger(id, (ledger) =>
        ledger.post({ memberId: id, kind: "repay", orderNo: null, moves: [{ from: "available", to: "debt", amount: 1 }] }),
      ),
    ).rejects.toThrow(Overdrawn);
  });

  it("shows postings at once, and refuses an overdraft before the database does", async () => {
    const id = await newMember();
    await withLedger(id, (ledger) => {
      ledger.hold(id, 100_000, "K1");
      expect(ledger.balance(id, "available")).toBe(0);
      expect(() => ledger.hold(id, 1, "K1")).toThrow(Overdrawn);
      expect(() => ledger.hold(id, -1, "K1")).toThrow(RangeError);
      expect(() => ledger.hold(id, 0.5, "K1")).toThrow(RangeError);
    });
  });

  it("writes nothing for a zero movement", async () => {
    const before = await auditBooks(db.kysely);
    const moves: Move[] = [
      { from: "available", to: "held", amount: 0 },
      { from: "held", to: "available", amount: 0 },
    ];
    await withLedger(member, (ledger) => ledger.post({ memberId: member, kind: "hold", orderNo: null, moves }));
    expect((await auditBooks(db.kysely)).transactions).toBe(before.transactions);
  });
});

describe("the database refuses", () => {
  const raw = (...statements: string[]): Promise<unknown> =>
    db.transaction(async (tx) => {
      for (const statement of statements) await query(tx, statement);
    });
  const pocket = (kind: string): string => `(SELECT id FROM pocket WHERE member_id = ${member} AND kind = '${kind}')`;
  // A transaction and its entries are one statement.
  const head = "WITH head AS (INSERT INTO ledger_tx (member_id, kind, at) VALUES (NULL, 'deposit', 1) RETURNING id)";
  const lines = (...all: [kind: string, amount: number][]): string =>
    `${head} INSERT INTO entry (tx_id, line, pocket_id, amount)
     VALUES ${all.map(([kind, amount], n) => `((SELECT id FROM head), ${n + 1}, ${pocket(kind)}, ${amount})`).join(", ")}`;

  it("a transaction that does not sum to zero, however it is written", async () => {
    await expect(raw(lines(["available", 500]))).rejects.toThrow("does not sum to zero");
    await expect(raw(lines(["available", 500], ["held", -499]))).rejects.toThrow("does not sum to zero");
    await expect(raw(lines(["available", -500]), lines(["held", 500]))).rejects.toThrow("does not sum to zero");
  });

  it("a transaction without entries", async () => {
    const empty = "INSERT INTO ledger_tx (member_id, kind, at) VALUES (NULL, 'deposit', 1)";
    await expect(raw(empty)).rejects.toThrow("has no entries");
    await expect(raw(`WITH head AS (${empty}) SELECT 1`)).rejects.toThrow("has no entries");
    expect(await readBalances(db.kysely, member)).toMatchObject({ available: 100_000, held: 0 });
  });

  it("two currencies that sum to zero only when combined", async () => {
    await raw("INSERT INTO pocket (kind, currency) VALUES ('external', 'USD') ON CONFLICT DO NOTHING");
    const usd = "(SELECT id FROM pocket WHERE kind = 'external' AND currency = 'USD')";
    const mixed = `${head} INSERT INTO entry (tx_id, line, pocket_id, amount) VALUES ((SELECT id FROM head), 1, ${pocket("available")}, 500), ((SELECT id FROM head), 2, ${usd}, -500)`;
    await expect(raw(mixed)).rejects.toThrow("does not sum to zero");
  });

  it("no transaction that sums to zero", async () => {
    await raw(lines(["available", -500], ["held", 500]));
    await raw(lines(["available", 500], ["held", -500]));
    expect(await readBalances(db.kysely, member)).toMatchObject({ available: 100_000, held: 0 });
  });

  it("a member's pocket below zero", async () => {
    await expect(raw(lines(["available", -100_001], ["held", 100_001]))).rejects.toThrow("pocket_not_negative");
    await expect(raw(lines(["available", -1], ["debt", 1]))).rejects.toThrow("pocket_not_negative");
  });

  it("changing, removing or extending a written transaction", async () => {
    await expect(raw("UPDATE entry SET amount = amount + 1")).rejects.toThrow("only ever added to");
    await expect(raw("DELETE FROM entry")).rejects.toThrow("only ever added to");
    await expect(raw("TRUNCATE entry")).rejects.toThrow("only ever added to");
    await expect(raw("UPDATE ledger_tx SET at = 0")).rejects.toThrow("only ever added to");
    await expect(raw("DELETE FROM ledger_tx")).rejects.toThrow("only ever added to");
    await expect(raw("UPDATE pocket SET balance = balance + 1")).rejects.toThrow("only ever added to");
    await expect(
      raw(
        `INSERT INTO entry (tx_id, line, pocket_id, amount) SELECT min(id), n, ${pocket("held")}, 11 - 2 * n FROM ledger_tx, (VALUES (5), (6)) AS two (n) GROUP BY n`,
      ),
    ).rejects.toThrow("takes no entries after");
    await expect(
      raw(`INSERT INTO entry (tx_id, line, pocket_id, amount) VALUES (0, 1, ${pocket("held")}, 5), (0, 2, ${pocket("held")}, -5)`),
    ).rejects.toThrow("takes no entries");
    await expect(
      raw(
        `${head} INSERT INTO entry (tx_id, line, pocket_id, amount) VALUES ((SELECT id FROM head), 1, 0, 5), ((SELECT id FROM head), 2, 0, -5)`,
      ),
    ).rejects.toThrow();
  });

  it("unknown pockets and kinds", async () => {
    await expect(raw(`INSERT INTO pocket (member_id, kind, currency) VALUES (${member}, 'fees', 'TWD')`)).rejects.toThrow("pocket_kind");
    await expect(raw("INSERT INTO pocket (kind, currency, balance) VALUES ('fees', 'USD', 5)")).rejects.toThrow("only ever added to");
    const [kinds] = await query<{ said: string }>(
      db.kysely,
      "SELECT string_agg(pg_get_constraintdef(oid), ' ') AS said FROM pg_constraint WHERE conrelid IN ('pocket'::regclass, 'ledger_tx'::regclass) AND contype = 'c'",
    );
    const named = new Set([...(kinds?.said ?? "").matchAll(/'(\w+)'/g)].map((match) => match[1] ?? ""));
    const known = new Set<string>([...MEMBER_POCKETS, ...BROKER_POCKETS, ...CASH_ENTRY_KINDS, ...CURRENCIES]);
    expect([...named].toSorted()).toEqual([...known].toSorted());
  });
});

describe("the audit", () => {
  it("reports each difference", async () => {
    expect((await auditBooks(db.kysely)).differences.some((difference) => difference.includes("below zero"))).toBe(false);
    const id = await newMember();
    await withLedger(id, (ledger) => ledger.hold(id, 5_000, "K1"));
    const { differences } = await auditBooks(db.kysely);
    expect(differences).toContainEqual(`member ${id} has 5000 held, the orders and block purchases say 0`);
  });
});
