/** The cookie by which a device is known again at the sign-in form; it opens nothing by itself. */
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { DeviceMemory } from "#server/api/handler.ts";

const COOKIE = "device";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** What the caller's browser remembers of earlier sign-ins, and how to have it remember this one. */
export function deviceMemory(c: Context): DeviceMemory {
  return {
    read: () => getCookie(c, COOKIE) ?? null,
    write: (value) =>
      setCookie(c, COOKIE, value, { path: `${BASE_PATH}/session`, httpOnly: true, sameSite: "Strict", maxAge: YEAR_SECONDS }),
  };
}
