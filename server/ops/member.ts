/** `ops member`: lists and shows members, masked unless asked for, and creates one with generated secrets. */
import { randomBytes, randomInt } from "node:crypto";
import { RESTRICTIONS } from "#contract/eligibility.ts";
import type { Restriction } from "#contract/eligibility.ts";
import { IDENTITY_STATUSES } from "#contract/identity.ts";
import type { IdentityStatus } from "#contract/identity.ts";
import { IdNumber } from "#contract/id-number.ts";
import { Account } from "#contract/kernel/id.ts";
import { cents, formatMoney } from "#contract/kernel/money.ts";
import { epochMs, formatDateTime } from "#contract/kernel/time.ts";
import { hashSecrets, insertMember } from "#server/accounts/new-member.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { limitOf } from "./audit.ts";
import { always, ifUnmasked, NotDone } from "./command.ts";
import type { Args, Command } from "./command.ts";
import { birthShown, idNumberShown, mobileShown, nameShown, numberShown } from "./personal-data.ts";

interface MemberRow {
  id: number;
  account: string;
  name: string;
  id_number: string;
  mobile: string | null;
  birth_date: string | null;
  identity: IdentityStatus;
  restrictions: Restriction[];
  credit_score: number;
  created_at: number;
}

const COLUMNS = "id, account, name, id_number, mobile, birth_date, identity, restrictions, credit_score, created_at";

/** A member by account. @throws NotDone */
export async function memberOf(on: Reader, { options, words }: Args): Promise<MemberRow> {
  const account = options["account"] ?? words[0];
  if (account === undefined) throw new NotDone("Give the member's account: --account KS000001.");
  const [row] = await query<MemberRow>(on, `SELECT ${COLUMNS} FROM member WHERE account = $1`, [account]);
  if (!row) throw new NotDone(`There is no member ${account}.`);
  return row;
}

/** One of a list of words. @throws NotDone */
export function oneOf<Word extends string>(option: string, word: string, words: readonly Word[]): Word {
  const found = words.find((one) => one === word);
  if (found === undefined) throw new NotDone(`--${option} is one of ${words.join(", ")}.`);
  return found;
}

const LIST = `
SELECT ${COLUMNS} FROM member
WHERE ($1::text IS NULL OR $1 = ANY (restrictions)) AND ($2::text IS NULL OR identity = $2) AND ($3::text IS NULL OR account > $3)
ORDER BY account LIMIT $4`;

function describeInList(row: MemberRow, unmasked: boolean): string {
  const restricted = row.restrictions.length > 0 ? ` [${row.restrictions.join(", ")}]` : "";
  return `${row.account} ${nameShown(row.name, unmasked)} ${idNumberShown(row.id_number, unmasked)} ${row.identity}${restricted}`;
}

const CARDS = "SELECT bank_code, number FROM bank_card WHERE member_id = $1 AND removed_at IS NULL ORDER BY id";
const SESSIONS = "SELECT count(*)::integer AS count FROM session WHERE member_id = $1 AND revoked_at IS NULL AND expires_at > $2";

async function describe(on: Reader, row: MemberRow, unmasked: boolean, at: number): Promise<string[]> {
  const cards = await query<{ bank_code: string; number: string }>(on, CARDS, [row.id]);
  const [sessions] = await query<{ count: number }>(on, SESSIONS, [row.id, at]);
  const { available } = await readBalances(on, row.id);
  return [
    `account       ${row.account}`,
    `name          ${nameShown(row.name, unmasked)}`,
    `ID number     ${idNumberShown(row.id_number, unmasked)}`,
    `mobile        ${mobileShown(row.mobile, unmasked)}`,
    `birth date    ${birthShown(row.birth_date, unmasked)}`,
    `identity      ${row.identity}`,
    `restrictions  ${row.restrictions.join(", ") || "none"}`,
    `bank cards    ${cards.map((card) => `${card.bank_code} ${numberShown(card.number, unmasked)}`).join(", ") || "none"}`,
    `credit score  ${row.credit_score}`,
    `available     TWD ${formatMoney(available)}`,
    `sessions      ${sessions?.count ?? 0}`,
    `member since  ${formatDateTime(epochMs(row.created_at))}`,
  ];
}

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

