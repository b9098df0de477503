/** Tests backup and restore: a backup of a server under load restored into either database, and everything that must be refused. */
import { spawn } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BadBackup } from "#server/db/backup.ts";
import { openDatabase, query } from "#server/db/database.ts";
import type { Database, DatabaseOptions } from "#server/db/database.ts";
import { DataDirUnusable } from "#server/db/data-folder.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { backUp, restore } from "#server/ops/backup.ts";
import { operatingUser } from "#server/ops/run-command.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { onPostgres } from "#tests/support/run.ts";
import { fillDataDir } from "#tests/support/template.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { ROOT } from "#tests/support/tree.ts";

const address = process.env["DATABASE_URL"] || undefined;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "backup-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const quiet = (): void => undefined;
const newPath = (name: string): string => join(folder, `${name}-${randomBytes(4).toString("hex")}`);

/** Runs an operator command as a process. */
async function ops(words: readonly string[], place: Record<string, string>): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATABASE_URL: "", ...place };
  const child = spawn(process.execPath, [join(ROOT, "server", "ops", "main.ts"), ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

/** The whole content of a database by table, except when its migrations were applied, and sums that a start makes. */
async function contents(db: Database): Promise<Record<string, unknown>> {
  const tables = await query<{ name: string }>(
    db.kysely,
    "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema::regnamespace AND relkind = 'r' AND relname NOT IN ('migration', 'member_day', 'member_day_mark') ORDER BY 1",
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(db.kysely, `SELECT (to_jsonb(t) - 'sealed')::text AS row FROM "${name}" AS t`);
    found[name] = rows.map(({ row }) => row).toSorted();
  }
  found["sequences"] = await query(
    db.kysely,
    "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema ORDER BY 1",
  );
  return found;
}

const board = { code: "2603", direction: "rise", pricing: "market", price: null, lots: 1 };
const odd = { ...board, pricing: "limit", market: "odd" };

function lastPrice(server: TestServer, code: string): number {
  const { last, reference } = server.venue.quote(server.venue.instrument(code)?.row ?? -1);
  return last || reference;
}

describe("a backup of a server under load", () => {
  const dataDir = (): string => join(folder, "running");
  const schema = address ? `backup_${randomBytes(6).toString("hex")}` : null;
  let server: TestServer;
  let file: string;
  /** Orders acknowledged before the backup began. */
  let before: string[];
  beforeAll(async () => {
    server = await startTestServer({ dataDir: dataDir(), databaseSchema: schema });
    const as = await server.enter();
    const load = { stopped: false };
    const acknowledged: string[] = [];
    const started = Promise.withResolvers<void>();
    const running = server;
    const work = (async () => {
      while (!load.stopped) {
        // Ten whole lots, then single shares: the member keeps money for an order after the restore, however long the backup takes.
        const one = acknowledged.length < 10 ? board : { ...odd, price: lastPrice(running, odd.code) };
        const { reply } = await running.post("placeOrder", JSON.stringify({ requestId: randomUUID(), ...one }), as);
        if (reply.status === 1) acknowledged.push((reply.data as { orderNo: string }).orderNo);
        if (acknowledged.length === 10) started.resolve();
      }
    })();
    await started.promise;
    before = [...acknowledged];
    file = newPath("under-load");
    if (schema === null) {
      const { code, output } = await ops(["backup", file], { DATA_DIR: dataDir() });
      expect(output).toMatch(/has \d+ rows\.\n$/);
      expect(code).toBe(0);
      const acts = await query(server.db.kysely, "SELECT who, command, subject FROM operator_act");
      expect(acts).toEqual([{ who: operatingUser(), command: "backup", subject: file }]);
    } else await backUp(server.db, [file], quiet);
    load.stopped = true;
    await work;
  });
  afterAll(() => server.stop());

  /** Restores the backup and checks it with a server on the restored database. */
  async function drill(place: DatabaseOptions): Promise<void> {
    await restore(place, [file], quiet);
    await expect(restore(place, [file], quiet)).rejects.toThrow("only restored into an empty one");
    const { databaseUrl = null, dataDir, schema: databaseSchema = null } = place;
    const restored = await startTestServer({ databaseUrl, dataDir, databaseSchema });
    try {
      const { kysely } = restored.db;
      const orders = await query<{ order_no: string }>(kysely, `SELECT order_no FROM "order"`);
      expect(orders.map(({ order_no }) => order_no)).toEqual(expect.arrayContaining(before));
      const gaps = await query(kysely, "SELECT member_id FROM fact GROUP BY member_id HAVING max(n) <> count(*) OR min(n) <> 1");
      expect(gaps).toEqual([]);
      const signedIn = await restored.call("signIn", restored.credentials);
      if (signedIn.status !== 1) throw new Error(signedIn.msg);
      const body = { requestId: randomUUID(), code: "2317", direction: "rise", pricing: "market", price: null, lots: 1 };
      const placed = await restored.post("placeOrder", JSON.stringify(body), signedIn.data);
      expect(placed.reply).toMatchObject({ status: 1 });
      expect((await auditBooks(kysely)).differences).toEqual([]);
    } finally {
      await restored.stop();
    }
  }

  it("is restored into the embedded database, where members can sign in and trade", () => drill({ dataDir: newPath("embedded") }));

  it.runIf(address)("is restored into PostgreSQL as well", () =>
    drill({ dataDir: null, databaseUrl: address, schema: `restored_${randomBytes(6).toString("hex")}` }),
  );
});

describe("a backup", () => {
  let db: Database;
  let file: string;
  beforeAll(async () => {
    db = await openTestDatabase();
    await query(db.kysely, `INSERT INTO setting (name, value, open) VALUES ('odd', E'line\\nbreak "quoted" \\\\ 漲', true)`);
    // Some readers treat these characters as line separators, but a row may contain them.
    await query(db.kysely, "INSERT INTO setting (name, value, open) VALUES ('separators', $1, true)", ["a\u2028b\u2029c\u0085d"]);
    await query(db.kysely, "SELECT nextval('order_no'), nextval('order_no')");
    file = newPath("small");
    await backUp(db, [file], quiet);
  });
  afterAll(() => db.close());
  const place = (): DatabaseOptions => ({ dataDir: newPath("place") });

  it("contains everything including sequence values, and the restored ledger keeps its constraints", async () => {
    const into = place();
    await restore(into, [file], quiet);
    const restored = await openDatabase(into);
    expect(await contents(restored)).toEqual(await contents(db));
    await expect(query(restored.kysely, "DELETE FROM ledger_tx")).rejects.toThrow("only ever added to");
    await restored.close();
  });

  it("never overwrites a file", async () => {
    const other = newPath("taken");
    await writeFile(other, "mine");
    await expect(backUp(db, [other], quiet)).rejects.toThrow("never overwrites");
    expect(await readFile(other, "utf8")).toBe("mine");
    expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  const text = async (): Promise<string> => gunzipSync(await readFile(file)).toString();
  const damages: [string, (damaged: string) => Promise<void>][] = [
    ["cut short", async (damaged) => truncate(damaged, (await readFile(file)).length - 20)],
    ["without its trailer", async (damaged) => writeFile(damaged, gzipSync((await text()).replace(/E\{.*\n$/, "")))],
    ["with one value changed", async (damaged) => writeFile(damaged, gzipSync((await text()).replace('"open": true', '"open": false')))],
    ["with a missing row", async (damaged) => writeFile(damaged, gzipSync((await text()).replace(/\nR[^\n]*/, "")))],
    ["that is something else", async (damaged) => writeFile(damaged, gzipSync("hello\n"))],
    ["that is not compressed", async (damaged) => writeFile(damaged, "hello\n")],
    ["that does not exist", (damaged) => rm(damaged)],
  ];
  it.each(damages)("%s is refused, and nothing is created", async (_how, damage) => {
    const damaged = newPath("damaged");
    await copyFile(file, damaged);
    await damage(damaged);
    const into = place();
    await expect(restore(into, [damaged], quiet)).rejects.toThrow(BadBackup);
    expect(existsSync(into.dataDir ?? "")).toBe(false);
  });

  it("with a line longer than any row is refused before it is read to its end", async () => {
    const giant = newPath("giant");
    await writeFile(giant, gzipSync(`H${" ".repeat(64 * 1024 * 1024)}\n`));
    await expect(restore(place(), [giant], quiet)).rejects.toThrow("longer than any row");
  });

  // Refused while it restores, which must leave the database empty for the next.
  let emptied: DatabaseOptions;
  beforeAll(() => {
    emptied = place();
  });
  it.each(['setting" OVERRIDING SYSTEM VALUE SELECT 1 --', "pg_authid", "migration"])(
    "with rows of the table %j is refused, although its checksum is right",
    async (table) => {
      const lines = (await text()).replace("\nTsetting\n", `\nT${table}\n`).split("\n").slice(0, -2);
      const rows = lines.filter((line) => line.startsWith("R")).length;
      const sha256 = createHash("sha256")
        .update(`${lines.join("\n")}\n`)
        .digest("hex");
      const crafted = newPath("crafted");
      await writeFile(crafted, gzipSync(`${lines.join("\n")}\nE${JSON.stringify({ rows, sha256 })}\n`));
      await expect(restore(emptied, [crafted], quiet)).rejects.toThrow("a table that is not ours");
    },
  );
});

// Of the embedded database alone.
describe.skipIf(onPostgres)("a data folder", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = newPath("data");
    await mkdir(dataDir);
  });

  it("that was copied without its marker file opens with all its data", async () => {
    await fillDataDir(dataDir);
    const first = await openDatabase({ dataDir });
    await query(first.kysely, "INSERT INTO setting (name, value, open) VALUES ('kept', 'yes', false)");
    await first.close();
    const copy = newPath("copy");
    await mkdir(copy);
    await rename(join(dataDir, "pg"), join(copy, "pg"));
    const second = await openDatabase({ dataDir: copy });
    expect(await query(second.kysely, "SELECT value FROM setting WHERE name = 'kept'")).toEqual([{ value: "yes" }]);
    await second.close();
  });

  it("whose database is damaged or not a database is refused and keeps every file", async () => {
    await mkdir(join(dataDir, "pg", "base"), { recursive: true });
    await writeFile(join(dataDir, "pg", "base", "1"), "rows");
    await expect(openDatabase({ dataDir })).rejects.toThrow(DataDirUnusable);
    await writeFile(join(dataDir, "pg", "PG_VERSION"), "17\n");
    await expect(openDatabase({ dataDir })).rejects.toThrow(DataDirUnusable);
    expect(await readFile(join(dataDir, "pg", "base", "1"), "utf8")).toBe("rows");
  });

  it("in which a first start was killed halfway is initialised again", async () => {
    await mkdir(join(dataDir, "pg.new"));
    await writeFile(join(dataDir, "pg.new", "PG_VERSION"), "17\n");
    const db = await openDatabase({ dataDir });
    expect(await query(db.kysely, "SELECT count(*)::int AS n FROM member")).toEqual([{ n: 0 }]);
    await db.close();
    expect((await readdir(dataDir)).toSorted()).toEqual(["pg", "pg.made"]);
  });

  it("without a database does not get one from `ops check`", async () => {
    const { code, output } = await ops(["check"], { DATA_DIR: dataDir });
    expect([code, output]).toEqual([2, `There is no database in ${dataDir}.\n`]);
    expect(await readdir(dataDir)).toEqual([]);
  });
});
