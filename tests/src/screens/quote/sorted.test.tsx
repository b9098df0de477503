// @vitest-environment happy-dom
/** Tests a list sorted by a column: what is requested from the worker, and what is shown until it answers. */
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

/** The keys of the sorted lists requested from the worker, without repeats, in order. */
const requestedSorts = (): string[] => [
  ...new Set(worker.received.flatMap((message) => (message.kind === "watching" ? message.watching.sorts.map(({ key }) => key) : []))),
];
const expectText = (text: string): Promise<void> => vi.waitFor(() => expect(host.textContent).toBe(text), { timeout: 1_500, interval: 5 });
const show = (codes: readonly string[], sort: Sort | null, text: string): Promise<void> => {
  root.render(<List codes={codes} sort={sort} />);
  return expectText(text);
};
const emitRanking = (key: string, codes: string[], text: string): Promise<void> => {
  worker.frame({ ranks: [[key, codes]] });
  return expectText(text);
};
const requestedSort = (count: number): Promise<string> =>
  vi.waitFor(
    () => {
      expect(requestedSorts()).toHaveLength(count);
      return requestedSorts().at(-1) ?? "";
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
  it("keeps its own order until the worker has sorted it, and again when unsorted", async () => {
    await show(["a", "b", "c"], null, "a b c");
    await show(["a", "b", "c"], BY_PRICE, "a b c");
    await emitRanking(await requestedSort(1), ["c", "a", "b"], "c a b");
    await show(["a", "b", "c"], null, "a b c");
  });

  it("requests again when its members change, not when only their order changes", async () => {
    await show(["a", "b", "c"], BY_PRICE, "a b c");
    await emitRanking(await requestedSort(1), ["c", "a", "b"], "c a b");
    await show(["b", "c", "a"], BY_PRICE, "c a b");
    // New members come last until the next order arrives.
    await show(["d", "b", "c"], BY_PRICE, "c b d");
    await emitRanking(await requestedSort(2), ["d", "c", "b"], "d c b");
  });
});
