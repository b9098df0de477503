/** What an offering publishes before its window opens so that its draw can be checked: the hash of a secret, and of the simulated crowd. */
import { createHash, randomBytes } from "node:crypto";

export interface Commitment {
  secret: string;
  crowdKey: string;
  crowdLots: number;
  secretHash: string;
  crowdHash: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Draws a secret and commits to it and to the crowd: `crowdHash` is of `crowdKey:crowdLots`, so that its size cannot be guessed. */
export function commit(crowdLots: number): Commitment {
  const secret = randomBytes(32).toString("hex");
  const crowdKey = randomBytes(16).toString("hex");
  return { secret, crowdKey, crowdLots, secretHash: sha256(secret), crowdHash: sha256(`${crowdKey}:${crowdLots}`) };
}

/** The number of an application in the published list: it tells nobody whose it is. */
export const receiptOf = (offeringNo: string, requestId: string): string => sha256(`${offeringNo}:${requestId.toLowerCase()}`);

/**
 * The number that a member's application or stake has for its member: from the request id, so that it does not tell how many others have
 * asked. A number of two rows is refused by the database.
 */
export const numberFor = (
  letter: "U" | "E",
  { offeringNo, requestId, memberId }: { offeringNo: string; requestId: string; memberId: number },
) => `${letter}${sha256(`${offeringNo}:${requestId.toLowerCase()}:${memberId}`).slice(0, 12)}`;
