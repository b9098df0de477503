/** Tests the privacy of members: every table is named, the export holds all of one member only, and closing erases what no law keeps. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import { KEPT_YEARS } from "#contract/privacy.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { eraseDue } from "#server/accounts/closing.ts";
import { HIDDEN_OF_MEMBER, OWN_TABLES } from "#server/accounts/own-data.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { exportOf } from "#tests/support/own-export.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const PASSWORD = { current: "secret" };
/** Within the limits of the day, and far below the market. */
const LOW = 91;
/** Longer than so many leap years. */
const years = (count: number): number => (366 * count + 1) * DAY_MS;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
  broker.venue.set(0, { bids: [[99.5, 1_000]], asks: [[100, 1_000]], last: 100 });
});
afterAll(() => broker.shut());

const COLUMNS = `
SELECT DISTINCT table_name AS "table", column_name AS "column", data_type AS type FROM information_schema.columns
WHERE table_schema = current_schema()
  AND (column_name ~ '(member|agent|client|owner|follower|leader|lender|borrower|bidder)_id$' OR (table_name, column_name) IN (
    SELECT one.relname, attribute.attname FROM pg_constraint JOIN pg_class AS one ON one.oid = conrelid
    JOIN pg_attribute AS attribute ON attribute.attrelid = conrelid AND attribute.attnum = ANY (conkey)
    WHERE contype = 'f' AND confrelid = 'member'::regclass AND connamespace = current_schema()::regnamespace))
ORDER BY 1, 2`;

const rowsOf = async (table: string, by: string, memberId: number): Promise<Record<string, unknown>[]> =>
  query(broker.db.kysely, `SELECT * FROM "${table}" WHERE "${by}" = $1`, [memberId]);

const exported = (memberId: number): Promise<Map<string, string>> => exportOf(broker, memberId);

/** Fills every table with a member's id that can be filled with a row alone; others are filled by what members do. */
async function fill(memberId: number, mark: string): Promise<void> {
  const { kysely } = broker.db;
  const at = broker.clock.now;
  const uuid = randomUUID();
  const rows: [string, unknown[]][] = [
    ["INSERT INTO watch_group (member_id, id, name, place) VALUES ($1, $2, $3, 0)", [uuid, mark]],
    ["INSERT INTO watchlist (member_id, code, place, added_at, group_id) VALUES ($1, '2330', 0, $2, $3)", [at, uuid]],
    [
      "INSERT INTO alert (member_id, id, code, kind, level, status, set_at, price_day) VALUES ($1, $2, '2330', 'above', 9000000, 'waiting', $3, 0)",
      [uuid, at],
    ],
    ["INSERT INTO search (member_id, code, at) VALUES ($1, '2330', $2)", [at]],
    ["INSERT INTO preference (member_id, body) VALUES ($1, $2)", [JSON.stringify({ mark })]],
    ["INSERT INTO workspace (member_id, body) VALUES ($1, $2)", [JSON.stringify({ mark })]],
    ["INSERT INTO chart_line (member_id, code, lines) VALUES ($1, '2330', $2)", [JSON.stringify([mark])]],
    ["INSERT INTO chart_shape (member_id, code, shapes) VALUES ($1, '2330', $2)", [JSON.stringify([mark])]],
    ["INSERT INTO check_in (member_id, day, at, streak) VALUES ($1, 20000, $2, 1)", [at]],
    ["INSERT INTO session (member_id, hash, address, created_at, expires_at, device) VALUES ($1, $2, $2, $3, $3, '')", [mark, at + DAY_MS]],
    [
      "INSERT INTO push_subscription (member_id, endpoint, session_hash, p256dh, auth, language, created_at) VALUES ($1, $2, $2, '', '', 'en', $3)",
      [mark, at],
    ],
    [
      "INSERT INTO one_time_code (member_id, purpose, code_hash, expires_at, tries) VALUES ($1, 'resetPassword', $2, $3, 0)",
      [`hash ${mark}`, at],
    ],
    ["INSERT INTO representative (member_id, name, id_number, consented_at) VALUES ($1, $2, 'A123456789', $3)", [`=${mark}`, at]],
    [
      "INSERT INTO bank_card (member_id, bank_code, branch, branch_code, number, is_default, added_at) VALUES ($1, '004', $2, '1', $2, true, $3)",
      [mark, at],
    ],
    [
      "INSERT INTO restriction_change (member_id, restriction, imposed, reason, words, at, told_at) VALUES ($1, 'frozen', false, 'other', $2, $3, $3)",
      [mark, at],
    ],
    [
      "INSERT INTO credit_change (member_id, at, points, score, reason) SELECT $1, $2, 1, credit_score, 'loanRepaid' FROM member WHERE id = $1",
      [at],
    ],
    [
      "INSERT INTO voucher (voucher_no, id, member_id, status, face_cents, issued_at, expires_at, paid_cents) VALUES ($2, 900000 + $1::bigint, $1, 'available', 2000, $3, $3, 0)",
      [mark, at],
    ],
    ["INSERT INTO worth (member_id, at, total_cents, paid_in_cents) VALUES ($1, $2, 1, 1)", [at]],
  ];
  for (const [text, values] of rows) await query(kysely, text, [memberId, ...values]);
  await broker.photos.put(memberId, { content: Buffer.from(`photo ${mark}`), width: 1, height: 1 });
}

