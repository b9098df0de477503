/** The browser window or native shell around the app: route, haptics, network, files and clipboard. */
import type { Path } from "#src/paths.ts";
import type { HapticKind } from "./haptic-kind.ts";

/** The route in the address bar with its query, without the hash sign: `/trade/index?tab=closed`. */
export function currentRoute(): string {
  const hash = window.location.hash.replace(/^#/, "");
  return hash === "" ? "/" : hash;
}

/** Go to a route; "replace" replaces the current history entry. */
export function goTo(route: Path, how: "push" | "replace" = "push"): void {
  if (how === "replace") window.location.replace(`#${route}`);
  else window.location.hash = route;
}

/** Whether the native shell is around the app: it puts its bridge on the window before any script of the page runs. */
export function isNative(): boolean {
  const { Capacitor } = window as { Capacitor?: { isNativePlatform?: () => boolean } };
  return Capacitor?.isNativePlatform?.() === true;
}

const nativeShell = () => import("./native-shell.ts");

/** Set the colours of the native shell's system bars. */
export function paintSystemBars(): void {
  void nativeShell().then((native) => native.paintSystemBars());
}

/** Listen to the native shell's back button; the listener is told whether the history has an earlier entry. */
export function onBackButton(listener: (canGoBack: boolean) => void): void {
  void nativeShell().then((native) => native.listenToBack(listener));
}

/** End the native app. */
export function quitApp(): void {
  void nativeShell().then((native) => native.quit());
}

/** The broker's origin: the page's own, or in a native app the address that `npm run shell` wrote into its page. */
export function brokerOrigin(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=broker]")?.content ?? window.location.origin;
}

const PATTERNS_MS: Record<HapticKind, number | number[]> = { tick: 8, light: 12, success: [12, 60, 12], error: [24, 60, 24] };

/** Vibrate where the device can, and where browsers allow it: after the first tap on the page. Never for prices. */
export function haptic(kind: HapticKind): void {
  if (isNative()) {
    void nativeShell().then((native) => native.vibrate(kind));
    return;
  }
  if (typeof navigator.vibrate !== "function" || !navigator.userActivation.hasBeenActive) return;
  navigator.vibrate(PATTERNS_MS[kind]);
}

/**
 * Listen for the device coming back online.
 * @returns a function that stops listening
 */
export function onOnline(listener: () => void): () => void {
  window.addEventListener("online", listener);
  return () => window.removeEventListener("online", listener);
}

/** Reload the app at its current address. */
export function reloadApp(): void {
  window.location.reload();
}

/** Download a file to the member's device. */
export function saveFile(name: string, type: string, content: string | Uint8Array<ArrayBuffer>): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Copy a text to the clipboard. @returns whether the device allowed it */
export async function copyText(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
