/** A push service on this machine: takes what the server sends to its subscribers, decrypts it as a browser would (RFC 8291), and checks who sent it (RFC 8292). */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import type { ECDH } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** What a subscriber received. */
export interface Received {
  payload: unknown;
  headers: IncomingHttpHeaders;
  /** The claims of the sender's signed token. */
  claims: { aud: string; sub: string; exp: number };
  /** The public key that the token was verified with. */
  key: string;
}

export interface Subscriber {
  endpoint: string;
  p256dh: string;
  auth: string;
  received: Received[];
  /** The status codes of the next replies; 201 when there are none. */
  replies: number[];
  /** The next replies wait for this. */
  held: Promise<void>;
  /** Requests, including those answered with an error. */
  requests: number;
}

export interface PushService {
  url: string;
  subscribe(): Subscriber;
  stop(): Promise<void>;
}

const expand = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/** Decrypts one record of the content encoding aes128gcm. */
function decrypt(body: Buffer, browser: ECDH, auth: Buffer): unknown {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
  const secret = expand(browser.computeSecret(sender), auth, info, 32);
  const key = expand(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = expand(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const opening = createDecipheriv("aes-128-gcm", key, nonce);
  opening.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
  // The last record ends with a 2 and zeros.
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString("utf8"));
}

/** The claims of a VAPID header. @throws when the signature is not that of its key */
function verified(header: string): { claims: Received["claims"]; key: string } {
  const [, token = "", key = ""] = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(header) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const coordinate = (from: number): string => point.subarray(from, from + 32).toString("base64url");
  const publicKey = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) } });
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify("sha256", signed, { key: publicKey, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"))) {
    throw new Error(`the token was not signed with its key: ${header}`);
  }
  return { claims: JSON.parse(Buffer.from(claims, "base64url").toString()) as Received["claims"], key };
}

/** Starts the service on a free port. */
export async function startPushService(): Promise<PushService> {
  const subscribers = new Map<string, { subscriber: Subscriber; browser: ECDH; auth: Buffer }>();
  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const known = subscribers.get(request.url ?? "");
      if (!known) return void reply.writeHead(404).end();
      const { subscriber, browser, auth } = known;
      subscriber.requests += 1;
      const status = subscriber.replies.shift() ?? 201;
      if (status < 300) {
        const payload = decrypt(Buffer.concat(parts), browser, auth);
        subscriber.received.push({ payload, headers: request.headers, ...verified(request.headers.authorization ?? "") });
      }
      void subscriber.held.then(() => reply.writeHead(status).end());
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    subscribe() {
      const browser = createECDH("prime256v1");
      const auth = randomBytes(16);
      const p256dh = browser.generateKeys("base64url");
      const path = `/send/${randomBytes(8).toString("hex")}`;
      const subscriber: Subscriber = {
        endpoint: url + path,
        p256dh,
        auth: auth.toString("base64url"),
        received: [],
        replies: [],
        held: Promise.resolve(),
        requests: 0,
      };
      subscribers.set(path, { subscriber, browser, auth });
      return subscriber;
    },
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
