/** Checksums of wallet addresses: base58check of Tron, EIP-55 of Ethereum. */
import { createHash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Network } from "#contract/wallet-address.ts";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** The version of Tron's main network, 20 bytes of key hash, and four of checksum. */
const TRON = { version: 0x41, bytes: 25, checksumBytes: 4 };

const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();

/** Decodes base58; null for a letter that is not in the alphabet. */
function decodeBase58(text: string): Buffer | null {
  let value = 0n;
  for (const letter of text) {
    const digit = BASE58.indexOf(letter);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
}

function isTron(address: string): boolean {
  const bytes = decodeBase58(address);
  if (bytes?.length !== TRON.bytes || bytes[0] !== TRON.version) return false;
  const body = bytes.subarray(0, TRON.bytes - TRON.checksumBytes);
  return sha256(sha256(body)).subarray(0, TRON.checksumBytes).equals(bytes.subarray(body.length));
}

/** An Ethereum address in mixed case: a letter is upper case where the hash of the address has a digit of 8 or more. */
function withEip55(address: string): string {
  const lower = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  return `0x${lower.replaceAll(/[a-f]/g, (letter, at: number) => (Number.parseInt(hash.charAt(at), 16) >= 8 ? letter.toUpperCase() : letter))}`;
}

/** The one spelling of an address; null where its checksum is wrong. An Ethereum address in one case only has none and is accepted. */
export function checkedAddress(network: Network, address: string): string | null {
  if (network === "trc20") return isTron(address) ? address : null;
  const digits = address.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  const checked = withEip55(address);
  return hasChecksum && checked !== address ? null : checked;
}
