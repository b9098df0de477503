/** The page's end of the line to the worker: messages out, messages in; opened on first use. */
import { Subject } from "rxjs";
import { openMarketWorker } from "./worker.ts";
import type { FromWorker, MarketLink, RemoteDoor, ToWorker } from "./worker.ts";

/** Everything the worker says. */
export const messages$ = new Subject<FromWorker>();

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
  port.addEventListener("message", (event: MessageEvent<FromWorker>) => messages$.next(event.data));
  port.start();
  for (const message of waiting.splice(0)) port.postMessage(message);
  return link;
}

/** The worker's door; starts the worker when it does not run yet. */
export async function door(): Promise<RemoteDoor> {
  opening ??= opened();
  return (await opening).door;
}

/** Say something over the port; kept until the worker runs. */
export function post(message: ToWorker): void {
  if (port) port.postMessage(message);
  else waiting.push(message);
}
