/** Keeps push endpoints, which members choose, from reaching anything but public addresses: the server must not call its own network for them. */
import { lookup } from "node:dns";
import type { LookupAddress } from "node:dns";
import { BlockList, isIP, isIPv4 } from "node:net";
import type { LookupFunction } from "node:net";

/** IPv4 networks that are not public. */
const PRIVATE_V4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** Within the global IPv6 addresses: documentation, and tunnels that carry IPv4 addresses. */
const PRIVATE_V6: readonly [string, number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
];

const privateV4 = new BlockList();
for (const [network, bits] of PRIVATE_V4) privateV4.addSubnet(network, bits, "ipv4");
const globalV6 = new BlockList();
globalV6.addSubnet("2000::", 3, "ipv6");
const privateV6 = new BlockList();
for (const [network, bits] of PRIVATE_V6) privateV6.addSubnet(network, bits, "ipv6");

/** Tells whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !privateV4.check(address, "ipv4");
  return isIP(address) === 6 && globalV6.check(address, "ipv6") && !privateV6.check(address, "ipv6");
}

/** Which endpoints may be called. */
export interface EndpointPolicy {
  /** For tests with a push service on this machine: allows http, any port, and loopback addresses. */
  allowLoopback: boolean;
}

const isLoopback = (host: string): boolean => host === "127.0.0.1" || host === "[::1]";

/** Tells whether an endpoint may be stored: https on its standard port, without credentials, and not named as a private address. */
export function isEndpointAllowed(endpoint: string, { allowLoopback }: EndpointPolicy): boolean {
  const url = URL.parse(endpoint);
  if (!url) return false;
  if (allowLoopback && isLoopback(url.hostname)) return true;
  if (url.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "") return false;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(host) !== 0) return isPublicAddress(host);
  // A name without a dot, or of these domains, is one of the local network.
  return host.includes(".") && !/\.(?:localhost|local|internal|home\.arpa|lan)$/i.test(host);
}

/** Resolves a name for a connection, and fails if any of its addresses is not public: a public name may point anywhere. */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error || !first) return done(error ?? new Error(`${hostname} has no address`), "", 4);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return done(new Error("the push endpoint is not on a public address"), "", 4);
    }
    return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
  });
};
