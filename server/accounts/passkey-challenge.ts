/** Challenges for passkeys: random, valid for five minutes, taken once, each bound to a purpose, the page's origin and the session. */
import { randomBytes } from "node:crypto";
import { MINUTE_MS } from "#contract/kernel/time.ts";

export const CHALLENGE_MS = 5 * MINUTE_MS;
/** Kept at once; the oldest are dropped, which a limit per address keeps from being anyone's tool. */
const MAX_KEPT = 20_000;
const BYTES = 32;

/** What a challenge is for: adding a passkey in a session, or signing in. */
export interface Bond {
  purpose: "add" | "signIn";
  origin: string;
  /** Null for signing in. */
  sessionHash: string | null;
}

export interface Challenges {
  /** A new challenge in base64url; a session's earlier one is void. */
  give(bond: Bond): string;
  /** Takes a challenge out, whatever comes of it. @returns whether it was live and for this */
  take(challenge: string, bond: Bond): boolean;
}

/** `now` is their clock. */
export function openChallenges(now: () => number): Challenges {
  const kept = new Map<string, Bond & { expiresAt: number }>();
  const bySession = new Map<string, string>();
  const drop = (challenge: string): void => {
    const { sessionHash } = kept.get(challenge) ?? { sessionHash: null };
    kept.delete(challenge);
    if (sessionHash !== null && bySession.get(sessionHash) === challenge) bySession.delete(sessionHash);
  };
  const trim = (): void => {
    // In the order given, which is the order in which they expire.
    for (const [challenge, { expiresAt }] of kept) {
      if (expiresAt > now() && kept.size <= MAX_KEPT) return;
      drop(challenge);
    }
  };
  return {
    give(bond) {
      const before = bond.sessionHash === null ? undefined : bySession.get(bond.sessionHash);
      if (before !== undefined) drop(before);
      const challenge = randomBytes(BYTES).toString("base64url");
      kept.set(challenge, { ...bond, expiresAt: now() + CHALLENGE_MS });
      if (bond.sessionHash !== null) bySession.set(bond.sessionHash, challenge);
      trim();
      return challenge;
    },
    take(challenge, { purpose, origin, sessionHash }) {
      const found = kept.get(challenge);
      drop(challenge);
      if (!found || found.expiresAt <= now()) return false;
      return found.purpose === purpose && found.origin === origin && found.sessionHash === sessionHash;
    },
  };
}
