/** Members that trade and pay in while a cluster's parts fail. */
import type { Asked } from "#contract/endpoints.ts";
import { openDatabase, query } from "#server/db/database.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { cents } from "#contract/kernel/money.ts";
import { createFundedMember } from "./funded-member.ts";

const DEPOSIT_CENTS = cents(1_000_000_000_000);

/** Makes the members; a deposit needs no proof and is credited within seconds, so that many fit into a test. @returns their credentials */
export async function prepareMembers(databaseUrl: string): Promise<Asked<"signIn">[]> {
  const first = await createFundedMember({ dataDir: null, databaseUrl, databaseSchema: null });
  const second = { idNumber: "C100000012", password: "other-member", guaranteeCode: "777777" };
  const db = await openDatabase({ dataDir: null, databaseUrl, poolSize: 1 });
  try {
    const member = { account: "KS900002", name: "林小美", identity: "verified" as const, depositCents: DEPOSIT_CENTS, at: Date.now() };
    await createMember(db, { ...member, ...second });
    await query(db.kysely, "UPDATE deposit_channel SET needs_proof = false, opens_minute = 0, closes_minute = 1440");
    await query(
      db.kysely,
      `UPDATE rule SET body = body || '{"reportSeconds": 1, "bookSeconds": 0, "dailyCents": 100000000000000}' WHERE part = 'funding' AND member_id IS NULL`,
    );
  } finally {
    await db.close();
  }
  return [first, second];
}
