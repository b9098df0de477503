/** Secret randomness without state: every draw is a function of a key and a place, and no number of draws gives the key away. */
import { createHmac, randomBytes } from "node:crypto";

/** What a market is drawn from: a number names a market whose future anybody can work out, a text is a secret one's. */
export type Seed = number | string;

/** Draw the seed of a secret market: 256 bits, as 64 hexadecimal digits. */
export function drawSeed(): string {
  return randomBytes(32).toString("hex");
}

/** A digest of the seed under a name. Names are independent of each other, and none leads back to the seed. */
function digest(seed: Seed, name: string): Buffer {
  return createHmac("sha256", `${typeof seed}:${seed}`)
    .update(name)
    .digest();
}

/** What may be published of a seed: the same for the same seed, and no help in finding it. */
export function fingerprint(seed: Seed): string {
  return digest(seed, "fingerprint").toString("hex", 0, 6);
}

/** What a draw is for: draws of two purposes have nothing in common, even at one place. */
export const PURPOSE = {
  shock: 1,
  bar: 2,
  path: 3,
  minuteBar: 4,
  trades: 5,
  side: 6,
  bookFace: 7,
  bookLots: 8,
  between: 9,
  call: 10,
  oddCall: 11,
  exEvent: 12,
  eligibility: 13,
  flow: 14,
  beat: 15,
} as const;

/**
 * A key of 128 bits and draws under it: Chaskey-12 (ISO/IEC 29192-6) over one block of four words. A public hash would be undone from
 * a few prices, and a key of 32 bits found by trying them all; and whoever had it would know the rest of the day.
 */
export class Key {
  readonly #a: number;
  readonly #b: number;
  readonly #c: number;
  readonly #d: number;
  readonly #last: number;

  constructor(a: number, b: number, c: number, d: number) {
    // A whole block is whitened before and after with the key doubled in GF(2^128).
    this.#last = (a << 1) ^ ((d >>> 31) * 0x87);
    this.#a = a ^ this.#last;
    this.#b = b ^ ((b << 1) | (a >>> 31));
    this.#c = c ^ ((c << 1) | (b >>> 31));
    this.#d = d ^ ((d << 1) | (c >>> 31));
  }

  /** The key of a name under a seed. */
  static of(seed: Seed, name: string): Key {
    const bytes = digest(seed, name);
    return new Key(bytes.readInt32LE(0), bytes.readInt32LE(4), bytes.readInt32LE(8), bytes.readInt32LE(12));
  }

  /** Draw 32 bits (signed) for a purpose at a place. */
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
    return a ^ this.#last;
  }
}
