/** `ops draw verify`: repeats the draw of an offering from what is published, as anybody can; exit code 1 if anything differs. */
import { verifyDrawSlices } from "#contract/draw.ts";
import type { DrawCheck } from "#contract/draw.ts";
import { query } from "#server/db/database.ts";
import { inSlices, readAllEntries } from "#server/offerings/draw.ts";
import { publishedDraw } from "#server/records/offering.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import { DONE, INCONSISTENT, NotDone, never } from "./command.ts";
import type { Command } from "./command.ts";

const FIND = "SELECT * FROM offering WHERE offering_no = $1 OR code = $1 ORDER BY id DESC LIMIT 1";
/** What members were given, in the order of the list, against what the draw gives them. */
const GIVEN = "SELECT receipt, won_lots FROM subscription WHERE offering_no = $1 AND status <> 'withdrawn' AND won_lots > 0";

const SAID: readonly (readonly [keyof Omit<DrawCheck, "wonLots">, string])[] = [
  ["secret", "the secret is the one committed to before the window opened"],
  ["crowd", "the crowd is the one committed to before the window opened"],
  ["list", "the applications are those published at the close"],
  ["result", "the result is what the list and the secret give"],
];

export const drawCommands: readonly Command[] = [
  {
    name: "draw verify",
    usage: "OFFERING|CODE",
    what: "repeat the draw of an offering from what is published, and compare",
    audited: never,
    async run({ db, say }, { words: [which] }) {
      if (which === undefined) throw new NotDone("Name an offering or the code of its instrument.");
      const [row] = await query<OfferingRecord>(db.kysely, FIND, [which]);
      if (!row) throw new NotDone(`There is no offering ${which}.`);
      const check = await inSlices(verifyDrawSlices(publishedDraw(row), await readAllEntries(db.kysely, row.offering_no)));
      if (!check) throw new NotDone(`The draw of ${row.offering_no} has not been held; the offering is ${row.phase}.`);
      const given = await query<{ receipt: string; won_lots: number }>(db.kysely, GIVEN, [row.offering_no]);
      const winners = [...check.wonLots].filter(([, lots]) => lots > 0);
      const isGiven = given.length === winners.length && given.every(({ receipt, won_lots }) => check.wonLots.get(receipt) === won_lots);
      for (const [part, text] of SAID) say(`${check[part] ? "yes" : "NO "}  ${text}`);
      say(`${isGiven ? "yes" : "NO "}  the members have what they won`);
      say(`offering ${row.offering_no} (${row.code}): ${check.wonLots.size} applications of members, ${winners.length} of them won.`);
      return isGiven && SAID.every(([part]) => check[part]) ? DONE : INCONSISTENT;
    },
  },
];
