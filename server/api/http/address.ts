/** The client behind trusted proxies: its address, and whether it used TLS. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Trusted proxies: how many hops in front of us, or their addresses and networks; 0 for none. */
export type TrustProxy = number | readonly string[];

type Request = Pick<IncomingMessage, "headers" | "socket">;

/** Tells whether the client sent a request over TLS. */
export type OverTls = (request: Request) => boolean;

/** Returns the client address of a request. */
export type AddressOf = (request: Request) => string;

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");

/** Normalises an address: unwraps IPv4-mapped IPv6 and drops the zone, which only has meaning on its own host. */
function plain(address: string): string {
  const [bare = ""] = address.trim().split("%");
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(bare) ? bare.slice("::ffff:".length) : bare;
}

/** Tells whether a text is an IP address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function networks(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of trusted) {
    const [address = "", bits] = network.split("/");
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** Whether the forwarding headers of an address are trusted; hop 0 is the connection itself. */
function truster(trust: TrustProxy): (address: string, hop: number) => boolean {
  return typeof trust === "number" ? (_address, hop) => hop < trust : networks(trust);
}

/** Builds the check whether a request used TLS, which a trusted proxy terminates: the server itself uses plain HTTP. */
export function tlsFinder(trust: TrustProxy): OverTls {
  const trusts = truster(trust);
  return ({ headers, socket }) => {
    const [first = ""] = String(headers["x-forwarded-proto"] ?? "").split(",");
    return first.trim().toLowerCase() === "https" && trusts(plain(socket.remoteAddress ?? ""), 0);
  };
}

/**
 * Builds the lookup. Each trusted hop lets us accept one more address of `X-Forwarded-For`, counted from its end: the sender controls
 * its beginning.
 */
export function addressFinder(trust: TrustProxy): AddressOf {
  const trusts = truster(trust);
  return ({ headers, socket }) => {
    let address = plain(socket.remoteAddress ?? "");
    const forwarded = headers["x-forwarded-for"];
    if (trust === 0 || forwarded === undefined) return address;
    const hops = String(forwarded).split(",").map(plain);
    for (let hop = 0; hops.length > 0 && trusts(address, hop); hop += 1) {
      const before = hops.pop() ?? "";
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  };
}
