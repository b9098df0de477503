/** Removes secrets from values before they are shown in the inspector or the lab. */
import { read } from "#src/gateway/storage.ts";

export const HIDDEN = "•••";

/** Names of fields that hold a secret, in any form, reply or header. */
const SECRET = /token|passw|passcode|passphrase|secret|guarantee|idnumber|fundpass|credential|cookie|^pin$|^otp$|cardno|cardnumber/i;
/** A national ID number anywhere in a text. */
const ID_NUMBER = /\b[A-Z][1289A-D]\d{8}\b/g;
const MAX_DEPTH = 6;
const MAX_ITEMS = 20;
const MAX_TEXT = 200;

function textOf(text: string): string {
  const token = read("tokend");
  const open = token === null || token === "" ? text : text.replaceAll(token, HIDDEN);
  const clean = open.replaceAll(ID_NUMBER, HIDDEN);
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
}

/** A copy without secrets, cut in depth, items and text length to stay readable. */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return textOf(value);
  if (value instanceof Error) return textOf(value.message);
  if (typeof value === "function") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((one) => redacted(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [textOf(name), SECRET.test(name) && one !== null ? HIDDEN : redacted(one, depth + 1)]),
  );
}
