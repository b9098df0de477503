/** Web Push on this device: subscribes its browser with the server's key, so that notifications arrive while the app is closed. */
import { call } from "./api.ts";
import { currentLanguage } from "./language.ts";
import { notificationPermission, registration } from "./notification.ts";

let subscribed = false;

/** Whether the server sends this page's notifications through the push service; the page then shows none itself. */
export const isPushed = (): boolean => subscribed;

/** The browser's subscription with this server's key; one made with another key is useless and replaced. */
async function subscriptionWith(manager: PushManager, key: string): Promise<PushSubscription> {
  const known = await manager.getSubscription();
  const sameKey = known?.options.applicationServerKey ? encoded(known.options.applicationServerKey) === key : false;
  if (known && sameKey) return known;
  await known?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Bytes as base64url without padding, as the server writes its key. */
function encoded(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Subscribe for the current session, in the current language; again at every start, because both may have changed.
 * @returns whether it worked; without a push service the page shows notifications as long as it is open
 */
export async function startPush(): Promise<boolean> {
  if (notificationPermission() !== "granted" || !("PushManager" in window)) return false;
  const worker = await registration();
  if (!worker) return false;
  const key = await call("readPushKey", {}, { shownByCaller: true });
  if (!key.ok) return false;
  const made = await subscriptionWith(worker.pushManager, key.data.key).catch(() => null);
  const { endpoint, keys } = made?.toJSON() ?? {};
  if (endpoint === undefined || keys?.["p256dh"] === undefined || keys["auth"] === undefined) return false;
  const body = { endpoint, p256dh: keys["p256dh"], auth: keys["auth"], language: currentLanguage() };
  subscribed = (await call("subscribePush", body, { shownByCaller: true })).ok;
  return subscribed;
}

/** End the subscription, here and on the server. */
export async function stopPush(): Promise<void> {
  subscribed = false;
  if (!("serviceWorker" in navigator)) return;
  const worker = await navigator.serviceWorker.getRegistration();
  const known = await worker?.pushManager?.getSubscription();
  if (!known) return;
  await call("unsubscribePush", { endpoint: known.endpoint }, { shownByCaller: true });
  await known.unsubscribe();
}
