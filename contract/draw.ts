/**
 * The draw of an offering as a pure function of what is published, so that anybody can repeat it: winners are the first of a
 * Fisher–Yates shuffle by HMAC-SHA-256. Works in slices, so that 100,000 applications block nobody.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { OfferingKind } from "./offering-kind.ts";

/** One application in the published list. */
export interface DrawEntry {
  receipt: string;
  lots: number;
}

/** Entries by their place from 0 on: an array, or columns where a hundred thousand objects would be too many. */
export interface DrawEntries {
  readonly length: number;
  at: (place: number) => DrawEntry | undefined;
}

/** What a draw decides on: published at the close, with the entries in ascending order of their receipts. */
export interface DrawList {
  offeringNo: string;
  kind: OfferingKind;
  /** Lots offered. */
  lots: number;
  /** The simulated crowd: so many applications of one lot in a lottery, or lots asked for in a placement. It stands before the members. */
  crowdKey: string;
  crowdLots: number;
  entries: DrawEntries;
}

/** Who gets what: lots of each entry, in the order of the list, and of the crowd. */
export interface DrawResult {
  wonLots: Float64Array;
  crowdWon: number;
  listHash: string;
  resultHash: string;
}

/** Entries hashed, and numbers drawn, between two pauses: a few milliseconds each. */
const HASHED = 200;
const DRAWN = 25;
const NUMBERS = 2 ** 48;

/** SHA-256 of a text as hexadecimal digits. */
export const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** The hash of a crowd, as it is committed to. */
export const crowdHashOf = (crowdKey: string, crowdLots: number): string => hashOf(`${crowdKey}:${crowdLots}`);

/** Work in slices: every `next` takes a few milliseconds. */
export type Slices<Result> = Generator<void, Result>;

/** Does all slices at once, for a worker or a test. */
export function runSlices<Result>(slices: Slices<Result>): Result {
  for (;;) {
    const step = slices.next();
    if (step.done) return step.value;
  }
}

/** The hash of a list: its head, and one line an entry. */
export function* listHashSlices({ offeringNo, kind, lots, crowdKey, crowdLots, entries }: DrawList): Slices<string> {
  const hash = sha256.create().update(utf8ToBytes(`${offeringNo}:${kind}:${lots}:${crowdKey}:${crowdLots}`));
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries.at(at);
    hash.update(utf8ToBytes(`\n${entry?.receipt}:${entry?.lots}`));
    if (at % HASHED === HASHED - 1) yield;
  }
  return bytesToHex(hash.digest());
}

/** An HMAC with its key taken in; each number continues a copy, at half the cost of starting anew. */
type Keyed = ReturnType<typeof hmac.create>;

/** A number from 0 to below `range`, each as likely: 48 bits of an HMAC, drawn again beyond the last whole multiple of the range. */
function numberBelow(range: number, keyed: Keyed, listHash: string, at: number): number {
  const bound = NUMBERS - (NUMBERS % range);
  for (let attempt = 0; ; attempt += 1) {
    const drawn = keyed
      .clone()
      .update(utf8ToBytes(`${listHash}:${at}:${attempt}`))
      .digest();
    const number = drawn.subarray(0, 6).reduce((sum, byte) => sum * 256 + byte, 0);
    if (number < bound) return number % range;
  }
}

/** The first `count` of 0 … `size` - 1 after a shuffle. Only the places that were exchanged are kept. */
function* firstOfShuffle(size: number, count: number, secret: string, listHash: string): Slices<number[]> {
  const keyed = hmac.create(sha256, utf8ToBytes(secret));
  const exchanged = new Map<number, number>();
  const chosen: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const other = at + numberBelow(size - at, keyed, listHash, at);
    chosen.push(exchanged.get(other) ?? other);
    exchanged.set(other, exchanged.get(at) ?? at);
    if (at % DRAWN === DRAWN - 1) yield;
  }
  return chosen;
}

/** Lots by claimant: the crowd's, then each entry's. */
type Won = Omit<DrawResult, "listHash" | "resultHash">;

function* lottery({ lots, crowdLots, entries }: DrawList, secret: string, listHash: string): Slices<Won> {
  const size = crowdLots + entries.length;
  // With lots for everybody no number decides anything, and a phone would hash for seconds.
  if (lots >= size) return { wonLots: new Float64Array(entries.length).fill(1), crowdWon: crowdLots };
  const chosen = yield* firstOfShuffle(size, lots, secret, listHash);
  yield;
  const wonLots = new Float64Array(entries.length);
  let crowdWon = 0;
  for (const number of chosen) {
    if (number < crowdLots) crowdWon += 1;
    else wonLots[number - crowdLots] = 1;
  }
  return { wonLots, crowdWon };
}

