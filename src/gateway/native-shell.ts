/** The native shell, through Capacitor: back button, quitting, haptics, and the system bars; loaded only where it exists. */
import { App } from "@capacitor/app";
import { SystemBars, SystemBarsStyle, SystemBarType } from "@capacitor/core";
import { Haptics, ImpactStyle, NotificationType } from "@capacitor/haptics";
import type { HapticKind } from "./haptic-kind.ts";

const effects: Record<HapticKind, () => Promise<void>> = {
  tick: () => Haptics.impact({ style: ImpactStyle.Light }),
  light: () => Haptics.impact({ style: ImpactStyle.Medium }),
  success: () => Haptics.notification({ type: NotificationType.Success }),
  error: () => Haptics.notification({ type: NotificationType.Error }),
};

/** Vibrate; a device without a motor is no problem. */
export function vibrate(kind: HapticKind): void {
  effects[kind]().catch(() => undefined);
}

/** Replaces the system's handling of the back button. The listener is told whether the history has an earlier entry. */
export async function listenToBack(listener: (canGoBack: boolean) => void): Promise<void> {
  await App.addListener("backButton", ({ canGoBack }) => listener(canGoBack));
}

/** End the app. */
export async function quit(): Promise<void> {
  await App.exitApp();
}

/** The colour behind the system's keys: that of our tab bar, which follows the theme. */
function paintNavigationBar(): void {
  const style = document.documentElement.dataset["theme"] === "dark" ? SystemBarsStyle.Dark : SystemBarsStyle.Light;
  SystemBars.setStyle({ bar: SystemBarType.NavigationBar, style }).catch(() => undefined);
}

/** Dark text on the status bar, which the style sheet paints white (specification section 2); the navigation bar follows the theme. */
export function paintSystemBars(): void {
  document.documentElement.dataset["shell"] = "native";
  SystemBars.setStyle({ bar: SystemBarType.StatusBar, style: SystemBarsStyle.Light }).catch(() => undefined);
  paintNavigationBar();
  new MutationObserver(paintNavigationBar).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}
