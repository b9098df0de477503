/** Backup file format, writer and reader: the whole database in one compressed, checksummed file that PGlite and PostgreSQL can both restore. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, linkSync, rmSync } from "node:fs";
import { finished } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import * as z from "zod/mini";
import { query } from "./database.ts";
import type { Reader, Tx } from "./database.ts";

/** Thrown when a file is not a backup, is damaged, or cannot be written. */
export class BadBackup extends Error {}

const FORMAT = "kuroshio-backup-1";
/** Rows per fetch and write. */
const BATCH_ROWS = 500;
/** Maximum characters of a line; a row has a few kilobytes at most. */
const MAX_LINE = 4 * 1024 * 1024;

const Header = z.object({
  format: z.literal(FORMAT),
  at: z.int(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
});
const Sequence = z.object({ name: z.string(), value: z.int(), called: z.boolean() });
const Trailer = z.object({ rows: z.int(), sha256: z.string() });

export type BackupHeader = z.infer<typeof Header>;

/** A line by its first letter: H header, T table name, R row, S sequence (E, the trailer, is not passed on). */
export type Line =
  | { kind: "H"; header: BackupHeader }
  | { kind: "T"; table: string }
  | { kind: "R"; row: string }
  | { kind: "S"; sequence: z.infer<typeof Sequence> };

/** Sums of other tables, whose rows can be longer than a line: a server makes them again when it starts, as they have no mark then. */
const SUMS = ["member_day", "member_day_mark"];

/** The tables of a backup, each after those it references; without sums, and without the list of migrations, which is in the header. */
export async function tablesOf(on: Reader): Promise<string[]> {
  const tables = await query<{ name: string; needs: string[] }>(
    on,
    `SELECT relname AS name, ARRAY(
       SELECT other.relname::text FROM pg_constraint JOIN pg_class AS other ON other.oid = confrelid
       WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid
     ) AS needs
     FROM pg_class WHERE relnamespace = current_schema::regnamespace AND relkind = 'r' AND relname <> 'migration' AND relname <> ALL ($1) ORDER BY 1`,
    [SUMS],
  );
  const ordered: string[] = [];
  while (ordered.length < tables.length) {
    const next = tables.find(({ name, needs }) => !ordered.includes(name) && needs.every((needed) => ordered.includes(needed)));
    if (!next) throw new Error("the foreign keys of the tables form a cycle");
    ordered.push(next.name);
  }
  return ordered;
}

/** SQL expression of a row as JSON text. Transaction ids mean nothing in another database and become 0, which no transaction has. */
async function rowExpression(on: Reader, table: string): Promise<string> {
  const rows = await query<{ name: string }>(
    on,
    `SELECT attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = current_schema::regnamespace AND relname = $1 AND atttypid = 'xid8'::regtype AND NOT attisdropped`,
    [table],
  );
  const zeros = JSON.stringify(Object.fromEntries(rows.map(({ name }) => [name, "0"])));
  return `(to_jsonb(t) || '${zeros}'::jsonb)::text`;
}

async function* readTable(tx: Tx, table: string): AsyncGenerator<string[]> {
  await query(tx, `DECLARE backup_rows NO SCROLL CURSOR FOR SELECT ${await rowExpression(tx, table)} AS row FROM "${table}" AS t`);
  for (;;) {
    const rows = await query<{ row: string }>(tx, `FETCH ${BATCH_ROWS} FROM backup_rows`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await query(tx, "CLOSE backup_rows");
}

/** Every line of a backup except the trailer. */
async function* readAll(tx: Tx, at: number): AsyncGenerator<string[]> {
  const migrations = await query<BackupHeader["migrations"][number]>(tx, "SELECT name, checksum FROM migration ORDER BY name");
  yield [`H${JSON.stringify({ format: FORMAT, at, migrations } satisfies BackupHeader)}`];
  for (const table of await tablesOf(tx)) {
    yield [`T${table}`];
    for await (const rows of readTable(tx, table)) yield rows.map((row) => `R${row}`);
  }
  // After the rows: a number taken meanwhile only leaves a gap; read earlier, it could be issued twice.
  const sequences = await query<{ name: string; value: number | null; start: number }>(
    tx,
    "SELECT sequencename AS name, last_value AS value, start_value AS start FROM pg_sequences WHERE schemaname = current_schema ORDER BY 1",
  );
  yield sequences.map(({ name, value, start }) => `S${JSON.stringify({ name, value: value ?? start, called: value !== null })}`);
}

/**
 * Writes a backup of one snapshot. PostgreSQL keeps working meanwhile; the embedded database does nothing else.
 * @returns the number of rows
 * @throws BadBackup when the file exists
 */
export async function writeBackup(db: { kysely: Reader }, file: string, at: number): Promise<number> {
  const part = `${file}.part`;
  if (existsSync(file)) throw new BadBackup(`${file} already exists; a backup never overwrites a file.`);
  const target = createWriteStream(part, { flags: "wx", mode: 0o600, flush: true });
  await once(target, "open").catch((error: unknown) => {
    throw new BadBackup(`${part} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    const packed = createGzip();
    packed.pipe(target);
    const hash = createHash("sha256");
    let rows = 0;
    const put = async (lines: readonly string[]): Promise<void> => {
      const text = lines.map((line) => `${line}\n`).join("");
      hash.update(text);
      if (!packed.write(text)) await once(packed, "drain");
    };
    await db.kysely
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (tx) => {
        for await (const lines of readAll(tx, at)) {
          rows += lines.filter((line) => line.startsWith("R")).length;
          await put(lines);
        }
      });
    packed.end(`E${JSON.stringify({ rows, sha256: hash.digest("hex") })}\n`);
    await finished(target);
    // Unlike a rename, this fails when the target was created meanwhile.
    linkSync(part, file);
    return rows;
  } finally {
    target.destroy();
    rmSync(part, { force: true });
  }
}

/** The lines of a compressed file. A line longer than any row is refused before it fills the memory. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip());
  source.on("error", (error) => unpacked.destroy(error));
  try {
    yield* splitLines(unpacked.setEncoding("utf8"));
  } catch (error) {
    throw new BadBackup(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

/** Splits text at line feeds. @throws Error for a line longer than `MAX_LINE` */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) throw new Error("it has a line that is longer than any row");
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Reads a backup to its end and checks it. @throws BadBackup when any part is missing or was changed */
export async function verifyBackup(file: string): Promise<{ header: BackupHeader; rows: number }> {
  const hash = createHash("sha256");
  let header: BackupHeader | null = null;
  let trailer: z.infer<typeof Trailer> | null = null;
  let rows = 0;
  for await (const line of linesOf(file)) {
    if (trailer !== null) throw new BadBackup(`${file} is damaged: it continues after its trailer.`);
    if (header === null) {
      const read = z.safeParse(Header, line.startsWith("H") ? parse(line.slice(1)) : null);
      if (!read.success) throw new BadBackup(`${file} is not a backup of this server.`);
      header = read.data;
    }
    if (line.startsWith("E")) {
      const read = z.safeParse(Trailer, parse(line.slice(1)));
      if (!read.success) throw new BadBackup(`${file} is damaged.`);
      trailer = read.data;
      continue;
    }
    if (line.startsWith("R")) rows += 1;
    hash.update(`${line}\n`);
  }
  if (header === null || trailer === null) throw new BadBackup(`${file} is incomplete.`);
  if (trailer.rows !== rows || trailer.sha256 !== hash.digest("hex")) throw new BadBackup(`${file} is damaged: its checksum is wrong.`);
  return { header, rows };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The lines of a verified backup. */
export async function* readBackup(file: string): AsyncGenerator<Line> {
  for await (const line of linesOf(file)) {
    const text = line.slice(1);
    if (line.startsWith("H")) yield { kind: "H", header: Header.parse(JSON.parse(text)) };
    else if (line.startsWith("T")) yield { kind: "T", table: text };
    else if (line.startsWith("R")) yield { kind: "R", row: text };
    else if (line.startsWith("S")) yield { kind: "S", sequence: Sequence.parse(JSON.parse(text)) };
  }
}
