/** The session desk: signing in, without ever saying what was wrong; signing out; coming back. */
import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import type { Body } from "#contract/endpoints.ts";
import type { Account } from "#contract/kernel/id.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import type { MemberState } from "#server/db/schema.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { DemoAccess, SessionStore } from "./session-store.ts";
import { openBrake } from "#server/api/session/sign-in-brake.ts";
import type { Brake, Try } from "#server/api/session/sign-in-brake.ts";
import { openDevices } from "#server/api/session/known-device.ts";

type SessionHandlers = Pick<Handlers, "signIn" | "signOut" | "restoreSession">;

/** Secrets checked at once, each in 19 MiB and on a thread that compression and files need, too; and how many sign-ins wait for it. */
const HASHES_AT_ONCE = 2;
const HASHES_WAITING = 64;
/** Sign-ins of one address that take part in that queue at once: whoever knows one account's secrets could fill it with them otherwise. */
const HASHES_PER_ADDRESS = 4;
/** A device that is known finds room when strangers have filled the queue. */
const WAITING_KNOWN = 32;

const STATE_REFUSAL: Record<Exclude<MemberState, "active">, RefusalCode> = {
  loginBanned: "ACC_LOGIN_BANNED",
  banned: "ACC_BANNED",
  frozen: "ACC_FROZEN",
  disabled: "ACC_DISABLED",
};

export interface SessionDeskDeps {
  db: Database;
  sessions: SessionStore;
  security?: NoteSecurity;
  brake?: Brake;
  demo?: DemoAccess;
}

const columns = ["id", "account", "state", "demo", "password_hash", "guarantee_hash"] as const;

/** The desk's handlers. */
export function sessionHandlers(deps: SessionDeskDeps): SessionHandlers {
  const { db, sessions, security = () => undefined, brake = openBrake(), demo = "private" } = deps;
  const devices = openDevices(db);
  const hashing = new Gate({ atOnce: HASHES_AT_ONCE, waiting: HASHES_WAITING, refusal: "GEN_SYSTEM_BUSY" });
  const byAddress = new Gate({ atOnce: HASHES_PER_ADDRESS, waiting: HASHES_WAITING, refusal: "GEN_SYSTEM_BUSY" });
  /** What an unknown ID number is checked against, so that it takes as long as a known one. */
  const nobody = hash(randomBytes(16));

  const readMember = (idNumber: string) =>
    db.kysely.selectFrom("member").select(columns).where("id_number", "=", idNumber).executeTakeFirst();

  /** Both secrets are always checked, one after the other: how long it takes says nothing. */
  const areRight = async (member: Awaited<ReturnType<typeof readMember>>, { password, guaranteeCode }: Body<"signIn">, one: Try) => {
    const unknown = await nobody;
    const check = async (): Promise<boolean> => {
      const passwordRight = await verify(member?.password_hash ?? unknown, password);
      const guaranteeRight = await verify(member?.guarantee_hash ?? unknown, guaranteeCode);
      return passwordRight && guaranteeRight;
    };
    return byAddress.run(one.addressKey, () => hashing.run("all", check, one.device === null ? 0 : WAITING_KNOWN));
  };

  const signIn: Handlers["signIn"] = async ({ address, device }, body) => {
    const { idNumber } = body;
    const value = device?.read() ?? null;
    const claimed = value === null ? undefined : await readMember(idNumber);
    const known = claimed ? await devices.known(value, claimed) : null;
    const one = { idNumber, addressKey: addressKey(address), device: known };
    await brake.press(one).catch((error: unknown) => {
      security("signInSlowed", { memberId: claimed?.id, address, reason: known === null ? "stranger" : "device" });
      throw error;
    });
    const member = claimed ?? (await readMember(idNumber));
    const told = { memberId: member?.id, address };
    const refuse = (code: RefusalCode): Refusal => {
      security("signInRefused", { ...told, reason: code });
      return new Refusal(code);
    };
    const right = await areRight(member, body, one);
    if (!member || !right) throw refuse("ACC_BAD_CREDENTIALS");
    await brake.release(one);
    if (member.state !== "active") throw refuse(STATE_REFUSAL[member.state]);
    if (member.demo && demo === "off") throw refuse("ACC_DISABLED");
    const session = await sessions.open(member.id, address);
    if (known === null) device?.write(await devices.issue(member));
    security("signIn", told);
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
