/** Resets a used test database to its state after the migrations, which is much faster than opening another one. */
import type { Reader } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { columnsOf } from "#server/db/restore.ts";

/** State after the migrations: rows by table, sequence values and the schema. */
export interface DatabaseSnapshot {
  rows: Map<string, { columns: string; json: string }>;
  sequences: Map<string, number | null>;
  shape: string;
}

/**
 * Empties every table except the list of migrations. Rows are deleted, because `TRUNCATE` makes new files and has every plan made again; only
 * tables that have grown are truncated. The ledger's triggers refuse deletions, so none fires meanwhile.
 */
const EMPTY = `DO $$
DECLARE
  each record;
  found boolean;
BEGIN
  PERFORM set_config('session_replication_role', 'replica', true);
  FOR each IN SELECT oid::regclass::text AS name, pg_relation_size(oid) > 262144 AS large FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> 'migration' ORDER BY 2 DESC LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', each.name) INTO found;
    IF each.large THEN EXECUTE format('TRUNCATE %s CASCADE', each.name);
    ELSIF found THEN EXECUTE format('DELETE FROM %s', each.name);
    END IF;
  END LOOP;
END $$`;

/**
 * Tables, columns, constraints, indexes, functions, triggers and applied migrations. A test that alters any of them needs its own database.
 */
const SHAPE = `SELECT json_build_array(
    (SELECT json_agg(json_build_array(relname, relkind, relnatts, relchecks) ORDER BY relname)
      FROM pg_class WHERE relnamespace = current_schema()::regnamespace),
    (SELECT json_agg(json_build_array(conname, pg_get_constraintdef(oid)) ORDER BY conname, oid)
      FROM pg_constraint WHERE connamespace = current_schema()::regnamespace),
    (SELECT json_agg(md5(prosrc) ORDER BY proname, md5(prosrc)) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace),
    (SELECT json_agg(json_build_array(name, checksum) ORDER BY name) FROM migration))::text AS shape`;

const SEQUENCES = "SELECT sequencename AS name, last_value AS last FROM pg_sequences WHERE schemaname = current_schema()";
const TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> 'migration' ORDER BY relname`;

const shapeOf = async (on: Reader): Promise<string> => (await query<{ shape: string }>(on, SHAPE))[0]?.shape ?? "";

/** Captures the state of a newly migrated database. */
export async function remember(on: Reader): Promise<DatabaseSnapshot> {
  const rows: DatabaseSnapshot["rows"] = new Map();
  for (const { name } of await query<{ name: string }>(on, TABLES)) {
    const [kept] = await query<{ rows: string | null }>(on, `SELECT json_agg(each)::text AS rows FROM "${name}" AS each`);
    if (kept?.rows) rows.set(name, { columns: await columnsOf(on, name), json: kept.rows });
  }
  const sequences = await query<{ name: string; last: number | null }>(on, SEQUENCES);
  return { rows, sequences: new Map(sequences.map(({ name, last }) => [name, last])), shape: await shapeOf(on) };
}

/** Whether the schema is as the migrations left it. */
export const isUnaltered = async (on: Reader, { shape }: DatabaseSnapshot): Promise<boolean> => (await shapeOf(on)) === shape;

export async function restore(on: Reader, snapshot: DatabaseSnapshot): Promise<void> {
  await query(on, EMPTY);
  for (const [name, { columns, json }] of snapshot.rows) {
    const sql = `INSERT INTO "${name}" (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM json_populate_recordset(NULL::"${name}", $1)`;
    await query(on, sql, [json]);
  }
  for (const { name, last } of await query<{ name: string; last: number | null }>(on, SEQUENCES)) {
    const before = snapshot.sequences.get(name) ?? null;
    if (last === before) continue;
    const sequence = `quote_ident($1)::regclass`;
    if (before === null)
      await query(on, `SELECT setval(${sequence}, (SELECT seqstart FROM pg_sequence WHERE seqrelid = ${sequence}), false)`, [name]);
    else await query(on, `SELECT setval(${sequence}, $2)`, [name, before]);
  }
}
