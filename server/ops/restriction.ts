/** `ops member bar` and `unbar`: puts a restriction on a member, or lifts it. */
import { RESTRICTIONS } from "#contract/eligibility.ts";
import { RESTRICTION_REASONS, RESTRICTION_WORDS } from "#contract/restriction.ts";
import { changeRestriction } from "#server/accounts/restriction.ts";
import type { Tx } from "#server/db/database.ts";
import { always, NotDone } from "./command.ts";
import type { Act, Args, Command } from "./command.ts";
import { memberOf, oneOf } from "./member.ts";

/** The operator's words to the member. @throws NotDone */
function readWords({ options: { words = "" } }: Args): string {
  if (words.length > RESTRICTION_WORDS) throw new NotDone(`--words has at most ${RESTRICTION_WORDS} characters.`);
  return words.trim();
}

async function change(tx: Tx, args: Args, imposed: boolean, at: number): Promise<Act> {
  const restriction = oneOf("restriction", args.options["restriction"] ?? "", RESTRICTIONS);
  const reason = oneOf("reason", args.options["reason"] ?? "", RESTRICTION_REASONS);
  const words = readWords(args);
  const { id, account } = await memberOf(tx, args);
  const { before, after } = await changeRestriction(tx, { memberId: id, restriction, imposed, reason, words, at });
  if (before === after) throw new NotDone(`${account} is ${imposed ? "already" : "not"} ${restriction}.`);
  const now = after.length > 0 ? `is now ${after.join(", ")}` : "has no restriction any more";
  return {
    subject: account,
    before: { restrictions: before },
    after: { restrictions: after, reason, words },
    lines: [`${account} ${now}.`],
  };
}

const OPTIONS = ["account", "restriction", "reason", "words"];
const USAGE = "--account ACCOUNT --restriction KIND --reason REASON [--words '…']";

export const restrictionCommands: readonly Command[] = [
  {
    name: "member bar",
    usage: USAGE,
    what: `restrict a member: ${RESTRICTIONS.join(", ")}; reasons: ${RESTRICTION_REASONS.join(", ")}`,
    options: OPTIONS,
    audited: always,
    run: ({ act, at }, args) => act((tx) => change(tx, args, true, at)),
  },
  {
    name: "member unbar",
    usage: USAGE,
    what: "lift a restriction",
    options: OPTIONS,
    audited: always,
    run: ({ act, at }, args) => act((tx) => change(tx, args, false, at)),
  },
];
