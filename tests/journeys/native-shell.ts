/** A fake of the native shell: Capacitor's own bridge with a system below it that records what is asked of it, and presses Back. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { newPage } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import type { TestServer } from "#tests/support/server.ts";
import { ROOT } from "#tests/support/tree.ts";

// The tools are plain JavaScript outside the rooms.
const tool: unknown = await import(pathToFileURL(join(ROOT, "tools", "shell-page.mjs")).href);
const { shellPage } = tool as { shellPage: (page: string, broker: string) => string };

/** The origin of the native app's pages on Android. */
export const APP_ORIGIN = "https://localhost";

/** What the app asked of the system: `App.exitApp`. */
export interface NativeCall {
  what: string;
  options: Record<string, unknown>;
}

interface FakeWindow {
  androidBridge: { postMessage(text: string): void; onmessage?(event: { data: string }): void };
  nativeCalls: NativeCall[];
  pressBack(): void;
}

/** The system's side of the bridge, run in the page before any other script. */
function openSystem(): void {
  const page = window as unknown as FakeWindow;
  const back: { listener: string | null } = { listener: null };
  page.nativeCalls = [];
  const answer = (callbackId: string, data: object): void =>
    page.androidBridge.onmessage?.({ data: JSON.stringify({ callbackId, success: true, data }) });
  page.androidBridge = {
    postMessage(text) {
      const { callbackId, pluginId, methodName, options } = JSON.parse(text) as {
        callbackId: string;
        pluginId: string;
        methodName: string;
        options: Record<string, unknown>;
      };
      if (pluginId === "Console") return;
      page.nativeCalls.push({ what: `${pluginId}.${methodName}`, options });
      if (methodName === "addListener") back.listener = callbackId;
      else queueMicrotask(() => answer(callbackId, {}));
    },
  };
  page.pressBack = () => {
    // The web view can go back within the app's own entries.
    const { canGoBack } = (window as unknown as { navigation: { canGoBack: boolean } }).navigation;
    if (back.listener !== null) answer(back.listener, { canGoBack });
  };
}

const HEADERS = [
  {
    name: "App",
    methods: [
      { name: "addListener", rtype: "callback" },
      { name: "exitApp", rtype: "promise" },
    ],
  },
  { name: "SystemBars", methods: [{ name: "setStyle", rtype: "promise" }] },
  { name: "Haptics", methods: ["impact", "notification"].map((name) => ({ name, rtype: "promise" })) },
];

/** Opens the app's own build in the fake shell: the pages of `npm run shell`, on the shell's origin, calling the server on another. */
export async function openShell(server: TestServer): Promise<Visit> {
  const visitor = await newPage({ origin: APP_ORIGIN });
  // Android asks for no permission: its broker is not on this machine.
  await visitor.context.grantPermissions(["local-network-access"]);
  const bridge = readFileSync(join(ROOT, "node_modules/@capacitor/android/capacitor/src/main/assets/native-bridge.js"), "utf8");
  const headers = `window.Capacitor.PluginHeaders = ${JSON.stringify(HEADERS)};`;
  await visitor.page.addInitScript(`(${openSystem.toString()})();\n${bridge}\n${headers}`);
  const index = shellPage(readFileSync(join(ROOT, "dist", "index.html"), "utf8"), server.url);
  await visitor.context.route(`${APP_ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return pathname === "/"
      ? route.fulfill({ contentType: "text/html", body: index })
      : route.fulfill({ path: join(ROOT, "dist", pathname) });
  });
  return visitor;
}

export const pressBack = (page: Page): Promise<void> => page.evaluate(() => (window as unknown as FakeWindow).pressBack());

/** What the app asked of one method so far. */
export const asked = async (page: Page, what: string): Promise<NativeCall[]> =>
  (await page.evaluate(() => (window as unknown as FakeWindow).nativeCalls)).filter((call) => call.what === what);
