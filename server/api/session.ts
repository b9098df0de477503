/** Handlers of sessions: sign in (without revealing which part was wrong), sign out, restore. */
import { sql } from "kysely";
import { epochMs } from "#contract/kernel/time.ts";
import { MAX_CLAIMANTS } from "#server/accounts/claim.ts";
import type { Database } from "#server/db/database.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { DemoAccess, SessionStore } from "./session-store.ts";
import { enterMember } from "#server/api/session/entrance.ts";
import { openSecretsTrial } from "#server/api/session/secrets-trial.ts";
import type { KnownDevice } from "#server/api/session/secrets-trial.ts";
import { openSignInThrottle } from "#server/api/session/sign-in-throttle.ts";
import type { SignInThrottle } from "#server/api/session/sign-in-throttle.ts";
import { openDevices } from "#server/api/session/known-device.ts";
import type { Devices } from "#server/api/session/known-device.ts";

type SessionHandlers = Pick<Handlers, "signIn" | "signOut" | "restoreSession">;

export interface SessionHandlerDeps {
  db: Database;
  sessions: SessionStore;
  security?: NoteSecurity;
  throttle?: SignInThrottle;
  demo?: DemoAccess;
}

const columns = ["id", "account", "restrictions", "demo", "password_hash", "guarantee_hash"] as const;

/**
 * The members who claim an ID number: the verified one first, then the oldest, so that no later registration hides one. Every one that is
 * tried costs a hash, so only as many as may register are.
 */
const readClaimants = ({ kysely }: Database, idNumber: string) =>
  kysely
    .selectFrom("member")
    .select(columns)
    .where("id_number", "=", idNumber)
    .orderBy(sql`identity = 'verified'`, "desc")
    .orderBy("id")
    .limit(MAX_CLAIMANTS)
    .execute();
type Claimant = Awaited<ReturnType<typeof readClaimants>>[number];

async function findDevice(devices: Devices, value: string | null, claimants: readonly Claimant[]): Promise<KnownDevice<Claimant> | null> {
  for (const owner of claimants) {
    const name = await devices.known(value, owner);
    if (name !== null) return { name, owner };
  }
  return null;
}

const isLimit = (error: unknown): boolean => error instanceof Refusal && error.code === "GEN_TOO_FREQUENT";

function hideLimit(error: unknown): null {
  if (isLimit(error)) return null;
  throw error;
}

export function sessionHandlers(deps: SessionHandlerDeps): SessionHandlers {
  const { db, sessions, security = () => undefined, throttle = openSignInThrottle(), demo = "private" } = deps;
  const devices = openDevices(db);
  const trial = openSecretsTrial(throttle);

  const signIn: Handlers["signIn"] = async ({ address, agent, device }, body) => {
    const claimants = await readClaimants(db, body.idNumber);
    const known = await findDevice(devices, device?.read() ?? null, claimants);
    const typed = { body, addressKey: addressKey(address) };
    const slowed = (reason: string) => (error: unknown) => {
      if (isLimit(error)) security("signInSlowed", { memberId: (known?.owner ?? claimants[0])?.id, address, reason });
      throw error;
    };
    const own = known && (await trial.atKnown(known, typed).catch(slowed("device")));
    const others = claimants.filter(({ id }) => id !== known?.owner.id);
    const tried = own !== null || (known !== null && others.length === 0) ? Promise.resolve(own) : trial.atOthers(others, typed);
    // The limit of others must not show on a known device: its owner may try again.
    const member = await tried.catch(known ? hideLimit : slowed("stranger"));
    if (!member) {
      security("signInRefused", { memberId: (known?.owner ?? claimants[0])?.id, address, reason: "ACC_BAD_CREDENTIALS" });
      throw new Refusal("ACC_BAD_CREDENTIALS");
    }
    return enterMember(member, { address, agent, device, isKnown: own !== null }, { sessions, devices, security, demo });
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
