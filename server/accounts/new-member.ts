/** Creates a member with pockets, lock row, welcome message, watchlist and first deposit. */
import { randomInt, randomUUID } from "node:crypto";
import { Account } from "#contract/kernel/id.ts";
import type { Cents } from "#contract/kernel/money.ts";
import type { IdentityStatus } from "#contract/identity.ts";
import type { Strokes } from "#contract/signature.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { hashSecret } from "#server/kernel/secret-hash.ts";
import { openLedger, openPockets } from "#server/ledger/ledger.ts";

export interface NewMember {
  account: string;
  idNumber: string;
  name: string;
  password: string;
  guaranteeCode: string;
  identity: IdentityStatus;
  /** First deposit in cents; 0 for none. */
  depositCents: Cents;
  /** Codes in the first watchlist group. */
  watchlist?: readonly string[];
  at: number;
  /** A demo member, whose credentials are printed at start. */
  demo?: boolean;
  mobile?: string;
  /** `YYYY-MM-DD`. */
  birthDate?: string;
  invitedBy?: number;
  /** Drawn by default. */
  invitationCode?: string;
  representative?: { name: string; idNumber: string; strokes: Strokes } | null;
  /** Account opening time; `at` by default. */
  openedAt?: number;
}

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const CODE_LENGTH = 8;

const drawInvitationCode = (): string => Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** The hashes of a new member's secrets: they take a while, so they are made before the transaction. */
export interface SecretHashes {
  password: string;
  guaranteeCode: string;
}

export async function hashSecrets({ password, guaranteeCode }: Pick<NewMember, "password" | "guaranteeCode">): Promise<SecretHashes> {
  const [passwordHash, guaranteeHash] = await Promise.all([hashSecret(password), hashSecret(guaranteeCode)]);
  return { password: passwordHash, guaranteeCode: guaranteeHash };
}

/** Creates a member in one transaction. @returns the member's id */
export async function createMember(db: Database, member: NewMember): Promise<number> {
  const secrets = await hashSecrets(member);
  return db.transaction((tx) => insertMember(tx, member, secrets));
}

/** Writes a new member in a transaction. @returns the member's id */
export async function insertMember(tx: Tx, member: NewMember, secrets: SecretHashes): Promise<number> {
  const { id } = await tx
    .insertInto("member")
    .values({
      account: Account.parse(member.account),
      id_number: member.idNumber,
      name: member.name,
      password_hash: secrets.password,
      guarantee_hash: secrets.guaranteeCode,
      identity: member.identity,
      demo: member.demo ?? false,
      mobile: member.mobile ?? null,
      birth_date: member.birthDate ?? null,
      invited_by: member.invitedBy ?? null,
      invitation_code: member.invitationCode ?? drawInvitationCode(),
      created_at: member.openedAt ?? member.at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (member.representative) {
    const { name, idNumber, strokes } = member.representative;
    await query(tx, "INSERT INTO representative (member_id, name, id_number, consented_at, strokes) VALUES ($1, $2, $3, $4, $5::jsonb)", [
      id,
      name,
      idNumber,
      member.at,
      JSON.stringify(strokes),
    ]);
  }
  await tx.insertInto("tally").values({ member_id: id }).execute();
  await tx.insertInto("trader").values({ member_id: id }).execute();
  await openPockets(tx, id);
  const ledger = await openLedger(tx, [id]);
  ledger.deposit(id, member.depositCents);
  await ledger.write(tx, member.at);
  await tx.insertInto("message").values({ member_id: id, at: member.at, kind: "welcome", read: false, alert_id: null }).execute();
  const group = randomUUID();
  await tx.insertInto("watch_group").values({ member_id: id, id: group, name: "", place: 1 }).execute();
  const watched = (member.watchlist ?? []).map((code, at) => ({
    member_id: id,
    group_id: group,
    code,
    place: at + 1,
    added_at: member.at,
  }));
  if (watched.length > 0) await tx.insertInto("watchlist").values(watched).execute();
  return id;
}
