/** The market's start and stop: one per signed-in session. */
import type { AnyActorRef } from "xstate";
import { expired$ } from "#src/gateway/api.ts";
import { onOtherTab, read } from "#src/gateway/storage.ts";
import { clearCells } from "./cells.ts";
import { startConnection, stopConnection } from "./connection.ts";
import { clearInstruments } from "./instruments.ts";
import { marketApi, onWorkerMessage } from "./worker-link.ts";
import { forgetLatest } from "./latest-by-key.ts";
import { workerPaths } from "./worker.ts";
import type { Traffic } from "./worker.ts";

export interface MarketOptions {
  /** Told of the connection's actor. */
  known?: (actor: AnyActorRef) => void;
  /** Watch the whole table: benches only. */
  all?: boolean;
}

const RECONNECT_MS = 2_000;

/** The token the worker is connected with, and whose it is; null while it is not. */
let running: string | null = null;
let member: string | null = null;
let stopFollowing: (() => void) | null = null;

const visibility = (): void => void marketApi().then((worker) => worker.setVisible(document.visibilityState === "visible"));

/** Another tab renewed the session: the next call and the next handshake use it. */
function renew(): void {
  const token = read("tokend");
  const account = read("account");
  if (running === null || token === null || account === null || account !== member) return;
  running = token;
  void marketApi().then((worker) => worker.setCredentials(token, account));
}

/** Whether the device asks every page to save data; not every browser tells. */
function deviceSaves(): boolean {
  const line: unknown = "connection" in navigator ? navigator.connection : null;
  return typeof line === "object" && line !== null && "saveData" in line && line.saveData === true;
}

/** Watch less and slower, to save data and battery: the member's wish. The device's own is heeded without it. */
export function setSaving(on: boolean): void {
  const saving = on || deviceSaves();
  void marketApi().then((worker) => worker.setSaving(saving));
}

/** What came over the line since the connection was made. */
export async function traffic(): Promise<Traffic> {
  return (await marketApi()).traffic();
}

/** Connect with the stored session. Does nothing when it is connected with it already, or when nobody is signed in. */
export function startMarket(options: MarketOptions = {}): void {
  const token = read("tokend");
  const account = read("account");
  if (token === null || account === null || token === running) return;
  if (running !== null) stopMarket();
  running = token;
  member = account;
  stopFollowing = onOtherTab("tokend", renew);
  startConnection(options.known);
  const slow = "deviceMemory" in navigator && Number(navigator.deviceMemory) <= 2;
  const language = document.documentElement.lang || (read("language") ?? "en");
  const connect = async (): Promise<void> => {
    const [worker, paths] = await Promise.all([marketApi(), workerPaths()]);
    // Meanwhile another tab may have renewed the session, or the member may have left.
    if (running === null || member !== account) return;
    await worker.connect({ origin: window.location.origin, token: running, account, paths, language, slow, all: options.all ?? false });
  };
  // Where to call comes in a file of its own, and a line may be down at just that moment.
  const connecting = (): void => void connect().catch(() => setTimeout(() => member === account && connecting(), RECONNECT_MS));
  connecting();
  if (deviceSaves()) setSaving(true);
  document.addEventListener("visibilitychange", visibility);
}

/** Disconnect and forget everything of the member's. */
export function stopMarket(): void {
  if (running === null) return;
  running = null;
  stopFollowing?.();
  document.removeEventListener("visibilitychange", visibility);
  void marketApi().then((worker) => worker.disconnect());
  stopConnection();
  clearCells();
  forgetLatest();
  clearInstruments();
}

// The worker's HTTP 401, or the socket's word for it: the same end as the gateway's.
onWorkerMessage("expired", () => {
  if (read("tokend") === running) expired$.next();
});
