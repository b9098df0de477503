/** Tries a password and a guarantee code at the members who claim an ID number, within the limits of sign-in. */
import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import type { Body } from "#contract/endpoints.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { SignInThrottle, Try } from "./sign-in-throttle.ts";

/** Password checks in parallel (each takes 19 MiB and a libuv thread shared with compression and files), and sign-ins that may queue. */
const HASHES_AT_ONCE = 2;
const HASHES_WAITING = 64;
/** Queued sign-ins per address: otherwise a client with one account's correct secrets could fill the queue. */
const HASHES_PER_ADDRESS = 4;
/** Extra queue places for known devices when unknown ones have filled the queue. */
const HASHES_WAITING_KNOWN = 32;

/** A member whose secrets may be tried. */
interface Holder {
  id: number;
  password_hash: string;
  guarantee_hash: string;
}

/** A device and the one claimant its cookie was issued to. */
export interface KnownDevice<Claimant> {
  name: string;
  owner: Claimant;
}

/** What was typed, and the key of the address it came from. */
interface Typed {
  body: Body<"signIn">;
  addressKey: string;
}

export interface SecretsTrial {
  /** Tries a device's own claimant, under the limit of the device. @throws Refusal `GEN_TOO_FREQUENT`, `GEN_SYSTEM_BUSY` */
  atKnown<Claimant extends Holder>(device: KnownDevice<Claimant>, typed: Typed): Promise<Claimant | null>;
  /**
   * Tries claimants whom the device is not known for. An attempt counts against each of them, and a correct one gives back only the found
   * one's: signing in to an account of one's own allows no more guesses at another's. @throws Refusal `GEN_TOO_FREQUENT`, `GEN_SYSTEM_BUSY`
   */
  atOthers<Claimant extends Holder>(claimants: readonly Claimant[], typed: Typed): Promise<Claimant | null>;
}

/** `unknown` is verified where there is nobody, so that the duration does not tell a known ID number from an unknown one. */
async function findAmong<Claimant extends Holder>(
  claimants: readonly Claimant[],
  { password, guaranteeCode }: Body<"signIn">,
  unknown: string,
): Promise<Claimant | null> {
  let found: Claimant | null = null;
  // Always both of each: which part was wrong must not show either.
  for (const claimant of claimants.length > 0 ? claimants : [null]) {
    const passwordRight = await verify(claimant?.password_hash ?? unknown, password);
    const guaranteeRight = await verify(claimant?.guarantee_hash ?? unknown, guaranteeCode);
    if (passwordRight && guaranteeRight) found ??= claimant;
  }
  return found;
}

export function openSecretsTrial(throttle: SignInThrottle): SecretsTrial {
  const hashing = new Gate({ atOnce: HASHES_AT_ONCE, waiting: HASHES_WAITING, refusal: "GEN_SYSTEM_BUSY" });
  const byAddress = new Gate({ atOnce: HASHES_PER_ADDRESS, waiting: HASHES_WAITING, refusal: "GEN_SYSTEM_BUSY" });
  const dummyHash = hash(randomBytes(16));

  const find = async <Claimant extends Holder>(claimants: readonly Claimant[], body: Body<"signIn">, attempt: Try) => {
    const unknown = await dummyHash;
    const check = (): Promise<Claimant | null> => findAmong(claimants, body, unknown);
    return byAddress.run(attempt.addressKey, () => hashing.run("all", check, attempt.device === null ? 0 : HASHES_WAITING_KNOWN));
  };

  return {
    async atKnown({ name, owner }, { body, addressKey }) {
      const attempt: Try = { idNumber: body.idNumber, addressKey, device: name };
      await throttle.count(attempt);
      const found = await find([owner], body, attempt);
      if (found) await throttle.release(attempt);
      return found;
    },
    async atOthers(claimants, { body, addressKey }) {
      const attempt: Try = { idNumber: body.idNumber, addressKey, device: null, claimants: claimants.map(({ id }) => id) };
      const open = await throttle.count(attempt);
      const tried = claimants.filter(({ id }) => open.includes(id));
      const found = await find(tried, body, attempt);
      if (found) await throttle.release({ ...attempt, claimants: [found.id] });
      else if (tried.length < claimants.length) throw new Refusal("GEN_TOO_FREQUENT");
      return found;
    },
  };
}
