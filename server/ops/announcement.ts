/** `ops announcement`: puts a notice into every member's inbox, in the operator's words, and takes it out again. */
import { epochMs, formatDateTime } from "#contract/kernel/time.ts";
import type { Notice } from "#contract/notice.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { limitOf } from "./audit.ts";
import { always, never, NotDone } from "./command.ts";
import type { Act, Args, Command } from "./command.ts";

const LONGEST = { title: 60, text: 1_000 };

/** @throws NotDone */
function wordsOf({ options }: Args, name: keyof typeof LONGEST): string {
  const words = options[name]?.trim() ?? "";
  if (words === "" || words.length > LONGEST[name]) throw new NotDone(`Give --${name} with 1 to ${LONGEST[name]} characters.`);
  return words;
}

async function publish(tx: Tx, args: Args, at: number): Promise<Act> {
  const [title, text] = [wordsOf(args, "title"), wordsOf(args, "text")];
  const [row] = await query<{ id: number }>(tx, "INSERT INTO announcement (at, title, text) VALUES ($1, $2, $3) RETURNING id", [
    at,
    title,
    text,
  ]);
  const no = String(row?.id ?? "");
  const notice: Notice = { about: "announcement", values: { no, title, text } };
  const told = await query(
    tx,
    "INSERT INTO message (member_id, at, kind, read, notice, untold) SELECT id, $1, 'notice', false, $2::jsonb, true FROM member WHERE NOT restrictions @> ARRAY['disabled'] RETURNING member_id",
    [at, JSON.stringify(notice)],
  );
  const lines = [`Announcement ${no} is in ${told.length} inboxes.`];
  return { subject: `announcement ${no}`, before: null, after: { title, text, inboxes: told.length }, lines };
}

async function withdraw(tx: Tx, { words: [no = ""] }: Args, at: number): Promise<Act> {
  const [row] = /^\d{1,15}$/.test(no)
    ? await query<{ title: string }>(
        tx,
        "UPDATE announcement SET withdrawn_at = $2 WHERE id = $1 AND withdrawn_at IS NULL RETURNING title",
        [no, at],
      )
    : [];
  if (!row) throw new NotDone(`There is no announcement ${no}; announcement list shows them.`);
  const taken = await query(
    tx,
    "DELETE FROM message WHERE kind = 'notice' AND notice ->> 'about' = 'announcement' AND notice -> 'values' ->> 'no' = $1 RETURNING member_id",
    [no],
  );
  const lines = [`Announcement ${no} was taken out of ${taken.length} inboxes.`];
  return { subject: `announcement ${no}`, before: { title: row.title }, after: { inboxes: taken.length }, lines };
}

export const announcementCommands: readonly Command[] = [
  {
    name: "announcement list",
    usage: "[--limit N]",
    what: "list the announcements, the newest first",
    options: ["limit"],
    audited: never,
    async run({ db, say }, args) {
      const rows = await query<{ id: number; at: number; title: string; withdrawn: boolean }>(
        db.kysely,
        "SELECT id, at, title, withdrawn_at IS NOT NULL AS withdrawn FROM announcement ORDER BY id DESC LIMIT $1",
        [limitOf(args)],
      );
      if (rows.length === 0) say("Nothing was announced yet.");
      for (const { id, at, title, withdrawn } of rows)
        say(`${id} ${formatDateTime(epochMs(at))} ${title}${withdrawn ? " (withdrawn)" : ""}`);
    },
  },
  {
    name: "announcement publish",
    usage: "--title WORDS --text WORDS",
    what: "put a notice into every inbox, in these words",
    options: ["title", "text"],
    audited: always,
    run: ({ act, at }, args) => act((tx) => publish(tx, args, at)),
  },
  {
    name: "announcement withdraw",
    usage: "NUMBER",
    what: "take an announcement out of every inbox",
    audited: always,
    run: ({ act, at }, args) => act((tx) => withdraw(tx, args, at)),
  },
];