/** Pro rata: whole lots, the rest to the largest remainders, and among equal ones to the first of a shuffle. */
function* placement({ lots, crowdLots, entries }: DrawList, secret: string, listHash: string): Slices<Won> {
  const asked = new Float64Array(entries.length + 1);
  asked[0] = crowdLots;
  for (let at = 0; at < entries.length; at += 1) {
    asked[at + 1] = entries.at(at)?.lots ?? 0;
    if (at % HASHED === HASHED - 1) yield;
  }
  const total = asked.reduce((sum, one) => sum + one, 0);
  if (total <= lots) return { wonLots: asked.slice(1), crowdWon: crowdLots };
  yield;
  const won = asked.map((one) => Math.floor((one * lots) / total));
  yield;
  let left = lots - won.reduce((sum, one) => sum + one, 0);
  const byRemainder = new Map<number, number[]>();
  for (const [at, one] of asked.entries()) {
    const remainder = (one * lots) % total;
    const equal = byRemainder.get(remainder);
    if (equal) equal.push(at);
    else byRemainder.set(remainder, [at]);
    if (at % HASHED === HASHED - 1) yield;
  }
  for (const [, equal] of [...byRemainder].toSorted(([a], [b]) => b - a)) {
    const count = Math.min(left, equal.length);
    const chosen = count === equal.length ? equal.keys() : yield* firstOfShuffle(equal.length, count, secret, listHash);
    for (const place of chosen) {
      const claimant = equal[place] ?? 0;
      won[claimant] = (won[claimant] ?? 0) + 1;
    }
    left -= count;
    if (left === 0) break;
  }
  return { wonLots: won.slice(1), crowdWon: won[0] ?? 0 };
}

/** The hash of a result: the list's, and one line for each entry that won. */
function* resultHashSlices({ entries }: DrawList, wonLots: Float64Array, listHash: string): Slices<string> {
  const hash = sha256.create().update(utf8ToBytes(listHash));
  for (const [at, lots] of wonLots.entries()) {
    if (lots > 0) hash.update(utf8ToBytes(`\n${entries.at(at)?.receipt}:${lots}`));
    if (at % HASHED === HASHED - 1) yield;
  }
  return bytesToHex(hash.digest());
}

/** Draws: nothing but the list and the secret decides. */
export function* drawSlices(list: DrawList, secret: string): Slices<DrawResult> {
  const listHash = yield* listHashSlices(list);
  const won = yield* (list.kind === "placement" ? placement : lottery)(list, secret, listHash);
  return { ...won, listHash, resultHash: yield* resultHashSlices(list, won.wonLots, listHash) };
}

/** What is published of a draw besides the entries. */
export interface PublishedDraw extends Omit<DrawList, "entries" | "crowdKey" | "crowdLots"> {
  secretHash: string | null;
  crowdHash: string | null;
  crowdKey: string | null;
  crowdLots: number | null;
  listHash: string | null;
  secret: string | null;
  resultHash: string | null;
  winningLots: number | null;
}

/** Which parts of a draw hold, and what it gives to each entry. */
export interface DrawCheck {
  /** The secret and the crowd are those committed to before the window opened. */
  secret: boolean;
  crowd: boolean;
  /** The entries are those of the close, and the result is what they and the secret give. */
  list: boolean;
  result: boolean;
  wonLots: ReadonlyMap<string, number>;
}

/** Repeats a draw from what is published. Null before it is held. */
export function* verifyDrawSlices(draw: PublishedDraw, entries: DrawEntries): Slices<DrawCheck | null> {
  const { secret, crowdKey, crowdLots } = draw;
  if (secret === null || crowdKey === null || crowdLots === null) return null;
  const { offeringNo, kind, lots } = draw;
  const found = yield* drawSlices({ offeringNo, kind, lots, crowdKey, crowdLots, entries }, secret);
  const total = found.crowdWon + found.wonLots.reduce((sum, one) => sum + one, 0);
  const won = new Map<string, number>();
  let [last, sorted] = ["", true];
  for (let at = 0; at < entries.length; at += 1) {
    const receipt = entries.at(at)?.receipt ?? "";
    sorted &&= last < receipt;
    last = receipt;
    won.set(receipt, found.wonLots[at] ?? 0);
    if (at % HASHED === HASHED - 1) yield;
  }
  return {
    secret: hashOf(secret) === draw.secretHash,
    crowd: crowdHashOf(crowdKey, crowdLots) === draw.crowdHash,
    list: sorted && found.listHash === draw.listHash,
    result: found.resultHash === draw.resultHash && total === draw.winningLots,
    wonLots: won,
  };
}

/** Repeats a draw at once: true in all four parts for an honest one. */
export const verifyDraw = (draw: PublishedDraw, entries: DrawEntries): DrawCheck | null => runSlices(verifyDrawSlices(draw, entries));
