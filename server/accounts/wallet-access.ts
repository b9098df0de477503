/** Checks that a member may move money between currencies and wallets. */
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { IdentityStatus } from "#contract/member.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";

const REFUSALS: Record<Exclude<IdentityStatus, "verified">, RefusalCode> = {
  unverified: "ACC_REALNAME_REQUIRED",
  underReview: "ACC_REALNAME_PENDING",
  rejected: "ACC_REALNAME_REJECTED",
};

/** @throws Refusal ACC_REALNAME_… unless the identity is verified */
export function checkWalletAccess(identity: IdentityStatus): void {
  if (identity !== "verified") throw new Refusal(REFUSALS[identity]);
}

/** Reads the member's identity and checks it. */
export async function readWalletAccess(on: Reader, memberId: number): Promise<void> {
  const [row] = await query<{ identity: IdentityStatus }>(on, "SELECT identity FROM member WHERE id = $1", [memberId]);
  checkWalletAccess(row?.identity ?? "unverified");
}
