// @vitest-environment happy-dom
/** A list sorted by a column: what the worker is asked, and what is shown until it answers. */
import { createRoot } from "react-dom/client";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useSorted } from "#src/screens/quote/lists.ts";
import type { Sort } from "#src/screens/quote/sorting.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { forgetLatest } from "#src/streams/latest-by-key.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";

const BY_PRICE: Sort = { by: "last", descending: true };

let worker: FakeWorker;
let root: Root;
let host: HTMLElement;

function List({ codes, sort }: { codes: readonly string[]; sort: Sort | null }) {
  return useSorted(codes, sort)?.join(" ");
}

/** The sorted lists the worker was asked for, each once, in the order they came up. */
const asked = (): string[] => [
  ...new Set(worker.received.flatMap((message) => (message.kind === "watching" ? message.watching.sorts.map(({ key }) => key) : []))),
];
const reads = (text: string): Promise<void> => vi.waitFor(() => expect(host.textContent).toBe(text), { timeout: 1_500, interval: 5 });
const show = (codes: readonly string[], sort: Sort | null, text: string): Promise<void> => {
  root.render(<List codes={codes} sort={sort} />);
  return reads(text);
};
const told = (key: string, codes: string[], text: string): Promise<void> => {
  worker.frame({ ranks: [[key, codes]] });
  return reads(text);
};
const known = (count: number): Promise<string> =>
  vi.waitFor(
    () => {
      expect(asked()).toHaveLength(count);
      return asked().at(-1) ?? "";
    },
    { timeout: 1_500, interval: 5 },
  );

beforeEach(async () => {
  forgetLatest();
  worker = fakeWorker();
  await marketApi();
  host = document.createElement("div");
  root = createRoot(host);
});

afterEach(() => root.unmount());

describe("a sorted list", () => {
  it("stands in its own order until the worker has told another, and again when it is sorted no more", async () => {
    await show(["a", "b", "c"], null, "a b c");
    await show(["a", "b", "c"], BY_PRICE, "a b c");
    await told(await known(1), ["c", "a", "b"], "c a b");
    await show(["a", "b", "c"], null, "a b c");
  });

  it("asks anew when its members change, not when a ranking only changes their order", async () => {
    await show(["a", "b", "c"], BY_PRICE, "a b c");
    await told(await known(1), ["c", "a", "b"], "c a b");
    await show(["b", "c", "a"], BY_PRICE, "c a b");
    // Who is new stands behind until the next order comes.
    await show(["d", "b", "c"], BY_PRICE, "c b d");
    await told(await known(2), ["d", "c", "b"], "d c b");
  });
});
