/** What an auction seals until its bids are opened: the secret of its draw and the crowd's bids, committed to by a hash. */
import { createHash, createHmac, randomBytes } from "node:crypto";

/** The crowd's bids as flat pairs of price and lots. */
export type CrowdBids = readonly number[];

export interface SealedBook {
  /** 32 bytes in hex. */
  secret: string;
  crowd: CrowdBids;
}

/** SHA-256 of `secret:code:price,lots,price,lots,…`: without the secret the bids cannot be guessed. */
export function commitmentOf(code: string, { secret, crowd }: SealedBook): string {
  return createHash("sha256")
    .update(`${secret}:${code}:${crowd.join(",")}`)
    .digest("hex");
}

/** Seals the crowd's bids with a new secret. */
export function seal(bids: readonly { price: number; lots: number }[]): SealedBook {
  return { secret: randomBytes(32).toString("hex"), crowd: bids.flatMap(({ price, lots }) => [price, lots]) };
}

/**
 * The number of a member's bid, which is also its ticket in the draw: from the request id that the member's device chose, so that the
 * broker, who knows the secret, cannot choose tickets.
 */
export function bidNoOf(code: string, requestId: string): string {
  return `A${createHash("sha256").update(`${code}:${requestId.toLowerCase()}`).digest("hex").slice(0, 12)}`;
}

/** The draw among equal prices: the ticket with the lowest HMAC-SHA-256 under the secret comes first. */
export function drawOf(secret: string, code: string): (ticket: string) => string {
  const key = Buffer.from(secret, "hex");
  return (ticket) => createHmac("sha256", key).update(`${code}:${ticket}`).digest("hex");
}