/** A position that was closed again, in the order book of the test venue. */
async function trade(memberId: number): Promise<string> {
  const { orderNo } = await broker.place(memberId);
  await broker.settled();
  await broker.close(memberId, orderNo);
  await broker.settled();
  return orderNo;
}

describe("the list of own tables", () => {
  it("names every column with a member's id", async () => {
    const named = new Set(OWN_TABLES.map(({ table, by }) => `${table}.${by}`));
    const found = await query<{ table: string; column: string }>(broker.db.kysely, COLUMNS);
    const unnamed = found.map(({ table, column }) => `${table}.${column}`).filter((one) => one !== "member.invited_by" && !named.has(one));
    expect(
      unnamed,
      `add a row to OWN_TABLES in server/accounts/own-data.ts for each: what the export holds of it, and when it is erased after the
      account is closed (closing, identity: 5 years, orders: 10 years); what can be open in it belongs in OPEN of server/accounts/closing.ts`,
    ).toEqual([]);
    const all = new Set(found.map(({ table, column }) => `${table}.${column}`));
    expect([...named].filter((one) => !all.has(one))).toEqual([]);
  });

  it("orders each table by columns that are unique for a member, and hides columns that exist", async () => {
    const columns = await query<{ table: string; column: string }>(
      broker.db.kysely,
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns WHERE table_schema = current_schema()`,
    );
    const all = new Set(columns.map(({ table, column }) => `${table}.${column}`));
    const used = OWN_TABLES.flatMap(({ table, key, hidden = [] }) => [...key, ...hidden].map((column) => `${table}.${column}`));
    expect([...used, ...HIDDEN_OF_MEMBER.map((column) => `member.${column}`)].filter((one) => !all.has(one))).toEqual([]);
  });
});

describe("the export", () => {
  it("holds everything of the member, nothing of another, and no secret", async () => {
    const [me, other] = [await broker.newMember(), await broker.newMember()];
    await fill(me, "mine-mine");
    await fill(other, "others-others");
    const orderNo = await trade(me);
    const othersNo = await trade(other);
    const files = await exported(me);
    for (const { table, by, notExported } of OWN_TABLES) {
      if (notExported !== undefined) continue;
      const rows = JSON.parse(files.get(`${table}.json`) ?? "null") as unknown[];
      const lines = (files.get(`${table}.csv`) ?? "").trim().split("\r\n");
      expect.soft(rows.length, table).toBe((await rowsOf(table, by, me)).length);
      expect.soft(lines.length, table).toBe(rows.length + 1);
    }
    const all = [...files.values()].join("\n");
    for (const own of ["mine-mine", "photo mine-mine", orderNo, "王小明"]) expect(all).toContain(own);
    for (const foreign of ["others-others", othersNo, "$argon2", "hash mine-mine"]) expect(all).not.toContain(foreign);
    expect(files.get("representative.csv")).toContain("'=mine-mine");
    const entries = JSON.parse(files.get("entry.json") ?? "[]") as { amount: number }[];
    expect(entries.length).toBeGreaterThan(3);
    expect(JSON.parse(files.get("contents.json") ?? "{}")).toMatchObject({ rows: { member: 1, entry: entries.length, order: 1 } });
  });

  it("holds every row of a table longer than one page", async () => {
    const me = await broker.newMember();
    await query(broker.db.kysely, "INSERT INTO search (member_id, code, at) SELECT $1, 'C' || n, 1 FROM generate_series(1, 1201) AS n", [
      me,
    ]);
    const codes = (JSON.parse((await exported(me)).get("search.json") ?? "[]") as { code: string }[]).map(({ code }) => code);
    expect(new Set(codes).size).toBe(1201);
    expect(codes).toHaveLength(1201);
  });

  it("asks the password, and is limited per day", async () => {
    const me = await broker.newMember();
    expect(await refusalOf(broker.call("exportData", me, { current: "wrong" }))).toMatchObject({
      code: "PWD_ORIGINAL_WRONG",
      field: "current",
    });
    for (let n = 0; n < 3; n += 1) await broker.call("exportData", me, PASSWORD);
    expect(await refusalOf(broker.call("exportData", me, PASSWORD))).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    expect((await broker.call("readClosing", me, {})).open.map(({ what }) => what)).toEqual(["money"]);
  });
});

describe("closing an account", () => {
  const closing = (memberId: number, givesUp = false) => broker.call("closeAccount", memberId, { ...PASSWORD, givesUp });
  /** All money goes out as a deposit came in. */
  async function empty(memberId: number): Promise<void> {
    await broker.db.transaction(async (tx) => {
      const text = `WITH pockets AS (SELECT id, balance FROM pocket WHERE member_id = $1 AND balance <> 0),
        made AS (INSERT INTO ledger_tx (member_id, kind, at) VALUES ($1, 'withdrawal', $2) RETURNING id)
        INSERT INTO entry (tx_id, line, pocket_id, amount)
        SELECT made.id, row_number() OVER (), moved.id, moved.amount FROM made, (
          SELECT id, -balance AS amount FROM pockets UNION ALL
          SELECT (SELECT id FROM pocket WHERE member_id IS NULL AND kind = 'external' AND currency = 'TWD'), (SELECT sum(balance)::bigint FROM pockets)
        ) AS moved`;
      await query(tx, text, [memberId, broker.clock.now]);
    });
  }

  it("is refused while anything is open, and says what", async () => {
    const me = await broker.newMember();
    const { orderNo } = await broker.place(me);
    await broker.place(me, { code: "2603", price: LOW });
    await broker.settled();
    const { open, money } = await broker.call("readClosing", me, {});
    expect(open.map(({ what }) => what)).toEqual(["positions", "orders", "money"]);
    expect(money).toMatchObject([{ currency: "TWD" }]);
    expect(await refusalOf(broker.call("closeAccount", me, { current: "wrong", givesUp: false }))).toMatchObject({
      code: "PWD_ORIGINAL_WRONG",
    });
    expect(await refusalOf(closing(me))).toMatchObject({ code: "ACC_CLOSE_OPEN" });
    expect(await rowsOf("closed_member", "member_id", me)).toEqual([]);
    expect((await rowsOf("order", "member_id", me)).map((row) => row["order_no"])).toContain(orderNo);
  });

  it("gives up less than the smallest withdrawal where the member says so, wherever it lies, and not a cent more", async () => {
    const { withdrawMinimumCents: least } = broker.sequencer.rules.of(0).funding;
    const [rich, me] = [await broker.newMember({ depositCents: least }), await broker.newMember({ depositCents: least - 1 })];
    expect(await broker.call("readClosing", rich, {})).toMatchObject({ open: [{ what: "money" }], remainderCents: null });
    expect(await refusalOf(closing(rich, true))).toMatchObject({ code: "ACC_CLOSE_OPEN" });
    const requestId = RequestId.parse(randomUUID());
    await broker.call("transferFunds", me, { requestId, currency: "TWD", from: "securities", to: "profit", amount: 3_000 });
    expect(await broker.call("readClosing", me, {})).toEqual({
      open: [],
      money: [{ currency: "TWD", amountCents: least - 1 }],
      remainderCents: least - 1,
    });
    expect(await refusalOf(closing(me))).toMatchObject({ code: "ACC_CLOSE_OPEN" });
    await closing(me, true);
    const left = await query(broker.db.kysely, "SELECT FROM pocket WHERE member_id = $1 AND balance <> 0", [me]);
    expect(left).toEqual([]);
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  });

  it("erases at once what no law keeps, identity after five years, the account number after ten; the books stay", async () => {
    const [me, other] = [await broker.newMember(), await broker.newMember({ depositCents: 0 })];
    await fill(me, "erased-erased");
    await fill(other, "stays-stays");
    const orderNo = await trade(me);
    await empty(me);
    const [before] = await rowsOf("member", "id", me);
    const others = new Map<string, unknown>();
    for (const { table, by } of OWN_TABLES) others.set(table, await rowsOf(table, by, other));
    const kept = new Map<string, number>();
    for (const { table, by } of OWN_TABLES) kept.set(`${table}.${by}`, (await rowsOf(table, by, me)).length);

    const { identityUntil, ordersUntil } = await closing(me);
    expect(new Date(identityUntil).getUTCFullYear()).toBe(new Date(broker.clock.now).getUTCFullYear() + KEPT_YEARS.identity);
    expect(new Date(ordersUntil).getUTCFullYear()).toBe(new Date(broker.clock.now).getUTCFullYear() + KEPT_YEARS.orders);

    const check = async (passed: readonly string[]): Promise<void> => {
      for (const { table, by, kept: until } of OWN_TABLES) {
        if (table === "closed_member" || table === "voucher") continue;
        const is = (await rowsOf(table, by, me)).length;
        expect.soft(is, `${table}.${by}`).toBe(passed.includes(until) ? 0 : kept.get(`${table}.${by}`));
      }
      expect(await rowsOf("voucher", "member_id", me)).toEqual([]);
      const [row] = await rowsOf("member", "id", me);
      expect(row).toMatchObject({
        name: "",
        mobile: null,
        birth_date: null,
        password_hash: "",
        guarantee_hash: "",
        restrictions: ["disabled"],
      });
      expect(row?.["id_number"]).toBe(`closed-${me}`);
      expect((await rowsOf("order", "member_id", me)).map((one) => one["order_no"])).toEqual([orderNo]);
      expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
      for (const { table, by } of OWN_TABLES) expect.soft(await rowsOf(table, by, other), table).toEqual(others.get(table));
    };
    const deps = { db: broker.db, alerts: broker.alerts, now: () => broker.clock.now };
    const start = broker.clock.now;
    try {
      await check(["closing"]);
      expect((await rowsOf("closed_member", "member_id", me))[0]).toMatchObject({
        name: before?.["name"],
        id_number: before?.["id_number"],
      });
      broker.clock.now = identityUntil - 1;
      await eraseDue(deps);
      await check(["closing"]);
      broker.clock.now = identityUntil;
      await eraseDue(deps);
      await check(["closing", "identity"]);
      expect((await rowsOf("closed_member", "member_id", me))[0]).toMatchObject({ name: null, id_number: null });
      expect((await rowsOf("member", "id", me))[0]?.["account"]).toBe(before?.["account"]);
      broker.clock.now = start + years(KEPT_YEARS.orders);
      await eraseDue(deps);
      await check(["closing", "identity"]);
      expect((await rowsOf("member", "id", me))[0]?.["account"]).toBe(`closed-${me}`);
    } finally {
      broker.clock.now = start;
    }
  });

  it("is finished by the clock where a crash interrupted it", async () => {
    const me = await broker.newMember({ depositCents: 0 });
    await fill(me, "crashed");
    let ended = 0;
    const deps = { db: broker.db, alerts: broker.alerts, now: () => broker.clock.now, endSessions: async () => void (ended += 1) };
    await closing(me);
    await query(broker.db.kysely, "UPDATE closed_member SET erased_at = NULL WHERE member_id = $1", [me]);
    await query(broker.db.kysely, "INSERT INTO search (member_id, code, at) VALUES ($1, '2330', 1)", [me]);
    await eraseDue(deps);
    expect(ended).toBe(1);
    expect(await rowsOf("search", "member_id", me)).toEqual([]);
    expect((await rowsOf("closed_member", "member_id", me))[0]?.["erased_at"]).toBe(broker.clock.now);
  });

  it("erases the others where one member's erasure fails, and tries that one again", async () => {
    const start = broker.clock.now;
    const [bad, good] = [await broker.newMember({ depositCents: 0 }), await broker.newMember({ depositCents: 0 })];
    for (const id of [bad, good]) await closing(id);
    await query(broker.db.kysely, "UPDATE closed_member SET erased_at = NULL WHERE member_id IN ($1, $2)", [bad, good]);
    const noted = async (step: string, on: Reader = broker.db.kysely) => {
      const rows = await query<Record<string, number | null>>(on, "SELECT * FROM closed_member WHERE member_id IN ($1, $2) ORDER BY 1", [
        bad,
        good,
      ]);
      return rows.map((row) => row[step]);
    };
    const faults: unknown[] = [];
    const broken = new Error("broken");
    /** Nothing is committed that notes this step of the first member as done. */
    const failing = (step: string): Database => ({
      ...broker.db,
      transaction: (work) =>
        broker.db.transaction(async (tx) => {
          const done = await work(tx);
          if ((await noted(step, tx))[0] !== null) throw broken;
          return done;
        }),
    });
    const deps = { db: broker.db, alerts: broker.alerts, now: () => broker.clock.now, report: (fault: unknown) => faults.push(fault) };
    const steps = { erased_at: 0, identity_erased_at: KEPT_YEARS.identity, orders_erased_at: KEPT_YEARS.orders };
    try {
      for (const [step, kept] of Object.entries(steps)) {
        faults.length = 0;
        broker.clock.now = start + years(kept);
        const { now } = broker.clock;
        await eraseDue({ ...deps, db: failing(step) });
        expect(faults, step).toEqual([broken]);
        expect(await noted(step), step).toEqual([null, now]);
        await eraseDue(deps);
        expect(await noted(step), step).toEqual([now, now]);
      }
      expect(faults).toEqual([broken]);
    } finally {
      broker.clock.now = start;
    }
  });
});
