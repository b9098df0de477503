/** The device's notifications: their permission, the prompt for it, and showing one. */
import type { Path } from "#src/paths.ts";

export type Permission = "granted" | "denied" | "ask" | "unsupported";

/** Phone browsers show notifications only through a service worker; this one does nothing else. */
const WORKER = "/notification-worker.js";

/** This device's permission to show our notifications. */
export function notificationPermission(): Permission {
  if (!("Notification" in window)) return "unsupported";
  return Notification.permission === "default" ? "ask" : Notification.permission;
}

/** Prompt the member; browsers allow this only in response to a tap. @returns the permission afterwards */
export async function askToNotify(): Promise<Permission> {
  if (!("Notification" in window)) return "unsupported";
  const permission = await Notification.requestPermission();
  return permission === "default" ? "ask" : permission;
}

/** The service worker once it can show notifications; null where there is none. */
export async function registration(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null;
  try {
    await navigator.serviceWorker.register(WORKER);
    // A worker that is still being installed cannot show notifications.
    return await navigator.serviceWorker.ready;
  } catch {
    return null;
  }
}

/** Show a notification that opens a route, in place of an earlier one with the same tag; does nothing without permission. */
export async function showNotification(title: string, text: string, { route, tag = route }: { route: Path; tag?: string }): Promise<void> {
  if (notificationPermission() !== "granted") return;
  const options: NotificationOptions = { body: text, icon: "/logo.svg", tag, data: { route } };
  const worker = await registration();
  // Phones only show notifications from a worker; elsewhere the page can show them as well.
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options).addEventListener("click", () => window.focus());
}
