/** `ops member create ACCOUNT ID_NUMBER NAME [deposit=AMOUNT]`: creates a verified member and prints their generated secrets once. */
import { randomBytes, randomInt } from "node:crypto";
import { IdNumber } from "#contract/id-number.ts";
import { Account } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Database } from "#server/db/database.ts";
import type { Command } from "./command.ts";
import { createMember } from "#server/accounts/new-member.ts";

const NAME_LENGTH = 40;
const PASSWORD_BYTES = 12;
const CODE_DIGITS = 6;
/** Maximum deposit in whole currency units, far below the largest exact amount of the ledger. */
const DEPOSIT = /^deposit=(\d{1,12})$/;

const USAGE =
  "Give an account, an ID number and a name, and deposit=AMOUNT in whole TWD if wanted: member create KS000001 A123456789 王小明";

interface Person {
  account: Account;
  idNumber: string;
  name: string;
  depositCents: number;
}

/** Parses the arguments: the new member, or an error message. */
function readPerson(words: readonly string[]): Person | string {
  const [accountText, idText, nameText, depositText, ...more] = words;
  const account = Account.safeParse(accountText);
  const idNumber = IdNumber.safeParse(idText);
  const name = nameText?.trim() ?? "";
  const deposit = DEPOSIT.exec(depositText ?? "deposit=0")?.[1];
  if (!account.success || more.length > 0 || deposit === undefined) return USAGE;
  if (!idNumber.success) return `${idText ?? "An empty word"} is not a valid ID number.`;
  if (name === "" || name.length > NAME_LENGTH) return `A name has 1 to ${NAME_LENGTH} characters.`;
  return { account: account.data, idNumber: idNumber.data, name, depositCents: Number(deposit) * 100 };
}

const invitationOf = async ({ kysely }: Database, account: string): Promise<string> =>
  (await kysely.selectFrom("member").select("invitation_code").where("account", "=", account).executeTakeFirstOrThrow()).invitation_code ??
  "";

const isTaken = async ({ kysely }: Database, { account, idNumber }: Person): Promise<boolean> =>
  (await kysely
    .selectFrom("member")
    .select("id")
    .where((one) => one.or([one("account", "=", account), one("id_number", "=", idNumber)]))
    .executeTakeFirst()) !== undefined;

/** Creates a member. Secrets are generated, so that they are not in the shell's history. */
export const memberCommand: Command = async (db, [verb, ...words], say) => {
  const person = verb === "create" ? readPerson(words) : USAGE;
  if (typeof person === "string") {
    say(person);
    return 2;
  }
  if (await isTaken(db, person)) {
    say("There is a member with this account or ID number.");
    return 2;
  }
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  const guaranteeCode = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
  const depositCents = cents(person.depositCents);
  await createMember(db, { ...person, password, guaranteeCode, identity: "verified", depositCents, at: Date.now() });
  say(`${person.account} can sign in with ID number ${person.idNumber}.`);
  say(`password        ${password}`);
  say(`guarantee code  ${guaranteeCode}`);
  say(`invitation code ${await invitationOf(db, person.account)}`);
  say("They are shown this once: only their hashes are kept.");
  return 0;
};
