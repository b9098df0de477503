/** The cookie that identifies a known device at sign-in; it grants no access. */
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { DeviceMemory } from "#server/api/handler.ts";

const COOKIE = "device";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Reads and writes the device cookie of a call; a cookie written over TLS (`secure`) is never sent without. */
export function deviceMemory(c: Context, secure: boolean): DeviceMemory {
  return {
    read: () => getCookie(c, COOKIE) ?? null,
    write: (value) =>
      setCookie(c, COOKIE, value, { path: `${BASE_PATH}/session`, httpOnly: true, secure, sameSite: "Strict", maxAge: YEAR_SECONDS }),
  };
}
