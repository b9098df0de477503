// @vitest-environment happy-dom
/** Tests resources: one snapshot for many subscribers, deltas on top, old data after a failure, and nothing of a previous member. */
import { Subject } from "rxjs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Outcome } from "#src/gateway/api.ts";
import { pagedResource } from "#src/streams/pages.ts";
import { forgetAll, resource, resourceByKey } from "#src/streams/resource.ts";
import type { Delta } from "#src/streams/resource.ts";
import { withOrder } from "#src/streams/orders.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";

const ok = <Data>(data: Data): Outcome<Data> => ({ ok: true, data, msg: "", refused: null, failed: null });
const lost = { ok: false, refused: null, failed: "network" } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a resource", () => {
  test("loads once for all subscribers and again for the next first one", async () => {
    const load = vi.fn(() => Promise.resolve(ok(1)));
    const one = resource({ load });
    const first = one.state$.subscribe();
    const second = one.state$.subscribe();
    await vi.advanceTimersByTimeAsync(0);
    expect(load).toHaveBeenCalledTimes(1);
    first.unsubscribe();
    second.unsubscribe();
    expect(one.now()).toEqual({ value: 1, state: "ready", failure: null });
    one.state$.subscribe();
    expect(one.now()).toEqual({ value: 1, state: "loading", failure: null });
    expect(load).toHaveBeenCalledTimes(2);
  });

  test("applies deltas that arrived during the load on top of the snapshot", async () => {
    const deltas$ = new Subject<Delta<string>>();
    let arrive: (outcome: Outcome<string>) => void = () => undefined;
    const one = resource({ load: () => new Promise<Outcome<string>>((resolve) => (arrive = resolve)), deltas$ });
    one.state$.subscribe();
    deltas$.next((value) => `${value} b`);
    arrive(ok("a"));
    await vi.advanceTimersByTimeAsync(0);
    deltas$.next((value) => `${value} c`);
    expect(one.now().value).toBe("a b c");
  });

  test("that fails keeps its value and retries with growing delays", async () => {
    const answers: Outcome<number>[] = [ok(1), lost, lost, ok(2)];
    const load = vi.fn(() => Promise.resolve(answers.shift() ?? lost));
    const one = resource({ load });
    one.state$.subscribe();
    await vi.advanceTimersByTimeAsync(0);
    one.refetch();
    await vi.advanceTimersByTimeAsync(0);
    expect(one.now()).toEqual({ value: 1, state: "failed", failure: "network" });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(load).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(one.now()).toEqual({ value: 2, state: "ready", failure: null });
  });

  test("requested again during a load loads once more afterwards", async () => {
    const load = vi.fn(() => Promise.resolve(ok(load.mock.calls.length)));
    const one = resource<number>({ load });
    one.state$.subscribe();
    one.refetch();
    one.refetch();
    await vi.advanceTimersByTimeAsync(0);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test("forgets the previous member's data, also a late answer", async () => {
    let arrive: (outcome: Outcome<string>) => void = () => undefined;
    const one = resource({ load: () => new Promise<Outcome<string>>((resolve) => (arrive = resolve)) });
    const watching = one.state$.subscribe();
    forgetAll(false);
    arrive(ok("of the member before"));
    await vi.advanceTimersByTimeAsync(0);
    expect(one.now().value).toBeNull();
    watching.unsubscribe();
  });
});

describe("resources by key", () => {
  test("are the same for the same key, and only a limited number of unwatched ones is cached", async () => {
    const load = vi.fn(() => Promise.resolve(ok(1)));
    const of = resourceByKey<string, number>(() => ({ load }));
    const [first, watched] = [of("first"), of("watched")];
    watched.state$.subscribe();
    expect(of("first")).toBe(first);
    for (let at = 0; at < 59; at += 1) of(`${at}`);
    expect(of("watched")).toBe(watched);
    expect(of("first")).not.toBe(first);
    await vi.advanceTimersByTimeAsync(0);
    forgetAll(false);
    expect(watched.now().value).toBeNull();
  });
});

describe("pages", () => {
  const pages: Record<string, { items: string[]; next: string | null }> = {
    first: { items: ["f", "e", "d"], next: "2" },
    "2": { items: ["d", "c"], next: "3" },
    "3": { items: ["b"], next: null },
  };
  const load = (cursor: string | null) => Promise.resolve(ok(pages[cursor ?? "first"] ?? { items: [], next: null }));

  test("follow each other without duplicates, and survive a new first page", async () => {
    const list = pagedResource<string>({ load, keyOf: (item) => item });
    list.state$.subscribe();
    await vi.advanceTimersByTimeAsync(0);
    expect(await list.more()).toBe(true);
    expect(await list.more()).toBe(true);
    expect(await list.more()).toBe(true);
    expect(list.now().value).toEqual({ items: ["f", "e", "d", "c", "b"], next: null });
    pages["first"] = { items: ["g", "f", "e"], next: "x" };
    list.refetch();
    await vi.advanceTimersByTimeAsync(0);
    expect(list.now().value).toEqual({ items: ["g", "f", "e", "d", "c", "b"], next: null });
  });
});

describe("a list of orders", () => {
  const old = orderOf({ orderNo: "K1", placedAt: 1, version: 1 });
  const young = orderOf({ orderNo: "K2", placedAt: 2, version: 5 });
  const list = [young, old];

  test("applies the newer version and keeps the newest first", () => {
    const newer = { ...old, version: 2 };
    expect(withOrder(list, newer, true)).toEqual([young, newer]);
    const newest = orderOf({ orderNo: "K3", placedAt: 3 });
    expect(withOrder(list, newest, true)).toEqual([newest, young, old]);
  });

  test("is unchanged by known versions and by orders that do not belong", () => {
    expect(withOrder(list, { ...young, version: 4 }, false)).toBe(list);
    expect(withOrder(list, orderOf({ orderNo: "K4" }), false)).toBe(list);
    expect(withOrder(list, { ...young, version: 6 }, false)).toEqual([old]);
  });
});
