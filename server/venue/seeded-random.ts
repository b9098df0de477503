/** Stateless public randomness: integer hashes, so that values depend only on their inputs. */

/** Mixes two integers into 32 bits (signed; the murmur finaliser). */
export function mix(a: number, b: number): number {
  let h = Math.imul(a, 0x27d4eb2f) ^ Math.imul(b + 0x165667b1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** A hash as a number from 0 up to, not including, 1. */
export function unit(hash: number): number {
  return (hash >>> 0) / 4_294_967_296;
}

/** A hash as an approximately normal draw: mean 0, standard deviation 1, never beyond 3 either way. */
export function normal(hash: number): number {
  return ((hash & 1023) + ((hash >>> 10) & 1023) + ((hash >>> 20) & 1023)) / 511.5 - 3;
}

/** A string as an integer for hashing (FNV-1a). */
export function textKey(text: string): number {
  let h = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  return h | 0;
}
