/** Handlers of sessions: sign in (without revealing which part was wrong), sign out, restore. */
import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { sql } from "kysely";
import type { Body } from "#contract/endpoints.ts";
import { missingFor } from "#contract/eligibility.ts";
import type { Account } from "#contract/kernel/id.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { DemoAccess, SessionStore } from "./session-store.ts";
import { openSignInThrottle } from "#server/api/session/sign-in-throttle.ts";
import type { SignInThrottle, Try } from "#server/api/session/sign-in-throttle.ts";
import { openDevices } from "#server/api/session/known-device.ts";
import type { Devices } from "#server/api/session/known-device.ts";

type SessionHandlers = Pick<Handlers, "signIn" | "signOut" | "restoreSession">;

/** Password checks in parallel (each takes 19 MiB and a libuv thread shared with compression and files), and sign-ins that may queue. */
const HASHES_AT_ONCE = 2;
const HASHES_WAITING = 64;
/** Queued sign-ins per address: otherwise a client with one account's correct secrets could fill the queue. */
const HASHES_PER_ADDRESS = 4;
/** Extra queue places for known devices when unknown ones have filled the queue. */
const HASHES_WAITING_KNOWN = 32;

export interface SessionHandlerDeps {
  db: Database;
  sessions: SessionStore;
  security?: NoteSecurity;
  throttle?: SignInThrottle;
  demo?: DemoAccess;
}

/** Unverified members may share an ID number; sign-in tries this many of them. */
const MAX_CLAIMANTS = 8;

const columns = ["id", "account", "restrictions", "demo", "password_hash", "guarantee_hash"] as const;

/** The members who claim an ID number: the verified one first, then the newest. Every one that is tried costs a hash, so only a few are. */
const readClaimants = ({ kysely }: Database, idNumber: string) =>
  kysely
    .selectFrom("member")
    .select(columns)
    .where("id_number", "=", idNumber)
    .orderBy(sql`identity = 'verified'`, "desc")
    .orderBy("id", "desc")
    .limit(MAX_CLAIMANTS)
    .execute();
type Claimant = Awaited<ReturnType<typeof readClaimants>>[number];

/** The device id of a cookie that was issued to one of the claimants. */
async function findDevice(devices: Devices, value: string | null, claimants: readonly Claimant[]): Promise<string | null> {
  for (const claimant of claimants) {
    const known = await devices.known(value, claimant);
    if (known !== null) return known;
  }
  return null;
}

export function sessionHandlers(deps: SessionHandlerDeps): SessionHandlers {
  const { db, sessions, security = () => undefined, throttle = openSignInThrottle(), demo = "private" } = deps;
  const devices = openDevices(db);
  const hashing = new Gate({ atOnce: HASHES_AT_ONCE, waiting: HASHES_WAITING, refusal: "GEN_SYSTEM_BUSY" });
  const byAddress = new Gate({ atOnce: HASHES_PER_ADDRESS, waiting: HASHES_WAITING, refusal: "GEN_SYSTEM_BUSY" });
  /** Hash to verify against for an unknown ID number, so that it takes as long as for a known one. */
  const dummyHash = hash(randomBytes(16));

  /**
   * The claimant with both secrets, or null. Always verifies both of each in sequence, and at least one pair, so that the duration does not
   * tell a known ID number from an unknown one.
   */
  const findBySecrets = async (claimants: readonly Claimant[], { password, guaranteeCode }: Body<"signIn">, attempt: Try) => {
    const unknown = await dummyHash;
    const check = async (): Promise<Claimant | null> => {
      let found: Claimant | null = null;
      for (const claimant of claimants.length > 0 ? claimants : [null]) {
        const passwordRight = await verify(claimant?.password_hash ?? unknown, password);
        const guaranteeRight = await verify(claimant?.guarantee_hash ?? unknown, guaranteeCode);
        if (passwordRight && guaranteeRight) found ??= claimant;
      }
      return found;
    };
    return byAddress.run(attempt.addressKey, () => hashing.run("all", check, attempt.device === null ? 0 : HASHES_WAITING_KNOWN));
  };

  const signIn: Handlers["signIn"] = async ({ address, device }, body) => {
    const { idNumber } = body;
    const value = device?.read() ?? null;
    const claimed = value === null ? null : await readClaimants(db, idNumber);
    const known = await findDevice(devices, value, claimed ?? []);
    const attempt = { idNumber, addressKey: addressKey(address), device: known };
    await throttle.count(attempt).catch((error: unknown) => {
      security("signInSlowed", { memberId: claimed?.[0]?.id, address, reason: known === null ? "stranger" : "device" });
      throw error;
    });
    const claimants = claimed ?? (await readClaimants(db, idNumber));
    const event = { memberId: claimants[0]?.id, address };
    const refuse = (code: RefusalCode): Refusal => {
      security("signInRefused", { ...event, reason: code });
      return new Refusal(code);
    };
    const member = await findBySecrets(claimants, body, attempt);
    if (!member) throw refuse("ACC_BAD_CREDENTIALS");
    await throttle.release(attempt);
    const [barred] = missingFor("browse", member);
    if (barred) throw refuse(barred.code);
    if (member.demo && demo === "off") throw refuse("ACC_DISABLED");
    const session = await sessions.open(member.id, address);
    if (known === null) device?.write(await devices.issue(member));
    security("signIn", { ...event, memberId: member.id });
    return { token: session.token, account: member.account as Account, expiresAt: epochMs(session.expiresAt) };
  };

  return {
    signIn,
    async signOut({ caller, address }) {
      await sessions.revoke(caller.sessionHash);
      security("signOut", { memberId: caller.memberId, address });
      return null;
    },
    restoreSession: async ({ caller }) => ({ account: caller.account, expiresAt: epochMs(await sessions.expiresAt(caller)) }),
  };
}
