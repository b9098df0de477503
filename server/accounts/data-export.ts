/** Exports all data of a member as a ZIP: every table as JSON and as CSV, and the photos. */
import type { Account } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import { zip } from "#server/kernel/zip.ts";
import type { ZipEntry } from "#server/kernel/zip.ts";
import { HIDDEN_OF_MEMBER, OWN_TABLES } from "./own-data.ts";
import type { PhotoStore } from "./photo-store.ts";

/** Rows read and written at once: between pages the server does other work. */
const PAGE = 500;

type Row = Record<string, unknown>;

/** What one pair of files is read from. */
interface Source {
  name: string;
  from: string;
  /** Compared with the member's id or account. */
  by: string;
  value: number | string;
  key: readonly string[];
  columns: readonly string[];
  toldWhen?: Readonly<Record<string, string>>;
}

/** One archive at a time: the largest holds years of orders in memory. */
const gate = new Gate({ atOnce: 1, waiting: 8, refusal: "GEN_SYSTEM_BUSY" });

const quoted = (table: string, columns: readonly string[]): string => columns.map((column) => `"${table}"."${column}"`).join(", ");

/** The next rows after one. */
function nextPage(on: Reader, { name, from, by, value, key, columns, toldWhen = {} }: Source, last: Row | undefined): Promise<Row[]> {
  const keys = quoted(name, key);
  const after = last ? `AND (${keys}) > (${key.map((_, nth) => `$${nth + 2}`).join(", ")})` : "";
  // The key columns are read under names of their own, in case they are hidden.
  const aliased = key.map((column, nth) => `"${name}"."${column}" AS "key ${nth}"`).join(", ");
  const told = columns.map((column) => {
    const when = toldWhen[column];
    return when === undefined ? quoted(name, [column]) : `CASE WHEN ${when} THEN ${quoted(name, [column])} END AS "${column}"`;
  });
  const text = `SELECT ${told.join(", ")}, ${aliased} FROM ${from} WHERE ${by} = $1 ${after} ORDER BY ${keys} LIMIT ${PAGE}`;
  return query<Row>(on, text, [value, ...(last ? key.map((_, nth) => last[`key ${nth}`]) : [])]);
}

/** Text that a spreadsheet would run as a formula gets an apostrophe. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Both files of a table, and the number of its rows. */
async function filesOf(on: Reader, source: Source): Promise<{ files: ZipEntry[]; rows: number }> {
  const { name, columns } = source;
  const json: string[] = [];
  const csv: string[] = [columns.join(",")];
  let page: Row[] = [];
  do {
    page = await nextPage(on, source, page.at(-1));
    for (const row of page) {
      json.push(JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column]]))));
      csv.push(columns.map((column) => cell(row[column])).join(","));
    }
  } while (page.length === PAGE);
  const files = [
    { name: `${name}.json`, content: Buffer.from(`[\n${json.join(",\n")}\n]\n`) },
    { name: `${name}.csv`, content: Buffer.from(`\uFEFF${csv.join("\r\n")}\r\n`) },
  ];
  return { files, rows: json.length };
}

const COLUMNS = `
SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`;

/** Everything the export reads. */
async function sourcesOf(on: Reader, memberId: number, account: Account): Promise<Source[]> {
  const all = Map.groupBy(await query<{ table: string; column: string }>(on, COLUMNS), ({ table }) => table);
  const columnsOf = (table: string, hidden: readonly string[]): string[] =>
    (all.get(table) ?? []).map(({ column }) => column).filter((column) => !hidden.includes(column));
  const tables = OWN_TABLES.filter(({ notExported }) => notExported === undefined);
  return [
    { name: "member", from: "member", by: "id", value: memberId, key: ["id"], columns: columnsOf("member", HIDDEN_OF_MEMBER) },
    ...tables.map(({ table, by, key, hidden = [], toldWhen = {} }): Source => {
      return { name: table, from: `"${table}"`, by, value: memberId, key, columns: columnsOf(table, hidden), toldWhen };
    }),
    {
      name: "entry",
      from: "entry JOIN pocket ON pocket.id = entry.pocket_id",
      by: "pocket.member_id",
      value: memberId,
      key: ["tx_id", "line"],
      columns: columnsOf("entry", []),
    },
    // What operators did with the account, and when they looked at it; not who of them.
    { name: "operator_act", from: "operator_act", by: "subject", value: account, key: ["id"], columns: ["at", "command"] },
  ];
}

async function photosOf(on: Reader, photos: PhotoStore, memberId: number): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for (const { id } of await query<{ id: string }>(on, "SELECT id FROM photo WHERE member_id = $1 ORDER BY id", [memberId])) {
    const photo = await photos.read(on, memberId, id);
    if (photo) entries.push({ name: `photo/${id}.jpg`, content: photo.content });
  }
  return entries;
}

async function pack(on: Reader, photos: PhotoStore, memberId: number, account: Account): Promise<Buffer> {
  const entries: ZipEntry[] = [];
  const rows: Record<string, number> = {};
  for (const source of await sourcesOf(on, memberId, account)) {
    const made = await filesOf(on, source);
    entries.push(...made.files);
    rows[source.name] = made.rows;
  }
  const contents = { account, money: "cents", prices: "ten-thousandths", times: "milliseconds since 1970-01-01 UTC", rows };
  entries.unshift({ name: "contents.json", content: Buffer.from(`${JSON.stringify(contents, null, 2)}\n`) });
  return zip([...entries, ...(await photosOf(on, photos, memberId))]);
}

/** The archive. @throws Refusal `GEN_SYSTEM_BUSY` when too many wait */
export const exportData = (on: Reader, photos: PhotoStore, memberId: number, account: Account): Promise<Buffer> =>
  gate.run("all", () => pack(on, photos, memberId, account));
