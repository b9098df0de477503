/** `ops mentor admit`, `remove` and `list`: members whose orders others may copy. */
import { cents, formatMoney } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { MentorRow } from "#server/records/copy.ts";
import { always, never, NotDone } from "./command.ts";
import type { Act, Args, Command } from "./command.ts";
import { memberOf } from "./member.ts";

const MOST_NAME = 24;
const CENTS = 100;
const INSERT = `INSERT INTO mentor (mentor_no, member_id, name, capital_cents, since, acted_at, closes_at)
VALUES ('T' || nextval('mentor_no'), $1, $2, $3, $4, $4, $5) RETURNING mentor_no`;
const REMOVE = "UPDATE mentor SET removed_at = $2 WHERE mentor_no = $1 AND removed_at IS NULL RETURNING mentor_no";
const LIST = `SELECT mentor.*, (SELECT count(*)::integer FROM copy WHERE copy.mentor_no = mentor.mentor_no AND status <> 'stopped') AS followers
FROM mentor ORDER BY since, mentor_no`;

/** The end of a day in Taipei. @throws NotDone */
function readUntil({ options: { until } }: Args): number | null {
  if (until === undefined) return null;
  const at = /^\d{4}-\d\d-\d\d$/.test(until) ? Date.parse(`${until}T23:59:59+08:00`) : Number.NaN;
  if (Number.isNaN(at)) throw new NotDone("--until is a day such as 2026-12-31.");
  return at;
}

async function admit(tx: Tx, args: Args, at: number): Promise<Act> {
  const name = (args.options["name"] ?? "").trim();
  if (name === "" || name.length > MOST_NAME) throw new NotDone(`--name has 1 to ${MOST_NAME} characters.`);
  const capital = Number(args.options["capital"]);
  if (!Number.isSafeInteger(capital) || capital < 100_000) throw new NotDone("--capital is in whole NT$, at least 100000.");
  const { id, account } = await memberOf(tx, args);
  if ((await query(tx, "SELECT FROM mentor WHERE member_id = $1", [id])).length > 0)
    throw new NotDone(`${account} is or was a mentor already.`);
  const [row] = await query<{ mentor_no: string }>(tx, INSERT, [id, name, cents(capital * CENTS), at, readUntil(args)]);
  const mentorNo = row?.mentor_no ?? "";
  return {
    subject: account,
    before: null,
    after: { mentorNo, capital },
    lines: [`${account} is mentor ${mentorNo}; what is traded from now on can be copied.`],
  };
}

async function remove(tx: Tx, { words: [mentorNo = ""] }: Args, at: number): Promise<Act> {
  const removed = await query(tx, REMOVE, [mentorNo, at]);
  if (removed.length === 0) throw new NotDone(`There is no mentor ${mentorNo}, or it was removed already.`);
  return {
    subject: mentorNo,
    before: { removed: false },
    after: { removed: true },
    lines: [`${mentorNo} is removed; the running server sells what was copied, or the next start does.`],
  };
}

const describe = (row: MentorRow & { followers: number }): string =>
  [
    row.mentor_no,
    row.strategy === null ? row.name : `the broker's own, ${row.strategy}`,
    `since ${formatDate(row.since)}`,
    `capital NT$${formatMoney(row.capital_cents)}`,
    `${row.followers} followers`,
    row.removed_at === null ? "" : `removed ${formatDate(row.removed_at)}`,
  ]
    .filter((word) => word !== "")
    .join(", ");

export const mentorCommands: readonly Command[] = [
  {
    name: "mentor admit",
    usage: "--account ACCOUNT --name NAME --capital NT$ [--until YYYY-MM-DD]",
    what: "let others copy a member's orders; until that day members can begin to",
    options: ["account", "name", "capital", "until"],
    audited: always,
    run: ({ act, at }, args) => act((tx) => admit(tx, args, at)),
  },
  {
    name: "mentor remove",
    usage: "MENTOR",
    what: "remove a mentor: following stops, and what was copied is sold",
    audited: always,
    run: ({ act, at }, args) => act((tx) => remove(tx, args, at)),
  },
  {
    name: "mentor list",
    usage: "",
    what: "list the mentors and how many follow them",
    audited: never,
    run: async ({ db, say }) => {
      for (const row of await query<MentorRow & { followers: number }>(db.kysely, LIST)) say(describe(row));
    },
  },
];
