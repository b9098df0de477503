/** Tests the service worker: it shows what is pushed unless the member looks at the app, and a tap opens the order. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, it, vi } from "vitest";

type Listener = (event: unknown) => void;
interface Page {
  visibilityState: string;
  focused: boolean;
  navigate: (to: string) => Promise<void>;
  focus: () => void;
}

let listeners: Map<string, Listener>;
let pages: Page[];
const shown = vi.fn((_title: string, _options: object) => Promise.resolve());
const opened = vi.fn((_to: string) => Promise.resolve());

beforeEach(() => {
  [listeners, pages] = [new Map(), []];
  shown.mockClear();
  opened.mockClear();
  const self = {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    clients: { matchAll: () => Promise.resolve(pages), openWindow: opened, claim: () => Promise.resolve() },
    registration: { showNotification: shown },
  };
  runInNewContext(readFileSync("public/notification-worker.js", "utf8"), { self });
});

/** Dispatches an event and waits for what it waits for. */
async function dispatch(name: string, event: object): Promise<void> {
  let work: Promise<unknown> | undefined;
  listeners.get(name)?.({ ...event, waitUntil: (promise: Promise<unknown>) => (work = promise) });
  await work;
}
const page = (visibilityState: string): Page => ({
  visibilityState,
  focused: false,
  navigate: vi.fn(() => Promise.resolve()),
  focus: vi.fn(),
});
const PAYLOAD = {
  title: "台積電 買進成交 2張 @ 1,035.00",
  text: "委託書號 K1",
  route: "/trade/positionDetail?orderNo=K1",
  tag: "K1 buy fill",
  urgent: false,
};
const push = (payload: unknown): Promise<void> => dispatch("push", { data: { json: () => payload } });

describe("a pushed notification", () => {
  it("is shown while no page is visible, and replaces the one with its tag", async () => {
    pages = [page("hidden")];
    await push(PAYLOAD);
    expect(shown).toHaveBeenCalledExactlyOnceWith(
      PAYLOAD.title,
      expect.objectContaining({
        body: PAYLOAD.text,
        tag: PAYLOAD.tag,
        renotify: true,
        requireInteraction: false,
        data: { route: PAYLOAD.route },
      }),
    );
    await push({ ...PAYLOAD, urgent: true });
    expect(shown).toHaveBeenLastCalledWith(PAYLOAD.title, expect.objectContaining({ requireInteraction: true }));
  });

  it("is left to the toast of a visible page", async () => {
    pages = [page("hidden"), page("visible")];
    await push(PAYLOAD);
    expect(shown).not.toHaveBeenCalled();
  });

  it("without content is ignored", async () => {
    await push({});
    await push(null);
    await dispatch("push", { data: null });
    await dispatch("push", { data: { json: () => JSON.parse("not json") as unknown } });
    expect(shown).not.toHaveBeenCalled();
  });
});

describe("a tap", () => {
  const tap = (): Promise<void> => dispatch("notificationclick", { notification: { close: vi.fn(), data: { route: PAYLOAD.route } } });

  it("opens the order in a new window, or in the open page", async () => {
    await tap();
    expect(opened).toHaveBeenCalledExactlyOnceWith(`/#${PAYLOAD.route}`);
    const open = page("hidden");
    pages = [open];
    await tap();
    expect(opened).toHaveBeenCalledTimes(1);
    expect(open.navigate).toHaveBeenCalledWith(`/#${PAYLOAD.route}`);
    expect(open.focus).toHaveBeenCalled();
  });
});
