/** Handlers of passkeys: a member's own, and signing in with one. */
import {
  checkRoom,
  findPasskey,
  hostOf,
  listPasskeys,
  noteUse,
  removePasskey,
  renamePasskey,
  storePasskey,
} from "#server/accounts/passkey.ts";
import { ALGORITHMS, challengeIn, userHandleOf, verifyCreated, verifyUsed } from "#server/accounts/passkey.ts";
import { CHALLENGE_MS, openChallenges } from "#server/accounts/passkey-challenge.ts";
import { countOrRefuse, limitInProcess } from "#server/kernel/limiter.ts";
import type { OpenLimiter } from "#server/kernel/limiter.ts";
import type { Database } from "#server/db/database.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { AddressRate } from "#server/kernel/address-limit.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { Handlers } from "./handler.ts";
import type { PasswordCheck } from "./session/password-check.ts";
import type { DemoAccess, SessionStore } from "./session-store.ts";
import { enterMember } from "./session/entrance.ts";
import { openDevices } from "./session/known-device.ts";

export interface PasskeyHandlerDeps {
  db: Database;
  sessions: SessionStore;
  passwords: PasswordCheck;
  openLimiter?: OpenLimiter | undefined;
  security?: NoteSecurity;
  demo?: DemoAccess;
  /** Epoch milliseconds. */
  now: () => number;
}

type Names =
  | "listPasskeys"
  | "startPasskey"
  | "addPasskey"
  | "renamePasskey"
  | "removePasskey"
  | "startPasskeySignIn"
  | "signInWithPasskey";

/** Challenges and answers of one address in five minutes; an office may share one. */
const PER_ADDRESS = { points: 60, seconds: 300 };
/** New passkeys that one member may try to add in fifteen minutes. */
const ADDED = { points: 20, seconds: 900 };

/** @throws Refusal `PASSKEY_UNAVAILABLE` for a call that no page of ours made, or whose page has an address instead of a name */
function originOf({ origin }: { origin?: string | null | undefined }): string {
  const isUsable = typeof origin === "string" && /^https?:/.test(origin) && !/^[\d.]+$|:/.test(hostOf(origin));
  if (!isUsable) throw new Refusal("PASSKEY_UNAVAILABLE");
  return origin;
}

function ownPasskeys(
  { db, passwords, openLimiter = limitInProcess, security = () => undefined, now }: PasskeyHandlerDeps,
  challenges: ReturnType<typeof openChallenges>,
) {
  const added = openLimiter("passkeys", ADDED);
  return {
    listPasskeys: ({ caller }) => listPasskeys(db, caller.memberId),
    async startPasskey(call, { current }) {
      const { memberId, account, sessionHash, shared } = call.caller;
      if (shared) throw new Refusal("ACC_SHARED");
      const origin = originOf(call);
      await checkRoom(db.kysely, memberId);
      await passwords.check(memberId, current);
      const had = await db.kysely.selectFrom("passkey").select("credential_id").where("member_id", "=", memberId).execute();
      return {
        challenge: challenges.give({ purpose: "add", origin, sessionHash }),
        rp: { id: hostOf(origin), name: "Kuroshio" },
        user: { id: userHandleOf(account), name: account, displayName: account },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key" as const, alg })),
        timeout: CHALLENGE_MS,
        attestation: "none",
        excludeCredentials: had.map(({ credential_id: id }) => ({ id, type: "public-key" as const })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      };
    },
    async addPasskey({ caller: { memberId, sessionHash, shared }, address, origin = null }, { name, passkey }) {
      if (shared) throw new Refusal("ACC_SHARED");
      await countOrRefuse(added, memberId);
      const challenge = challengeIn(passkey.response.clientDataJSON);
      const isLive = challenge !== null && origin !== null && challenges.take(challenge, { purpose: "add", origin, sessionHash });
      const made = isLive ? await verifyCreated(passkey, challenge, origin) : null;
      if (made === null) throw new Refusal("PASSKEY_INVALID");
      const stored = await storePasskey(db, memberId, made, { name, at: now() });
      security("passkeyAdded", { memberId, address });
      return stored;
    },
    async renamePasskey({ caller: { memberId, shared } }, { id, name }) {
      if (shared) throw new Refusal("ACC_SHARED");
      return renamePasskey(db, memberId, id, name);
    },
    async removePasskey({ caller: { memberId, shared }, address }, { id }) {
      if (shared) throw new Refusal("ACC_SHARED");
      await removePasskey(db, memberId, id, now());
      security("passkeyRemoved", { memberId, address });
      return null;
    },
  } satisfies Pick<Handlers, Exclude<Names, "startPasskeySignIn" | "signInWithPasskey">>;
}

export function passkeyHandlers(deps: PasskeyHandlerDeps): Pick<Handlers, Names> {
  const { db, sessions, security = () => undefined, demo = "private", now } = deps;
  const challenges = openChallenges(now);
  const devices = openDevices(db);
  const rate = new AddressRate(PER_ADDRESS);

  /** The passkey and its member, if the answer is right in every respect. */
  const verify = async (passkey: Parameters<typeof verifyUsed>[0], origin: string) => {
    const challenge = challengeIn(passkey.response.clientDataJSON);
    if (challenge === null || !challenges.take(challenge, { purpose: "signIn", origin, sessionHash: null })) return null;
    const found = await findPasskey(db, passkey.id);
    if (!found) return null;
    const { userHandle } = passkey.response;
    if (userHandle !== undefined && userHandle !== userHandleOf(found.account)) return null;
    const counter = await verifyUsed(passkey, found, challenge, origin);
    return counter !== null && (await noteUse(db, found.passkey_id, counter, now())) ? found : null;
  };

  return {
    ...ownPasskeys(deps, challenges),
    async startPasskeySignIn(call) {
      const origin = originOf(call);
      await countOrRefuse(rate, addressKey(call.address));
      const challenge = challenges.give({ purpose: "signIn", origin, sessionHash: null });
      return { challenge, rpId: hostOf(origin), timeout: CHALLENGE_MS, userVerification: "required" };
    },
    async signInWithPasskey({ address, agent, device, origin = null }, { passkey }) {
      await countOrRefuse(rate, addressKey(address));
      const member = origin === null ? null : await verify(passkey, origin);
      if (member === null) {
        security("signInRefused", { address, reason: "PASSKEY_REFUSED" });
        throw new Refusal("PASSKEY_REFUSED");
      }
      const isKnown = (await devices.known(device?.read() ?? null, member)) !== null;
      const entered = enterMember(member, { address, agent, device, isKnown }, { sessions, devices, security, demo });
      return entered.catch((error: unknown) => {
        // The password was changed meanwhile.
        throw error instanceof Refusal && error.code === "ACC_BAD_CREDENTIALS" ? new Refusal("PASSKEY_REFUSED") : error;
      });
    },
  };
}
