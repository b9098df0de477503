/** Security headers of API replies, which are data and never run or shown as a page. */
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";

/** Without `includeSubDomains`: other hosts of the domain are not ours. */
export const STRICT_TRANSPORT = "max-age=15552000";

const policy: Parameters<typeof secureHeaders>[0] = {
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  xFrameOptions: "DENY",
  referrerPolicy: "no-referrer",
  strictTransportSecurity: STRICT_TRANSPORT,
};

const asked = await new Hono()
  .use(secureHeaders(policy))
  .get("/", (c) => c.body(null))
  .request("/");

/**
 * What the middleware answers, to be sent as constants: run at every call, it makes Node's adapter build a whole `Response`, which costs
 * as much as the rest of a small call.
 */
export const DATA_HEADERS: Readonly<Record<string, string>> = Object.fromEntries(asked.headers);
