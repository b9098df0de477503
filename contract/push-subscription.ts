/** Push subscriptions: a browser that gets the member's notifications through its push service while the app is closed. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";

/** The languages notifications are worded in: those of the app. */
export const PUSH_LANGUAGES = ["en", "af", "zu", "xh", "zh-TW", "zh-CN"] as const;
export const PushLanguage = z.enum(PUSH_LANGUAGES);
export type PushLanguage = z.infer<typeof PushLanguage>;

/** Subscriptions kept per member, one for each session; one more replaces the oldest. Only the shared demo member has so many sessions. */
export const MAX_PUSH_SUBSCRIPTIONS = 100;

const PushEndpoint = z.string().check(z.regex(/^https?:\/\/\S+$/), z.maxLength(1024));
const Base64Url = z.string().check(z.regex(/^[\w-]+={0,2}$/), z.maxLength(128));

/** What the browser's push manager returns, and the member's language. */
export const PushSubscriptionBody = z.object({
  endpoint: PushEndpoint,
  /** The browser's public key and its authentication secret; the payload is encrypted with both. */
  p256dh: Base64Url,
  auth: Base64Url,
  language: PushLanguage,
});

/** What the service worker gets: the words of one notification, and nothing about balances. */
export const PushPayload = z.object({
  title: z.string(),
  text: z.string(),
  /** The app's route that shows more. */
  route: z.string(),
  /** A later notification with the same tag takes the place of the earlier one. */
  tag: z.string(),
  urgent: z.boolean(),
});
export type PushPayload = z.infer<typeof PushPayload>;

export const pushSubscriptionEndpoints = {
  readPushKey: endpoint({
    path: "/push/key",
    access: "member",
    does: "Read the server's public key for push subscriptions (VAPID, base64url).",
    body: z.object({}),
    data: z.object({ key: z.string() }),
    refusals: [],
  }),
  subscribePush: endpoint({
    path: "/push/subscribe",
    access: "member",
    does: "Send the member's notifications to this browser's push service, until the session ends. A session has one subscription: a new one replaces it.",
    body: PushSubscriptionBody,
    data: z.null(),
    refusals: ["GEN_TOO_FREQUENT"],
  }),
  unsubscribePush: endpoint({
    path: "/push/unsubscribe",
    access: "member",
    does: "End one of the member's push subscriptions; an unknown one is ignored.",
    body: z.object({ endpoint: PushEndpoint }),
    data: z.null(),
    refusals: ["GEN_TOO_FREQUENT"],
  }),
};
