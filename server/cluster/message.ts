/** What the leader publishes to its followers: messages numbered without gaps within an epoch, on one channel per database. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Fact } from "#contract/fact.ts";
import type { SessionEnd } from "#contract/restriction.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { JoinedOrders } from "#server/venue/matching/call-auction.ts";
import type { TakenLevels } from "#server/venue/matching/consumed-liquidity.ts";
import type { ReportedTrades } from "#server/venue/matching/member-effect.ts";
import type { MemberFill, MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";

/** Servers that opened their tables on different days may have an instrument in different rows. */
export type ByCode<Of extends { row: number }> = Omit<Of, "row"> & { code: string };

export type CodedTaken = ByCode<TakenLevels>;
export interface CodedReport extends Pick<ReportedTrades, "stored"> {
  trades: ByCode<MemberTrade>[];
  fills: ByCode<MemberFill>[];
}
/** Members' orders in the next call of an instrument; null for none any more. */
export type CodedJoined = [code: string, orders: JoinedOrders | null];

/** One thing that happened. */
export type LeaderItem =
  | { fact: [memberId: number, fact: Fact] }
  /** A session has ended. */
  | { ended: [sessionHash: string, why: SessionEnd] }
  | { taken: CodedTaken }
  | { reported: CodedReport }
  | { joined: CodedJoined[] }
  /** All that is in the leader's memory alone, for a follower that has missed something. */
  | { books: { taken: CodedTaken[]; joined: CodedJoined[] } };

export interface LeaderMessage {
  epoch: number;
  /** The number of the message; of a heartbeat, which has no items, that of the message before. */
  n: number;
  /** Rises with everything that the leader sends, heartbeats too: what does not raise it is a copy by somebody else, or late. */
  sent: number;
  items: LeaderItem[];
}

/** Bytes of a seal in base64url. */
const SEAL_LENGTH = 43;

/** Only servers of the database know the leader's key, and others may write to Redis. */
const sealOf = (body: string, key: string): string => createHmac("sha256", key).update(body).digest("base64url");

/** Writes a message with a seal, by which followers know that it is the leader's. */
export function sealMessage(message: LeaderMessage, key: string): string {
  const body = JSON.stringify(message);
  return sealOf(body, key) + body;
}

/** Reads a message; null when this leader did not seal it. @throws when it did, and it is none all the same */
export function readMessage(text: string, { epoch, key }: { epoch: number; key: string | null }): LeaderMessage | null {
  const body = text.slice(SEAL_LENGTH);
  const [given, own] = [Buffer.from(text.slice(0, SEAL_LENGTH)), Buffer.from(key === null ? "" : sealOf(body, key))];
  if (given.length !== own.length || !timingSafeEqual(given, own)) return null;
  const message = JSON.parse(body) as LeaderMessage | null;
  const isMessage = [message?.epoch, message?.n, message?.sent].every(Number.isSafeInteger) && Array.isArray(message?.items);
  if (!message || !isMessage) throw new Error("not a message of a leader");
  return message.epoch === epoch ? message : null;
}

/** The interval of heartbeats. */
export const BEAT_MS = 500;

export interface Channels {
  /** From the leader to its followers. */
  leader: string;
  /** From a follower that wants the books. */
  ask: string;
  /** What rate limits are counted under. */
  limits: string;
}

/** The channels of a database: those of another one, or of another schema, have other names in the same Redis. */
export async function channelsOf(db: Reader): Promise<Channels> {
  const [place] = await query<{ name: string }>(
    db,
    "SELECT concat_ws(' ', system_identifier, current_database(), current_schema()) AS name FROM pg_control_system()",
  );
  const name = createHash("sha256")
    .update(place?.name ?? "")
    .digest("base64url")
    .slice(0, 22);
  return { leader: `kuroshio:${name}:leader`, ask: `kuroshio:${name}:ask`, limits: `kuroshio:${name}:limit` };
}

/** Names the instrument of something that happened in a row. */
export function byCode<Of extends { row: number }>({ instruments }: Pick<Venue, "instruments">, { row, ...rest }: Of): ByCode<Of> {
  return { ...rest, code: instruments[row]?.code ?? "" };
}

/** Finds the row again; null where this server does not list the instrument. */
export function byRow<Of extends { row: number }>(venue: Pick<Venue, "instrument">, { code, ...rest }: ByCode<Of>): Of | null {
  const row = venue.instrument(code)?.row;
  return row === undefined ? null : ({ ...rest, row } as unknown as Of);
}
