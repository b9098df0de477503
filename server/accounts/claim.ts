/** Claims of ID numbers: unverified members may share one until somebody proves it. */
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";

/** Unverified members who may claim one ID number; sign-in tries as many. */
export const MAX_CLAIMANTS = 8;

/** Until the transaction ends, nobody else claims or proves this number. */
async function lockNumber(tx: Tx, idNumber: string): Promise<void> {
  await query(tx, "SELECT pg_advisory_xact_lock(hashtextextended('id number ' || $1, 0))", [idNumber]);
}

/** Lets a new member claim an ID number. @throws Refusal `ACC_EXISTS` when it is proved, or claimed often enough */
export async function checkClaim(tx: Tx, idNumber: string): Promise<void> {
  await lockNumber(tx, idNumber);
  const [row] = await query<{ claims: number; proved: boolean }>(
    tx,
    "SELECT count(*)::integer AS claims, coalesce(bool_or(identity = 'verified'), false) AS proved FROM member WHERE id_number = $1",
    [idNumber],
  );
  if (!row || row.proved || row.claims >= MAX_CLAIMANTS) throw new Refusal("ACC_EXISTS", {}, "idNumber");
}

/** Takes a number that one member has proved away from all others who claim it: it signs them in no more. */
export async function takeAway(tx: Tx, idNumber: string, provedBy: number): Promise<void> {
  await lockNumber(tx, idNumber);
  await query(tx, "UPDATE member SET id_number = '' WHERE id_number = $1 AND id <> $2 AND identity <> 'verified'", [idNumber, provedBy]);
}
