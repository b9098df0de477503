/** The browser window or native shell around the app: its route, its touch, its network. */
import type { Path } from "#src/paths.ts";

/** The route in the address bar with its query, without the hash sign: `/trade/index?tab=closed`. */
export function currentRoute(): string {
  const hash = window.location.hash.replace(/^#/, "");
  return hash === "" ? "/" : hash;
}

/** Go to a route; a redirect replaces the present entry of the history. */
export function goTo(route: Path, how: "push" | "replace" = "push"): void {
  if (how === "replace") window.location.replace(`#${route}`);
  else window.location.hash = route;
}

const PATTERNS_MS = { tick: 8, light: 12, success: [12, 60, 12], error: [24, 60, 24] } as const;

/** A touch the fingertip feels, where the device has one; never for prices. */
export function haptic(kind: keyof typeof PATTERNS_MS): void {
  if (typeof navigator.vibrate !== "function") return;
  const pattern = PATTERNS_MS[kind];
  navigator.vibrate(typeof pattern === "number" ? pattern : [...pattern]);
}

/**
 * Be told when the device finds its network again.
 * @returns how to stop listening
 */
export function onOnline(listener: () => void): () => void {
  window.addEventListener("online", listener);
  return () => window.removeEventListener("online", listener);
}

/** Load the app anew at its present address. */
export function startAnew(): void {
  window.location.reload();
}

/** Hand the member a file. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Put a text on the clipboard. @returns whether the device allowed it */
export async function copyText(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
