/** What concerns security goes into the log as events that can be searched and counted, without anybody's data. */
import { createHmac, randomBytes } from "node:crypto";
import type { Logger } from "pino";

export type SecurityEvent =
  | "signIn"
  | "signInRefused"
  | "signInSlowed"
  | "signOut"
  | "sessionsEnded"
  | "rateLimited"
  | "connectionRefused"
  | "connectionCut";

export interface SecurityFacts {
  memberId?: number | undefined;
  address?: string | undefined;
  /** Why, in one word: a code of the catalogue or the name of a limit. */
  reason?: string | undefined;
}

/** Notes one event. */
export type NoteSecurity = (event: SecurityEvent, facts?: SecurityFacts) => void;

/** Addresses are told apart and not told: a hash under a key that dies with the process. */
function addressTagger(): (address: string) => string {
  const key = randomBytes(32);
  return (address) => createHmac("sha256", key).update(address).digest("base64url").slice(0, 12);
}

/** A limit that is hit again and again says so once in this long for each address. */
const AGAIN_MS = 10_000;
const KEPT = 1_000;

/** Open the security log. `now` is its clock. */
export function openSecurityLog(log: Pick<Logger, "info" | "warn">, now: () => number = Date.now): NoteSecurity {
  const tagOf = addressTagger();
  const latest = new Map<string, number>();
  const fresh = (key: string): boolean => {
    const at = now();
    if (at - (latest.get(key) ?? -Infinity) < AGAIN_MS) return false;
    latest.delete(key);
    latest.set(key, at);
    for (const old of latest.keys()) {
      if (latest.size <= KEPT) break;
      latest.delete(old);
    }
    return true;
  };
  return (event, { memberId, address, reason } = {}) => {
    const told = { security: event, memberId, address: address === undefined ? undefined : tagOf(address), reason };
    if (event === "signIn" || event === "signOut" || event === "sessionsEnded") return log.info(told);
    // Whoever attacks must not be able to fill the disk with it.
    if (fresh(`${event} ${told.address} ${memberId} ${reason}`)) log.warn(told);
  };
}
