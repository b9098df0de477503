/** The page's message link to the market worker; the worker starts on first use. */
import { openMarketWorker } from "./worker.ts";
import type { FromWorker, MarketLink, RemoteMarketApi, ToWorker } from "./worker.ts";

type Kind = FromWorker["kind"];
type MessageOf<Of extends Kind> = Extract<FromWorker, { kind: Of }>;

/** Plain sets instead of subjects: frames come ten times a second, and every extra layer costs time on a slow phone. */
const listeners = new Map<Kind, Set<(message: never) => void>>();

/** Listen to one kind of worker message. @returns a function that stops listening */
export function onWorkerMessage<Of extends Kind>(kind: Of, listener: (message: MessageOf<Of>) => void): () => void {
  const registered = listeners.get(kind) ?? new Set();
  listeners.set(kind, registered.add(listener));
  return () => void registered.delete(listener);
}

function onMessage(event: MessageEvent<FromWorker>): void {
  for (const listener of listeners.get(event.data.kind) ?? []) listener(event.data as never);
}

let opening: Promise<MarketLink> | null = null;
let port: MessagePort | null = null;
let open: () => Promise<MarketLink> = openMarketWorker;
const queued: ToWorker[] = [];

/** Replace the real worker before first use: tests and benchmarks. */
export function linkTo(opener: () => Promise<MarketLink>): void {
  open = opener;
  opening = null;
  port = null;
  queued.length = 0;
}

async function openLink(): Promise<MarketLink> {
  const link = await open();
  port = link.port;
  port.addEventListener("message", onMessage);
  port.start();
  for (const message of queued.splice(0)) port.postMessage(message);
  return link;
}

/** The worker's comlink API; starts the worker if necessary. */
export async function marketApi(): Promise<RemoteMarketApi> {
  opening ??= openLink();
  return (await opening).api;
}

/** Send a message to the worker; queued until the worker runs. */
export function post(message: ToWorker): void {
  if (port) port.postMessage(message);
  else queued.push(message);
}
