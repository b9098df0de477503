/** Stateless secret randomness: every draw is a function of a key and a position, and no number of draws reveals the key. */
import { createHmac, randomBytes } from "node:crypto";

/** What a market is generated from: a number names a market whose future anyone can compute, a string a secret one. */
export type Seed = number | string;

/** Draws the seed of a secret market: 256 bits as 64 hexadecimal digits. */
export function drawSeed(): string {
  return randomBytes(32).toString("hex");
}

/** A digest of the seed under a name. Names are independent of each other, and none reveals the seed. */
function digest(seed: Seed, name: string): Buffer {
  return createHmac("sha256", `${typeof seed}:${seed}`)
    .update(name)
    .digest();
}

/** The public fingerprint of a seed: equal for equal seeds, and of no help in finding the seed. */
export function fingerprint(seed: Seed): string {
  return digest(seed, "fingerprint").toString("hex", 0, 6);
}

/** What a draw is for: draws for different purposes are independent, even at the same position. */
export const PURPOSE = {
  shock: 1,
  bar: 2,
  path: 3,
  minuteBar: 4,
  trades: 5,
  bookFace: 7,
  bookLots: 8,
  between: 9,
  call: 10,
  oddCall: 11,
  exEvent: 12,
  eligibility: 13,
  flow: 14,
  minorTrades: 15,
  investor: 16,
  issue: 17,
  crowd: 18,
  block: 19,
  lending: 40,
  regime: 41,
  jump: 42,
  lateGap: 43,
  lateLeap: 44,
  fairIndex: 45,
} as const;

/** The other words of the block drawn last. */
const REST = new Int32Array(3);

/**
 * A 128-bit key and draws under it: Chaskey-12 (ISO/IEC 29192-6) over one block of four words. A public hash could be inverted from
 * a few prices and a 32-bit key found by brute force, and either would reveal the rest of the day.
 */
export class Key {
  readonly #a: number;
  readonly #b: number;
  readonly #c: number;
  readonly #d: number;
  readonly #last: number;
  readonly #lastB: number;
  readonly #lastC: number;
  readonly #lastD: number;

  constructor(a: number, b: number, c: number, d: number) {
    // Chaskey whitens a full block before and after with the key doubled in GF(2^128).
    this.#last = (a << 1) ^ ((d >>> 31) * 0x87);
    this.#a = a ^ this.#last;
    this.#lastB = (b << 1) | (a >>> 31);
    this.#lastC = (c << 1) | (b >>> 31);
    this.#lastD = (d << 1) | (c >>> 31);
    this.#b = b ^ this.#lastB;
    this.#c = c ^ this.#lastC;
    this.#d = d ^ this.#lastD;
  }

  /** The key for a name under a seed. */
  static of(seed: Seed, name: string): Key {
    const bytes = digest(seed, name);
    return new Key(bytes.readInt32LE(0), bytes.readInt32LE(4), bytes.readInt32LE(8), bytes.readInt32LE(12));
  }

  /** Draws 32 bits (signed) for a purpose at a position. */
  draw(purpose: number, x: number, y = 0, z = 0): number {
    let a = purpose ^ this.#a;
    let b = x ^ this.#b;
    let c = y ^ this.#c;
    let d = z ^ this.#d;
    for (let round = 0; round < 12; round += 1) {
      a = (a + b) | 0;
      b = ((b << 5) | (b >>> 27)) ^ a;
      a = (a << 16) | (a >>> 16);
      c = (c + d) | 0;
      d = ((d << 8) | (d >>> 24)) ^ c;
      a = (a + d) | 0;
      d = ((d << 13) | (d >>> 19)) ^ a;
      c = (c + b) | 0;
      b = ((b << 7) | (b >>> 25)) ^ c;
      c = (c << 16) | (c >>> 16);
    }
    REST[0] = b;
    REST[1] = c;
    REST[2] = d;
    return a ^ this.#last;
  }

  /** Draws four times 32 bits (signed) at once, for the cost of one; none of them tells anything of the others. */
  drawAll(into: Int32Array, purpose: number, x: number, y = 0, z = 0): void {
    into[0] = this.draw(purpose, x, y, z);
    into[1] = (REST[0] ?? 0) ^ this.#lastB;
    into[2] = (REST[1] ?? 0) ^ this.#lastC;
    into[3] = (REST[2] ?? 0) ^ this.#lastD;
  }
}
