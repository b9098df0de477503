/** Logs security events in a searchable form without personal data. */
import { createHmac, randomBytes } from "node:crypto";
import type { Logger } from "pino";

export type SecurityEvent =
  | "signIn"
  | "signInRefused"
  | "signInSlowed"
  | "signOut"
  | "registered"
  | "passwordReset"
  | "passwordChanged"
  | "fundPasswordChanged"
  | "channelPasswordChanged"
  | "sessionsEnded"
  | "dataExported"
  | "accountClosed"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "rateLimited"
  | "connectionRefused"
  | "connectionCut";

export interface SecurityFacts {
  memberId?: number | undefined;
  address?: string | undefined;
  /** A refusal code or the name of a limit. */
  reason?: string | undefined;
}

/** Logs one event. */
export type NoteSecurity = (event: SecurityEvent, facts?: SecurityFacts) => void;

/** Pseudonymises addresses: a keyed hash whose key exists only in this process. */
function addressTagger(): (address: string) => string {
  const key = randomBytes(32);
  return (address) => createHmac("sha256", key).update(address).digest("base64url").slice(0, 12);
}

/** Repeated warnings with the same event, address, member and reason are logged once per interval. */
const REPEAT_MS = 10_000;
const MAX_REMEMBERED = 1_000;

/** Opens the security log. `now` is its clock. */
export function openSecurityLog(log: Pick<Logger, "info" | "warn">, now: () => number = Date.now): NoteSecurity {
  const tagOf = addressTagger();
  const latest = new Map<string, number>();
  const isNew = (key: string): boolean => {
    const at = now();
    if (at - (latest.get(key) ?? -Infinity) < REPEAT_MS) return false;
    latest.delete(key);
    latest.set(key, at);
    for (const old of latest.keys()) {
      if (latest.size <= MAX_REMEMBERED) break;
      latest.delete(old);
    }
    return true;
  };
  return (event, { memberId, address, reason } = {}) => {
    const entry = { security: event, memberId, address: address === undefined ? undefined : tagOf(address), reason };
    if (event === "signIn" || event === "signOut" || event === "sessionsEnded") return log.info(entry);
    // An attacker must not be able to fill the disk with log lines.
    if (isNew(`${event} ${entry.address} ${memberId} ${reason}`)) log.warn(entry);
  };
}
