/** What identifies a known device at sign-in, and grants no access: a cookie, or a header of the native apps, which call without cookies. */
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { BASE_PATH, DEVICE_HEADER } from "#contract/kernel/endpoint.ts";
import type { DeviceMemory } from "#server/api/handler.ts";

const COOKIE = "device";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Of a native app, which keeps the value itself and sends it back. A page never sees the value. */
const inHeader = (c: Context): DeviceMemory => ({
  read: () => c.req.header(DEVICE_HEADER) ?? null,
  write: (value) => c.header(DEVICE_HEADER, value),
});

/** Reads and writes the device of a call; a cookie written over TLS (`secure`) is never sent without. */
export function deviceMemory(c: Context, { secure, isApp }: { secure: boolean; isApp: boolean }): DeviceMemory {
  if (isApp) return inHeader(c);
  return {
    read: () => getCookie(c, COOKIE) ?? null,
    write: (value) =>
      setCookie(c, COOKIE, value, { path: `${BASE_PATH}/session`, httpOnly: true, secure, sameSite: "Strict", maxAge: YEAR_SECONDS }),
  };
}
