/** The keys under which limits count a client address. */
import { isIP } from "node:net";

/** IPv6 addresses are counted by /64, because one household has a whole /64 and could use a new address for every call. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
}

/** The /48 network of an IPv6 address key, as a key; null for other keys. */
export function siteKey(key: string): string | null {
  const groups = /^((?:[\da-f]+:){3})[\da-f]+::\/64$/.exec(key)?.[1];
  return groups === undefined ? null : `${groups}:/48`;
}
