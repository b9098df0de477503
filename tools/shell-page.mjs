/** The page of the native app: the built page with the broker's address, and a content policy, which there is no server to send. */
import { createHash } from "node:crypto";

const hashOf = (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/**
 * The server's policy for pages, with the broker as a further address to connect to.
 * @param {string} page @param {string} broker an origin
 */
function policyOf(page, broker) {
  const scripts = Array.from(page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g), ([, script]) => hashOf(script ?? ""));
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self' ${broker} ${broker.replace(/^http/, "ws")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");
}

/**
 * @param {string} page the built index.html
 * @param {string} broker an origin
 */
export function shellPage(page, broker) {
  const metas = [
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(page, broker)}" />`,
    `<meta name="broker" content="${broker}" />`,
  ];
  return page.replace('<meta charset="utf-8" />', (charset) => [charset, ...metas].join("\n    "));
}
