/** Sends one encrypted notification to one push service. */
import { createHmac } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import webPush from "web-push";
import type { PushPayload } from "#contract/push-subscription.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { isEndpointAllowed, lookupPublic } from "./public-address.ts";
import type { EndpointPolicy } from "./public-address.ts";
import type { VapidKey } from "./vapid-key.ts";

/** A browser that wants notifications. */
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** `sent`: accepted by the push service; `gone`: the subscription ended; `later`: worth another try; `refused`: not worth one. */
export type DeliveryOutcome = "sent" | "gone" | "later" | "refused";

export interface DeliveryDeps {
  key: VapidKey;
  /** The operator's contact address for push services. */
  contact: string;
  policy: EndpointPolicy;
}

export type Deliver = (to: Subscription, payload: PushPayload) => Promise<DeliveryOutcome>;

const TIMEOUT_MS = 10 * SECOND_MS;
/** How long a push service keeps a notification for a device that is offline: an hour later the inbox tells it better. */
const KEPT_S = 3_600;
/** Push services accept topics of so many base64url characters. */
const TOPIC_LENGTH = 32;

/** A later notification replaces one with the same topic. The push service reads it, so it tells nothing about the order. */
const topicOf = (tag: string, secret: string): string =>
  createHmac("sha256", secret).update(tag).digest("base64url").slice(0, TOPIC_LENGTH);

function outcomeOf(status: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  return status === 429 || status >= 500 ? "later" : "refused";
}

interface Call {
  method: string;
  headers: Record<string, string | number>;
  body: Buffer;
}

/** Posts to the endpoint. Redirects are not followed, and the reply's body is not read. */
function post(url: URL, { method, headers, body }: Call, policy: EndpointPolicy): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS), agent: false } as const;
    const calling =
      url.protocol === "http:" && policy.allowLoopback
        ? requestHttp(url, options)
        : requestHttps(url, { ...options, ...(policy.allowLoopback ? {} : { lookup: lookupPublic }) });
    calling.on("error", reject);
    calling.on("response", (reply) => {
      resolve(reply.statusCode ?? 500);
      reply.destroy();
    });
    calling.end(body);
  });
}

/** Opens the delivery: encryption and the signed identification are the library's. */
export function openDelivery({ key, contact, policy }: DeliveryDeps): Deliver {
  return async ({ endpoint, p256dh, auth }, payload) => {
    // Checked again: the policy may have become stricter since it was stored.
    if (!isEndpointAllowed(endpoint, policy)) return "gone";
    let call: ReturnType<typeof webPush.generateRequestDetails>;
    try {
      call = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
        vapidDetails: { subject: contact, ...key },
        TTL: KEPT_S,
        urgency: payload.urgent ? "high" : "normal",
        topic: topicOf(payload.tag, auth),
        contentEncoding: webPush.supportedContentEncodings.AES_128_GCM,
      });
    } catch {
      // Not a key to encrypt with: no later attempt can succeed.
      return "gone";
    }
    const { method, headers, body } = call;
    const status = await post(new URL(endpoint), { method, headers: headers, body: body ?? Buffer.alloc(0) }, policy).catch(() => null);
    return status === null ? "later" : outcomeOf(status);
  };
}