/** Parses the new member. @throws NotDone */
function readPerson([accountText, idText, nameText, depositText, ...more]: readonly string[]): Person {
  const account = Account.safeParse(accountText);
  const idNumber = IdNumber.safeParse(idText);
  const name = nameText?.trim() ?? "";
  const deposit = DEPOSIT.exec(depositText ?? "deposit=0")?.[1];
  if (!account.success || more.length > 0 || deposit === undefined) throw new NotDone(USAGE);
  if (!idNumber.success) throw new NotDone(`${idText ?? "An empty word"} is not a valid ID number.`);
  if (name === "" || name.length > NAME_LENGTH) throw new NotDone(`A name has 1 to ${NAME_LENGTH} characters.`);
  return { account: account.data, idNumber: idNumber.data, name, depositCents: Number(deposit) * 100 };
}

const TAKEN = "SELECT FROM member WHERE account = $1 OR id_number = $2";
const INVITATION = "SELECT invitation_code AS code FROM member WHERE id = $1";

/** Creates a member. Secrets are generated, so that they are not in the shell's history. */
const create: Command = {
  name: "member create",
  usage: "ACCOUNT ID_NUMBER NAME [deposit=AMOUNT]",
  what: "create a verified member; prints the generated password and guarantee code once",
  audited: always,
  async run({ act, at }, { words }) {
    const person = readPerson(words);
    const password = randomBytes(PASSWORD_BYTES).toString("base64url");
    const guaranteeCode = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
    const secrets = await hashSecrets({ password, guaranteeCode });
    const { account, idNumber } = person;
    const depositCents = cents(person.depositCents);
    await act(async (tx) => {
      if ((await query(tx, TAKEN, [account, idNumber])).length > 0) throw new NotDone("There is a member with this account or ID number.");
      const member = { ...person, password, guaranteeCode, identity: "verified", depositCents, at } as const;
      const id = await insertMember(tx, member, secrets);
      const [invitation] = await query<{ code: string | null }>(tx, INVITATION, [id]);
      const lines = [
        `${account} can sign in with ID number ${idNumber}.`,
        `password        ${password}`,
        `guarantee code  ${guaranteeCode}`,
        `invitation code ${invitation?.code ?? ""}`,
        "They are shown this once: only their hashes are kept.",
      ];
      return { subject: account, before: null, after: { identity: "verified", depositCents }, lines };
    });
  },
};

export const memberCommands: readonly Command[] = [
  {
    name: "member list",
    usage: "[--restriction KIND] [--identity STATUS] [--after ACCOUNT] [--limit N] [--unmasked]",
    what: "list members by account",
    options: ["restriction", "identity", "after", "limit"],
    audited: ifUnmasked,
    async run({ db, say, act }, args) {
      const { restriction, identity, after } = args.options;
      if (restriction !== undefined) oneOf("restriction", restriction, RESTRICTIONS);
      if (identity !== undefined) oneOf("identity", identity, IDENTITY_STATUSES);
      const values = [restriction ?? null, identity ?? null, after ?? null, limitOf(args)];
      const read = async (on: Reader): Promise<string[]> => {
        const rows = await query<MemberRow>(on, LIST, values);
        return rows.length === 0 ? ["There are no such members."] : rows.map((row) => describeInList(row, args.unmasked));
      };
      if (args.unmasked) {
        const shown = { restriction: restriction ?? null, identity: identity ?? null, after: after ?? null };
        await act(async (tx) => {
          const lines = await read(tx);
          return { subject: "members", before: null, after: { ...shown, lines: lines.length }, lines };
        });
      } else for (const line of await read(db.kysely)) say(line);
    },
  },
  {
    name: "member show",
    usage: "--account ACCOUNT [--unmasked]",
    what: "show a member",
    options: ["account"],
    audited: ifUnmasked,
    async run({ db, say, act, at }, args) {
      if (args.unmasked) {
        await act(async (tx) => {
          const row = await memberOf(tx, args);
          const lines = await describe(tx, row, true, at);
          return { subject: row.account, before: null, after: { shown: "unmasked" }, lines };
        });
        return;
      }
      for (const line of await describe(db.kysely, await memberOf(db.kysely, args), false, at)) say(line);
    },
  },
  create,
];
