/** A fake market worker that sends what a test defines. */
import { linkTo } from "#src/streams/worker-link.ts";
import type { Frame, FromWorker, RemoteMarketApi, ToWorker } from "#src/streams/worker.ts";

export interface FakeWorker {
  /** Every message the page sent over the port. */
  received: ToWorker[];
  /** Every API call: its name and arguments. */
  calls: [name: string, ...args: unknown[]][];
  emit(message: FromWorker): void;
  /** Sends a frame with these parts. */
  frame(parts: Partial<Frame>): void;
}

/** Connects a fake worker in place of the real one. */
export function fakeWorker(answers: Record<string, unknown> = {}): FakeWorker {
  const { port1: page, port2: worker } = new MessageChannel();
  const received: ToWorker[] = [];
  const calls: FakeWorker["calls"] = [];
  worker.addEventListener("message", (event: MessageEvent<ToWorker>) => received.push(event.data));
  worker.start();
  const api = new Proxy(
    {},
    {
      get: (_, name) =>
        name === "then"
          ? undefined
          : async (...args: unknown[]) => {
              calls.push([String(name), ...args]);
              return answers[String(name)];
            },
    },
  ) as RemoteMarketApi;
  linkTo(async () => ({ api, port: page }));
  const emit = (message: FromWorker): void => worker.postMessage(message);
  return { received, calls, emit, frame: (parts) => emit({ kind: "frame", cells: [], ...parts }) };
}
