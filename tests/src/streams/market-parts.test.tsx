// @vitest-environment happy-dom
/** Tests further market streams: heat, tape, index contributors, sorted lists, and the data saver. */
import { createRoot } from "react-dom/client";
import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { write } from "#src/gateway/storage.ts";
import { contribution$, useContribution } from "#src/streams/contributions.ts";
import type { ContributionUpdate } from "#src/streams/contributions.ts";
import { heat$, useHeat } from "#src/streams/sector-heats.ts";
import type { HeatUpdate } from "#src/streams/sector-heats.ts";
import { setSaving, startMarket, stopMarket, traffic } from "#src/streams/market.ts";
import { sorted$ } from "#src/streams/rankings.ts";
import { tape$ } from "#src/streams/tapes.ts";
import type { TapeUpdate } from "#src/streams/tapes.ts";
import type { Watching } from "#src/streams/worker.ts";
import { until } from "#tests/support/until.ts";
import { fakeWorker } from "./fake-worker.ts";
import type { FakeWorker } from "./fake-worker.ts";

const HEAT: HeatUpdate = { flat: [0, 125, 1, 0, 0, 0, 0, 5], texts: [["+1.25%", "5"]] };
const tape = (code: string): TapeUpdate => ({ code, flat: [1, 2, 3, 4, 1], texts: [["09:00:00", "0.00", "4"]] });
const movers = (code: string): ContributionUpdate => ({
  code,
  index: { row: 0, up: 1, down: 0, flat: 0, limitUp: 0, limitDown: 0, leaders: [[1, 10]], laggards: [] },
  texts: { leaders: ["+0.00"], laggards: [] },
});

let worker: FakeWorker;
const watching = (): Watching | undefined =>
  worker.received.flatMap((message) => (message.kind === "watching" ? [message.watching] : [])).at(-1);
const savings = (): unknown[] => worker.calls.flatMap(([name, on]) => (name === "setSaving" ? [on] : []));

beforeEach(() => {
  worker = fakeWorker({ traffic: { bytes: 5, messages: 1, quotes: 2, sinceMs: 3 } });
  write("tokend", "secret");
  write("account", "me");
});
afterEach(() => {
  stopMarket();
  vi.unstubAllGlobals();
});

describe("the parts of a frame", () => {
  it("go to their subscribers, and are watched as long as there are any", async () => {
    startMarket();
    const seen: unknown[] = [];
    const record = (update: unknown): void => void seen.push(update);
    const subscriptions = [heat$.subscribe(record), tape$("1001").subscribe(record), contribution$("IX0001").subscribe(record)];
    await until(() => watching()?.channels.heat === "");
    expect(watching()?.channels).toEqual({ heat: "", tape: "1001", contribution: "IX0001" });
    worker.frame({
      channels: [
        ["heat", "", HEAT],
        ["tape", "1001", tape("1001")],
        ["contribution", "IX0001", movers("IX0001")],
      ],
    });
    await until(() => seen.length === 3);
    worker.frame({ channels: [["tape", "1002", tape("1002")]] });
    const late = vi.fn();
    await until(() => {
      subscriptions.push(heat$.subscribe(late));
      return late.mock.calls.length > 0;
    });
    expect(late).toHaveBeenCalledWith(HEAT);
    expect(seen).toHaveLength(3);
    for (const each of subscriptions) each.unsubscribe();
    await until(() => watching()?.channels.heat === undefined);
    expect(watching()?.channels).toEqual({});
  });

  it("are watched one at a time where only one is allowed: the one subscribed last", async () => {
    startMarket();
    const first = tape$("1001").subscribe();
    const second = tape$("1002").subscribe();
    await until(() => watching()?.channels.tape === "1002");
    second.unsubscribe();
    await until(() => watching()?.channels.tape === "1001");
    first.unsubscribe();
  });

  it("are not visible to the next session", async () => {
    startMarket();
    const first = heat$.subscribe();
    worker.frame({ channels: [["heat", "", HEAT]] });
    const late = vi.fn();
    await until(() => {
      heat$.subscribe(late).unsubscribe();
      return late.mock.calls.length > 0;
    });
    stopMarket();
    late.mockClear();
    heat$.subscribe(late).unsubscribe();
    expect(late).not.toHaveBeenCalled();
    first.unsubscribe();
  });

  it("show in components by code", async () => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    startMarket();
    function Parts({ code }: { code: string }) {
      return <p>{[useHeat()?.texts[0]?.[0], useContribution(code)?.index.up].join(" ")}</p>;
    }
    const host = document.createElement("div");
    const root = createRoot(host);
    await act(async () => root.render(<Parts code="1001" />));
    expect(host.textContent).toBe(" ");
    worker.frame({
      channels: [
        ["heat", "", HEAT],
        ["contribution", "1001", movers("1001")],
      ],
    });
    const turn = (): Promise<void> => act(async () => void (await new Promise((done) => void setTimeout(done, 5))));
    for (let turns = 0; turns < 300 && host.textContent !== "+1.25% 1"; turns++) await turn();
    expect(host.textContent).toBe("+1.25% 1");
    await act(async () => root.render(<Parts code="1002" />));
    expect(host.textContent).toBe("+1.25% ");
    await act(async () => root.unmount());
  });
});

