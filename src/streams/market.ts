/** Starts and stops the market worker's connection: one per signed-in session. */
import type { AnyActorRef } from "xstate";
import { call, expired$ } from "#src/gateway/api.ts";
import { brokerOrigin } from "#src/gateway/shell.ts";
import { onOtherTab, read } from "#src/gateway/storage.ts";
import { clearCells } from "./cells.ts";
import { startConnection, stopConnection } from "./connection.ts";
import { clearInstruments } from "./instruments.ts";
import { marketApi, onWorkerMessage } from "./worker-link.ts";
import { forgetLatest } from "./latest-by-key.ts";
import { workerPaths } from "./worker.ts";
import type { Traffic } from "./worker.ts";

export interface MarketOptions {
  /** Called with the connection's actor. */
  onActor?: (actor: AnyActorRef) => void;
  /** Subscribe to the whole table: benchmarks only. */
  all?: boolean;
}

const RECONNECT_MS = 2_000;

/** The token and account the worker is connected with; null while it is not connected. */
let running: string | null = null;
let member: string | null = null;
let stopFollowing: (() => void) | null = null;

const sendVisibility = (): void => void marketApi().then((worker) => worker.setVisible(document.visibilityState === "visible"));

/** Pass on a session that another tab renewed: the next call and the next handshake use it. */
function renew(): void {
  const token = read("tokend");
  const account = read("account");
  if (running === null || token === null || account === null || account !== member) return;
  running = token;
  void marketApi().then((worker) => worker.setCredentials(token, account));
}

/** Whether the device asks pages to save data; not every browser exposes it. */
function deviceSaves(): boolean {
  const line: unknown = "connection" in navigator ? navigator.connection : null;
  return typeof line === "object" && line !== null && "saveData" in line && line.saveData === true;
}

/** Reduce subscriptions and update rate to save data and battery. The device's own setting applies in any case. */
export function setSaving(on: boolean): void {
  const saving = on || deviceSaves();
  void marketApi().then((worker) => worker.setSaving(saving));
}

/** Bytes and messages received since the connection was made. */
export async function traffic(): Promise<Traffic> {
  return (await marketApi()).traffic();
}

/** Connect with the stored session. Does nothing when already connected with it or when nobody is signed in. */
export function startMarket(options: MarketOptions = {}): void {
  const token = read("tokend");
  const account = read("account");
  if (token === null || account === null || token === running) return;
  if (running !== null) stopMarket();
  running = token;
  member = account;
  stopFollowing = onOtherTab("tokend", renew);
  startConnection(options.onActor);
  const slow = "deviceMemory" in navigator && Number(navigator.deviceMemory) <= 2;
  const language = document.documentElement.lang || (read("language") ?? "en");
  const connect = async (): Promise<void> => {
    const [worker, paths] = await Promise.all([marketApi(), workerPaths()]);
    // Another tab may have renewed the session meanwhile, or the member may have signed out.
    if (running === null || member !== account) return;
    await worker.connect({ origin: brokerOrigin(), token: running, account, paths, language, slow, all: options.all ?? false });
  };
  // The paths load in a separate file, which may fail while offline: try again.
  const connecting = (): void => void connect().catch(() => setTimeout(() => member === account && connecting(), RECONNECT_MS));
  connecting();
  if (deviceSaves()) setSaving(true);
  document.addEventListener("visibilitychange", sendVisibility);
}

/** Disconnect and clear all of the member's data. */
export function stopMarket(): void {
  if (running === null) return;
  running = null;
  stopFollowing?.();
  document.removeEventListener("visibilitychange", sendVisibility);
  void marketApi().then((worker) => worker.disconnect());
  stopConnection();
  clearCells();
  forgetLatest();
  clearInstruments();
}

// The worker received HTTP 401 or the socket's equivalent: handled like the gateway's.
onWorkerMessage("expired", () => void endSession(running));

/** Lets the server say why the session is over: its answer ends the session here. */
async function endSession(token: string | null): Promise<void> {
  if (token === null || read("tokend") !== token) return;
  const { failed } = await call("restoreSession", {}, { shownByCaller: true });
  if (failed !== "expired" && read("tokend") === token) expired$.next("ACC_SESSION_EXPIRED");
}
