/** The device's own notifications: whether they may be shown, the question to the member, and showing one. */
import type { Path } from "#src/paths.ts";

export type Permission = "granted" | "denied" | "ask" | "unsupported";

/** The worker a phone's browser shows notifications through; it does nothing else. */
const WORKER = "/notification-worker.js";

/** Whether this device shows notifications of ours. */
export function notificationPermission(): Permission {
  if (!("Notification" in window)) return "unsupported";
  return Notification.permission === "default" ? "ask" : Notification.permission;
}

/** Ask the member, in answer to a tap. @returns what they said */
export async function askToNotify(): Promise<Permission> {
  if (!("Notification" in window)) return "unsupported";
  const said = await Notification.requestPermission();
  return said === "default" ? "ask" : said;
}

async function registration(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null;
  try {
    await navigator.serviceWorker.register(WORKER);
    // One that is still being installed shows nothing.
    return await navigator.serviceWorker.ready;
  } catch {
    return null;
  }
}

/** Show a notification that leads to a route; does nothing where they are not allowed. */
export async function showNotification(title: string, text: string, route: Path): Promise<void> {
  if (notificationPermission() !== "granted") return;
  const options: NotificationOptions = { body: text, icon: "/logo.svg", tag: route, data: { route } };
  const through = await registration();
  // Phones only show what a worker shows; elsewhere the page can do it as well.
  if (through) await through.showNotification(title, options);
  else new Notification(title, options).addEventListener("click", () => window.focus());
}
