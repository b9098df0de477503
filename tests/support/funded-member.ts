/** A member with enough money for a whole test, created before the first server starts. */
import { cents } from "#contract/kernel/money.ts";
import type { Asked } from "#contract/endpoints.ts";
import { openDatabase } from "#server/db/database.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { fillDataDir } from "./template.ts";

const DEPOSIT_CENTS = cents(1_000_000_000_000);

/** Creates the member in a database that no server has open. @returns the credentials */
export async function createFundedMember(at: {
  dataDir: string | null;
  databaseUrl: string | null;
  databaseSchema: string | null;
}): Promise<Asked<"signIn">> {
  const credentials = { idNumber: "C100000003", password: "rich-member", guaranteeCode: "888888" };
  if (at.dataDir !== null && at.databaseUrl === null) await fillDataDir(at.dataDir);
  const db = await openDatabase({
    dataDir: at.dataDir,
    databaseUrl: at.databaseUrl ?? undefined,
    schema: at.databaseSchema ?? undefined,
  });
  try {
    const member = { account: "KS900001", name: "金滿堂", identity: "verified" as const, depositCents: DEPOSIT_CENTS, at: Date.now() };
    await createMember(db, { ...member, ...credentials });
  } finally {
    await db.close();
  }
  return credentials;
}
