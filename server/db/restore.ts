/** Restores a backup into an empty database in one transaction: all of it, verified, or nothing. */
import { BadBackup, readBackup, tablesOf, verifyBackup } from "./backup.ts";
import { query } from "./database.ts";
import type { Reader, Tx } from "./database.ts";
import { migrateIn } from "./migrate.ts";

/** Maximum rows and characters per INSERT. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/** The columns of a table that are written, in SQL; the others are computed from them. */
export async function columnsOf(on: Reader, table: string): Promise<string> {
  const [row] = await query<{ columns: string }>(
    on,
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = current_schema::regnamespace AND relname = $1 AND attnum > 0 AND attgenerated = '' AND NOT attisdropped`,
    [table],
  );
  return row?.columns ?? "";
}

/** Writes the rows and sets the sequences. Triggers are off: derived values are restored, not recomputed. @returns the number of rows */
async function fill(tx: Tx, file: string, tables: readonly string[]): Promise<number> {
  let table = "";
  let columns = "";
  let written = 0;
  let rows: string[] = [];
  let characters = 0;
  const put = async (): Promise<void> => {
    if (rows.length === 0) return;
    const sql = `INSERT INTO "${table}" (${columns}) OVERRIDING SYSTEM VALUE
      SELECT ${columns} FROM jsonb_populate_recordset(NULL::"${table}", $1)`;
    await query(tx, sql, [`[${rows.join(",")}]`]);
    written += rows.length;
    rows = [];
    characters = 0;
  };
  for await (const line of readBackup(file)) {
    if (line.kind === "R") {
      rows.push(line.row);
      characters += line.row.length;
    }
    if (line.kind !== "R" || rows.length === BATCH_ROWS || characters >= BATCH_CHARACTERS) await put();
    if (line.kind === "T") {
      // The name becomes part of a statement, and a valid checksum does not prove that the file is trustworthy.
      if (!tables.includes(line.table)) throw new BadBackup(`${file} is damaged: it has rows of a table that is not ours.`);
      table = line.table;
      columns = await columnsOf(tx, table);
    }
    if (line.kind === "S") {
      const { name, value, called } = line.sequence;
      await query(tx, "SELECT setval(quote_ident($1)::regclass, $2, $3)", [name, value, called]);
    }
  }
  return written;
}

/** Loads a backup into a schema without tables. */
async function load(tx: Tx, file: string): Promise<number> {
  const { header, rows } = await verifyBackup(file);
  const found = await query(tx, "SELECT FROM pg_class WHERE relnamespace = current_schema::regnamespace AND relkind IN ('r', 'v', 'm')");
  if (found.length > 0) throw new BadBackup("The target already has a database; a backup is only restored into an empty one.");
  await migrateIn(tx, header.migrations);
  const tables = await tablesOf(tx);
  const quoted = tables.map((table) => `"${table}"`);
  for (const table of quoted) await query(tx, `ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await query(tx, `TRUNCATE ${quoted.join(", ")}`);
  if ((await fill(tx, file, tables)) !== rows) throw new BadBackup(`${file} changed while it was being read.`);
  for (const table of quoted) await query(tx, `ALTER TABLE ${table} ENABLE TRIGGER USER`);
  // Later migrations run after the data is loaded, as in an upgrade.
  await migrateIn(tx);
  return rows;
}

/**
 * Restores a backup.
 * @param verify throws when the restored data is not consistent
 * @returns the number of rows
 * @throws BadBackup when the file is damaged or from a later version, or the target is not empty; nothing is changed then
 */
export function restoreBackup({ kysely }: { kysely: Reader }, file: string, verify: (tx: Tx) => Promise<void>): Promise<number> {
  return kysely.transaction().execute(async (tx) => {
    const rows = await load(tx, file);
    await verify(tx);
    return rows;
  });
}
