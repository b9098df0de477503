/** The page's end of the line to the worker: messages out, messages in; opened on first use. */
import { openMarketWorker } from "./worker.ts";
import type { FromWorker, MarketLink, RemoteMarketApi, ToWorker } from "./worker.ts";

type Kind = FromWorker["kind"];
type Said<Of extends Kind> = Extract<FromWorker, { kind: Of }>;

/** Plain sets, not subjects: frames come ten times a second, and each step between costs a cheap phone. */
const listeners = new Map<Kind, Set<(message: never) => void>>();

/** Listen to one kind of what the worker says. Returns how to stop. */
export function onWorkerMessage<Of extends Kind>(kind: Of, listener: (message: Said<Of>) => void): () => void {
  const beside = listeners.get(kind) ?? new Set();
  listeners.set(kind, beside.add(listener));
  return () => void beside.delete(listener);
}

function said(event: MessageEvent<FromWorker>): void {
  for (const listener of listeners.get(event.data.kind) ?? []) listener(event.data as never);
}

let opening: Promise<MarketLink> | null = null;
let port: MessagePort | null = null;
let open: () => Promise<MarketLink> = openMarketWorker;
const waiting: ToWorker[] = [];

/** Put another worker in place of the real one, before first use: tests and benches. */
export function linkTo(opener: () => Promise<MarketLink>): void {
  open = opener;
  opening = null;
  port = null;
  waiting.length = 0;
}

async function opened(): Promise<MarketLink> {
  const link = await open();
  port = link.port;
  port.addEventListener("message", said);
  port.start();
  for (const message of waiting.splice(0)) port.postMessage(message);
  return link;
}

/** The worker's door; starts the worker when it does not run yet. */
export async function marketApi(): Promise<RemoteMarketApi> {
  opening ??= opened();
  return (await opening).api;
}

/** Say something over the port; kept until the worker runs. */
export function post(message: ToWorker): void {
  if (port) port.postMessage(message);
  else waiting.push(message);
}
