/** Tests the database layer: migrations, types, the folder lock, and durability after a kill. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALERT_KINDS, ALERT_STATUSES } from "#contract/alert.ts";
import { MESSAGE_KINDS } from "#contract/message.ts";
import { NEWS_KINDS, NEWS_TOPICS } from "#contract/news.ts";
import { ORDER_STATUSES } from "#contract/order.ts";
import { openDatabase, query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { DataDirInUse } from "#server/db/lock.ts";
import { migrate } from "#server/db/migrate.ts";
import { DEMO_DEPOSIT_CENTS, DEMO_MEMBER, DEMO_PASSWORD, seed } from "#server/ops/seed.ts";
import { verify } from "@node-rs/argon2";
import { onPostgres } from "#tests/support/run.ts";
import { fillDataDir } from "#tests/support/template.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "database-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** `own`: for a test that alters the schema. */
async function withDatabase(work: (db: Database) => Promise<void>, { own = false } = {}): Promise<void> {
  const db = await openTestDatabase({ own });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

describe("on either database", () => {
  it("migrations are applied once, and a changed one is refused", () =>
    withDatabase(
      async (db) => {
        expect(await migrate(db.kysely)).toEqual([]);
        await query(db.kysely, "UPDATE migration SET checksum = 'other' WHERE name LIKE '0001%'");
        await expect(migrate(db.kysely)).rejects.toThrow("was changed after it was applied");
        await query(db.kysely, "INSERT INTO migration VALUES ('9999-later.sql', '', 0)");
        await expect(migrate(db.kysely)).rejects.toThrow("older than the data");
      },
      { own: true },
    ));

  it("integers are numbers, exact or an error; documents are documents", () =>
    withDatabase(async (db) => {
      const [row] = await query(db.kysely, "SELECT 9007199254740991::bigint AS big, $1::jsonb AS doc, NULL::bigint AS none", ['{"a":[1]}']);
      expect(row).toEqual({ big: 9_007_199_254_740_991, doc: { a: [1] }, none: null });
      await expect(query(db.kysely, "SELECT 9007199254740993::bigint AS big")).rejects.toThrow("not a safe integer");
      expect(await query(db.kysely, "SELECT 1 AS still")).toEqual([{ still: 1 }]);
    }));

  it("a transaction that throws leaves nothing", () =>
    withDatabase(async (db) => {
      const insert = db.transaction(async (tx) => {
        await tx.insertInto("setting").values({ name: "x", value: "y", open: false }).execute();
        throw new Error("changed my mind");
      });
      await expect(insert).rejects.toThrow("changed my mind");
      expect(await db.kysely.selectFrom("setting").selectAll().execute()).toEqual([]);
    }));

  it("columns with values of the contract accept exactly those values", () =>
    withDatabase(async (db) => {
      const columns = {
        order_status: ORDER_STATUSES,
        alert_status: ALERT_STATUSES,
        alert_kind: ALERT_KINDS,
        message_kind: MESSAGE_KINDS,
        news_kind: NEWS_KINDS,
        news_topic: NEWS_TOPICS,
      };
      for (const [constraint, words] of Object.entries(columns)) {
        const [check] = await query<{ said: string }>(
          db.kysely,
          "SELECT pg_get_constraintdef(oid) AS said FROM pg_constraint WHERE conname = $1 AND connamespace = current_schema::regnamespace",
          [constraint],
        );
        expect([...(check?.said ?? "").matchAll(/'(\w+)'/g)].map((match) => match[1] ?? "").toSorted(), constraint).toEqual(
          words.toSorted(),
        );
      }
    }));

  it("a database from before groups and inbox gets its watchlist in one group, and a welcome message", () =>
    withDatabase(
      async (db) => {
        await query(
          db.kysely,
          "DROP TABLE message, alert, preference, chart_line, search, watchlist, watch_group; DROP SEQUENCE message_no; " +
            "DELETE FROM migration WHERE name >= '0006' AND name < '0010'; " +
            "CREATE TABLE watchlist (member_id bigint NOT NULL REFERENCES member (id), code text NOT NULL, place integer NOT NULL, " +
            "added_at bigint NOT NULL, PRIMARY KEY (member_id, code))",
        );
        await query(
          db.kysely,
          "INSERT INTO member (account, id_number, name, password_hash, guarantee_hash, created_at) VALUES ('A', 'A', 'A', '', '', 7), ('B', 'B', 'B', '', '', 8); " +
            "INSERT INTO watchlist SELECT id, code, place, 0 FROM member, (VALUES ('2330', 2), ('2317', 1)) AS followed (code, place) WHERE account = 'A'",
        );
        await migrate(db.kysely);
        const groups = await query(
          db.kysely,
          `SELECT account, watch_group.name, array_agg(code ORDER BY watchlist.place) AS codes FROM watch_group JOIN member ON member.id = member_id
         LEFT JOIN watchlist ON group_id = watch_group.id GROUP BY 1, 2 ORDER BY 1`,
        );
        expect(groups).toEqual([
          { account: "A", name: "", codes: ["2317", "2330"] },
          { account: "B", name: "", codes: [null] },
        ]);
        expect(await query(db.kysely, "SELECT at, kind, read FROM message ORDER BY at")).toEqual([
          { at: 7, kind: "welcome", read: false },
          { at: 8, kind: "welcome", read: false },
        ]);
      },
      { own: true },
    ));

  it("is seeded once, with hashed credentials only", () =>
    withDatabase(async (db) => {
      expect(await seed(db, 1)).toBe(true);
      expect(await seed(db, 2)).toBe(false);
      const members = await db.kysely.selectFrom("member").selectAll().orderBy("account").execute();
      expect(members.map(({ account, identity }) => [account, identity])).toEqual([
        [DEMO_MEMBER.account, "verified"],
        ["KS100002", "unverified"],
      ]);
      const hash = members[0]?.password_hash ?? "";
      expect(hash).toMatch(/^\$argon2id\$/);
      expect(await verify(hash, DEMO_PASSWORD)).toBe(true);
      const [pocket] = await query<{ balance: number }>(
        db.kysely,
        "SELECT balance FROM pocket WHERE member_id = $1 AND kind = 'available'",
        [members[0]?.id],
      );
      expect(pocket?.balance).toBe(DEMO_DEPOSIT_CENTS);
      expect(await db.kysely.selectFrom("watchlist").selectAll().execute()).toHaveLength(8);
    }));
});

// Of the embedded database alone.
describe.skipIf(onPostgres)("on a folder", () => {
  it("a second open is refused, and a closed folder opens again with its data", async () => {
    await fillDataDir(dataDir);
    const first = await openDatabase({ dataDir });
    await first.kysely.insertInto("setting").values({ name: "kept", value: "yes", open: false }).execute();
    await expect(openDatabase({ dataDir })).rejects.toThrow(DataDirInUse);
    await first.close();
    const second = await openDatabase({ dataDir });
    expect(await second.kysely.selectFrom("setting").select("value").execute()).toEqual([{ value: "yes" }]);
    await second.close();
  });

  it("that is created is closed to other users of the machine, and so is the database in an existing open folder", async () => {
    const modeOf = (path: string): number => statSync(path).mode & 0o777;
    const made = join(dataDir, "made");
    const first = await openDatabase({ dataDir: made });
    expect([modeOf(made), modeOf(join(made, "pg"))]).toEqual([0o700, 0o700]);
    await first.close();
    for (const path of [made, join(made, "pg")]) chmodSync(path, 0o755);
    const second = await openDatabase({ dataDir: made });
    expect([modeOf(made), modeOf(join(made, "pg"))]).toEqual([0o755, 0o700]);
    await second.close();
  });

  it("a lock of a running process is respected, one of a dead process taken over", async () => {
    await fillDataDir(dataDir);
    await writeFile(join(dataDir, "lock"), "1");
    await expect(openDatabase({ dataDir })).rejects.toThrow(/in use by process 1/);
    await writeFile(join(dataDir, "lock"), "4194999 12345");
    const db = await openDatabase({ dataDir });
    expect(await readFile(join(dataDir, "lock"), "utf8")).toMatch(new RegExp(`^${process.pid} `));
    await db.close();
  });

  it.each(["4194999 12345", ""])("of several processes that find a stale lock (%j) at once, one gets it", async (dead) => {
    await writeFile(join(dataDir, "lock"), dead);
    const racer = fileURLToPath(new URL("./lock-racer.ts", import.meta.url));
    const start = String(Date.now() + 2_000);
    const racers = Array.from({ length: 6 }, async () => {
      const child = spawn(process.execPath, [racer, dataDir, start], { stdio: ["pipe", "pipe", "inherit"] });
      const [said] = await once(child.stdout, "data");
      return { child, said: String(said) };
    });
    const finished = await Promise.all(racers);
    const gone = finished.map(({ child }) => once(child, "exit"));
    for (const { child } of finished) child.stdin.end();
    await Promise.all(gone);
    expect(finished.map(({ said }) => said).toSorted()).toEqual(["has it", ...Array.from({ length: 5 }, () => "refused")]);
  });

  it("a killed server's acknowledged commits survive, and the folder opens again at once", async () => {
    await fillDataDir(dataDir);
    const writer = fileURLToPath(new URL("./endless-writer.ts", import.meta.url));
    for (let round = 0, known = 0; round < 3; round += 1) {
      const child = spawn(process.execPath, [writer, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
      while (said.split("\n").length < 25) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill("SIGKILL");
      await new Promise((resolve) => child.on("close", resolve));
      known = Number(said.trimEnd().split("\n").at(-1));
      const db = await openDatabase({ dataDir });
      const rows = await query<{ name: string }>(db.kysely, "SELECT name FROM setting");
      const names = new Set(rows.map(({ name }) => Number(name)));
      for (let at = 1; at <= known; at += 1) expect(names.has(at), `write ${at} of ${known}`).toBe(true);
      await db.close();
    }
  });
});
