/** The origin of the page that makes a call: this server's own page or that of a native app, else null. */

/** `host` is the request's Host header. The scheme is the browser's word: a proxy may have ended TLS. */
export function pageOrigin(origin: string | undefined, host: string | undefined, appOrigins: readonly string[]): string | null {
  if (origin === undefined) return null;
  if (appOrigins.includes(origin)) return origin;
  const page = URL.parse(origin);
  const isOwn = page !== null && /^https?:$/.test(page.protocol) && page.origin === origin && page.host === host?.toLowerCase();
  return isOwn ? origin : null;
}
