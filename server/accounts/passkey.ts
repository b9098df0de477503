/** Passkeys: verifies what an authenticator made or signed, and keeps a member's passkeys. */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { CreatedPasskey, Passkey, UsedPasskey } from "#contract/passkey.ts";
import { PASSKEYS_KEPT } from "#contract/passkey.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Database, Reader } from "#server/db/database.ts";
import type { PasskeyTable } from "#server/db/member-schema.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { noteChange } from "./security-notice.ts";

/** Ed25519, P-256 and RSA. */
export const ALGORITHMS = [-8, -7, -257];
const UNIQUE_VIOLATION = "23505";

/** Large, and needed only where passkeys are used. */
const library = () => import("@simplewebauthn/server");
const helpers = () => import("@simplewebauthn/server/helpers");

/** The host whose pages share their passkeys. */
export const hostOf = (origin: string): string => new URL(origin).hostname;

/** How authenticators know an account; nothing about it can be read from this. */
export const userHandleOf = (account: string): string => createHash("sha256").update(`passkey ${account}`).digest("base64url");

/** The challenge that an answer claims to answer; null when it claims none, or comes from a page inside another one. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    if (typeof data !== "object" || data === null || ("crossOrigin" in data && data.crossOrigin !== false)) return null;
    return "challenge" in data && typeof data.challenge === "string" ? data.challenge : null;
  } catch {
    return null;
  }
}

/** What is kept of a new passkey. */
export type NewPasskey = Pick<PasskeyTable, "credential_id" | "rp_id" | "public_key" | "counter" | "transports" | "synced">;

/**
 * Only attestations without certificates are read: we asked for none, and checking certificates would call addresses named in them.
 */
async function isPlain(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers();
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")));
  return decoded.get("fmt") === "none" || (decoded.get("fmt") === "packed" && !decoded.get("attStmt").get("x5c"));
}

/** The passkey made for a challenge; null when anything about it is wrong. */
export async function verifyCreated(
  { id, rawId, type, response }: CreatedPasskey,
  challenge: string,
  origin: string,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await library();
  try {
    if (!(await isPlain(response.attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified || registrationInfo.credential.id !== id) return null;
    return {
      credential_id: id,
      rp_id: hostOf(origin),
      public_key: registrationInfo.credential.publicKey,
      counter: registrationInfo.credential.counter,
      transports: [...new Set(response.transports)],
      synced: registrationInfo.credentialBackedUp,
    };
  } catch {
    // The library throws for whatever does not fit; which of its checks failed is nobody's business.
    return null;
  }
}

type Kept = Pick<PasskeyTable, "rp_id" | "public_key" | "counter">;

/** The authenticator's new count after it signed a challenge; null when anything about it is wrong, such as a count that went back. */
export async function verifyUsed(
  { id, rawId, type, response }: UsedPasskey,
  kept: Kept,
  challenge: string,
  origin: string,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  if (kept.rp_id !== hostOf(origin)) return null;
  const { clientDataJSON, authenticatorData, signature } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, authenticatorData, signature } },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: kept.rp_id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(kept.public_key), counter: kept.counter },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

const columns = ["id", "name", "added_at", "last_used_at", "synced"] as const;

const toPasskey = (row: Pick<PasskeyTable, "name" | "added_at" | "last_used_at" | "synced"> & { id: number }): Passkey => ({
  id: row.id,
  name: row.name,
  addedAt: epochMs(row.added_at),
  lastUsedAt: row.last_used_at === null ? null : epochMs(row.last_used_at),
  synced: row.synced,
});

/** A member's passkeys, the newest first. */
export async function listPasskeys({ kysely }: Pick<Database, "kysely">, memberId: number): Promise<Passkey[]> {
  const rows = await kysely.selectFrom("passkey").select(columns).where("member_id", "=", memberId).orderBy("id", "desc").execute();
  return rows.map(toPasskey);
}

/** @throws Refusal `GEN_LIST_FULL` when the member has as many passkeys as one may have */
export async function checkRoom(on: Reader, memberId: number): Promise<void> {
  const { count } = await on
    .selectFrom("passkey")
    .select(sql<number>`count(*)::integer`.as("count"))
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  if (count >= PASSKEYS_KEPT) throw new Refusal("GEN_LIST_FULL", { n: PASSKEYS_KEPT });
}

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;

/** Keeps a new passkey. @throws Refusal `GEN_LIST_FULL`, `PASSKEY_EXISTS` */
export async function storePasskey(
  db: Database,
  memberId: number,
  passkey: NewPasskey,
  { name, at }: { name: string; at: number },
): Promise<Passkey> {
  const stored = db.transaction(async (tx) => {
    // Two at once must not both see the last free place.
    await tx.selectFrom("member").select("id").where("id", "=", memberId).forNoKeyUpdate().execute();
    await checkRoom(tx, memberId);
    const row = { ...passkey, member_id: memberId, name, added_at: at };
    const added = await tx.insertInto("passkey").values(row).returning(columns).executeTakeFirstOrThrow();
    await noteChange(tx, memberId, at, "passkeyAdded", { name });
    return added;
  });
  return toPasskey(
    await stored.catch((error: unknown) => {
      throw isTaken(error) ? new Refusal("PASSKEY_EXISTS") : error;
    }),
  );
}

/** @throws Refusal `GEN_NOT_FOUND` */
export async function renamePasskey({ kysely }: Database, memberId: number, id: number, name: string): Promise<Passkey> {
  const own = kysely.updateTable("passkey").set({ name }).where("id", "=", id).where("member_id", "=", memberId);
  const row = await own.returning(columns).executeTakeFirst();
  if (!row) throw new Refusal("GEN_NOT_FOUND");
  return toPasskey(row);
}

/** @throws Refusal `GEN_NOT_FOUND` */
export async function removePasskey(db: Database, memberId: number, id: number, at: number): Promise<void> {
  await db.transaction(async (tx) => {
    const own = tx.deleteFrom("passkey").where("id", "=", id).where("member_id", "=", memberId);
    const removed = await own.returning("name").executeTakeFirst();
    if (!removed) throw new Refusal("GEN_NOT_FOUND");
    await noteChange(tx, memberId, at, "passkeyRemoved", { name: removed.name });
  });
}

/** A passkey with its member, or undefined. */
export const findPasskey = ({ kysely }: Database, credentialId: string) =>
  kysely
    .selectFrom("passkey")
    .innerJoin("member", "member.id", "passkey.member_id")
    .select(["passkey.id as passkey_id", "rp_id", "public_key", "counter"])
    .select(["member.id", "account", "restrictions", "demo", "password_hash"])
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();

/** Notes a use. @returns false when the passkey is gone, or another use has counted as far meanwhile */
export async function noteUse({ kysely }: Database, id: number, counter: number, at: number): Promise<boolean> {
  const used = await kysely
    .updateTable("passkey")
    .set({ counter, last_used_at: at })
    .where("id", "=", id)
    .where((row) => row.or([row("counter", "<", counter), row.and([row("counter", "=", 0), row(sql`${counter}::bigint`, "=", 0)])]))
    .returning("id")
    .executeTakeFirst();
  return used !== undefined;
}