describe("a sorted list", () => {
  it("is sorted by the worker, and shows its last order at once when it is subscribed again", async () => {
    startMarket();
    const mine = { codes: ["1001", "1002"], by: "percent", descending: true } as const;
    const orders: string[][] = [];
    const first = sorted$({ ...mine, codes: [...mine.codes] }).subscribe((codes) => orders.push(codes));
    await until(() => watching()?.sorts.length === 1);
    const [sort] = watching()?.sorts ?? [];
    expect(sort?.sorting).toEqual(mine);
    worker.frame({ ranks: [[sort?.key ?? "", ["1002", "1001"]]] });
    await until(() => orders.length === 1);
    first.unsubscribe();
    await until(() => watching()?.sorts.length === 0);
    sorted$({ ...mine, codes: [...mine.codes] })
      .subscribe((codes) => orders.push(codes))
      .unsubscribe();
    expect(orders).toEqual([
      ["1002", "1001"],
      ["1002", "1001"],
    ]);
  });
});

describe("orders without subscribers", () => {
  it("are cached with their last value, up to a limit", async () => {
    startMarket();
    const seen = vi.fn();
    const of = (at: number) => sorted$({ codes: [`${at}`], by: "last", descending: true });
    for (let at = 0; at <= 32; at += 1) {
      const listener = vi.fn();
      const subscription = of(at).subscribe(listener);
      await until(() => watching()?.sorts.length === 1 && watching()?.sorts[0]?.sorting.codes[0] === `${at}`);
      worker.frame({ ranks: [[watching()?.sorts[0]?.key ?? "", [`${at}`]]] });
      await until(() => listener.mock.calls.length === 1);
      subscription.unsubscribe();
    }
    of(0).subscribe(seen).unsubscribe();
    expect(seen).not.toHaveBeenCalled();
    of(1).subscribe(seen).unsubscribe();
    of(32).subscribe(seen).unsubscribe();
    expect(seen.mock.calls).toEqual([[["1"]], [["32"]]]);
  });
});

describe("the data saver", () => {
  it("follows the member's preference", async () => {
    startMarket();
    setSaving(true);
    setSaving(false);
    await until(() => savings().length === 2);
    expect(savings()).toEqual([true, false]);
    expect(await traffic()).toEqual({ bytes: 5, messages: 1, quotes: 2, sinceMs: 3 });
  });

  it("is on when the device asks for it, regardless of the member's preference", async () => {
    vi.stubGlobal("navigator", Object.assign(Object.create(navigator) as object, { connection: { saveData: true } }));
    startMarket();
    setSaving(false);
    await until(() => savings().length === 2);
    expect(savings()).toEqual([true, true]);
  });
});
