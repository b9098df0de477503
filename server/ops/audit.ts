/** The audit of the operator: one row for each act, written in its transaction; `ops audit show` lists them. */
import { formatDateTime, epochMs } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { never, NotDone } from "./command.ts";
import type { Act, Args, Command } from "./command.ts";

interface Row {
  id: number;
  at: number;
  who: string;
  command: string;
  subject: string;
  before: object | null;
  after: object | null;
}

const MOST = 1_000;
const USUAL = 50;

/** Writes the row of an act. */
export async function recordAct(tx: Tx, who: string, command: string, at: number, { subject, before, after }: Act): Promise<void> {
  const text = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
  await query(tx, "INSERT INTO operator_act (at, who, command, subject, before, after) VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb)", [
    at,
    who,
    command,
    subject,
    text(before),
    text(after),
  ]);
}

/** How many rows a list shows. @throws NotDone */
export function limitOf({ options: { limit } }: Args): number {
  const count = limit === undefined ? USUAL : Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > MOST) throw new NotDone(`--limit is a number from 1 to ${MOST}.`);
  return count;
}

const LIST = `
SELECT id, at, who, command, subject, before, after FROM operator_act
WHERE ($1::text IS NULL OR subject = $1) AND ($2::text IS NULL OR command = $2) AND ($3::bigint IS NULL OR id < $3)
ORDER BY id DESC LIMIT $4`;

async function list(on: Reader, args: Args): Promise<Row[]> {
  const { subject, command, before } = args.options;
  if (before !== undefined && !/^\d{1,15}$/.test(before)) throw new NotDone("--before is the number of an act.");
  return query<Row>(on, LIST, [subject ?? null, command ?? null, before === undefined ? null : Number(before), limitOf(args)]);
}

const side = (value: object | null): string => (value === null ? "-" : JSON.stringify(value));

export const auditCommands: readonly Command[] = [
  {
    name: "audit show",
    usage: "[--subject ACCOUNT|NUMBER] [--command NAME] [--before ID] [--limit N]",
    what: "list what the operator did, the newest first",
    options: ["subject", "command", "before", "limit"],
    audited: never,
    async run({ db, say }, args) {
      const rows = await list(db.kysely, args);
      if (rows.length === 0) say("Nothing was done yet.");
      for (const { id, at, who, command, subject, before, after } of rows)
        say(`${id} ${formatDateTime(epochMs(at))} ${who}: ${command} ${subject} ${side(before)} -> ${side(after)}`);
    },
  },
];
