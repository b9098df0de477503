/** A worker that says what a test tells it, in place of the real one. */
import { linkTo } from "#src/streams/worker-link.ts";
import type { Frame, FromWorker, RemoteMarketApi, ToWorker } from "#src/streams/worker.ts";

export interface FakeWorker {
  /** Everything the page said over the port. */
  heard: ToWorker[];
  /** Every call through the door: its name and arguments. */
  calls: [name: string, ...args: unknown[]][];
  say(message: FromWorker): void;
  /** Say a frame with these parts. */
  frame(parts: Partial<Frame>): void;
}

/** Put a fake worker behind the link. */
export function fakeWorker(answers: Record<string, unknown> = {}): FakeWorker {
  const { port1: page, port2: worker } = new MessageChannel();
  const heard: ToWorker[] = [];
  const calls: FakeWorker["calls"] = [];
  worker.addEventListener("message", (event: MessageEvent<ToWorker>) => heard.push(event.data));
  worker.start();
  const door = new Proxy(
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
  linkTo(async () => ({ api: door, port: page }));
  const say = (message: FromWorker): void => worker.postMessage(message);
  return { heard, calls, say, frame: (parts) => say({ kind: "frame", cells: [], ...parts }) };
}
