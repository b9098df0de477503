/** Seeds a new database with settings and, if enabled, two demo members. Idempotent. */
import { cents } from "#contract/kernel/money.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { createMember } from "#server/accounts/new-member.ts";

/** Credentials of both demo members, printed in the start banner. */
export const DEMO_PASSWORD = "kuroshio-demo";
export const DEMO_GUARANTEE_CODE = "888888";
/** Invites newcomers to a server with demo members. */
export const DEMO_INVITATION = "KUROSHIO";
/** Verified, with money and a watchlist. */
export const DEMO_MEMBER = { account: "KS100001", idNumber: "A123456789", name: "林黑潮" };
/** Not verified: its orders are refused. */
export const DEMO_UNVERIFIED = { account: "KS100002", idNumber: "B200000004", name: "陳小海" };
export const DEMO_DEPOSIT_CENTS = cents(1_000_000_000);
/**
 * Age of the demo account: old enough for margin approval, and with margin for the day-trading agreement, which otherwise also requires
 * ten executed orders.
 */
const DEMO_ACCOUNT_DAYS = 120;
const DEMO_WATCHLIST = ["2330", "2317", "2454", "2603", "0050", "2881", "2308", "3008"];

/** `open` settings are public through the configuration endpoint. */
const SETTINGS = [
  { name: "logo", value: "/logo.svg", open: true },
  { name: "title", value: "Kuroshio", open: true },
  { name: "commandsPerSecond", value: "20", open: false },
];

/** Seeds what is missing. @returns whether the demo members were created now */
export async function seed(db: Database, now: number, demo = true): Promise<boolean> {
  await db.kysely
    .insertInto("setting")
    .values(SETTINGS)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  if (!demo) return false;
  const done = await db.kysely.selectFrom("member").select("id").where("account", "=", DEMO_MEMBER.account).executeTakeFirst();
  if (done) return false;
  const shared = { password: DEMO_PASSWORD, guaranteeCode: DEMO_GUARANTEE_CODE, at: now, demo: true };
  // The member named in the banner is created last: its presence means that seeding was completed.
  const second = await db.kysely.selectFrom("member").select("id").where("account", "=", DEMO_UNVERIFIED.account).executeTakeFirst();
  if (!second) await createMember(db, { ...DEMO_UNVERIFIED, ...shared, identity: "unverified", depositCents: cents(0) });
  await createMember(db, {
    ...DEMO_MEMBER,
    ...shared,
    invitationCode: DEMO_INVITATION,
    identity: "verified",
    depositCents: DEMO_DEPOSIT_CENTS,
    watchlist: DEMO_WATCHLIST,
    openedAt: now - DEMO_ACCOUNT_DAYS * DAY_MS,
  });
  return true;
}
