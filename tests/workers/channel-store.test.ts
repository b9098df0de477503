/** Tests the channels in the worker: requests by key, payloads of other keys, and what a frame takes. */
import { describe, expect, it } from "vitest";
import { epochMs } from "#contract/kernel/time.ts";
import type { Depth } from "#contract/quote.ts";
import { ChannelStore } from "#workers/channels/channel-store.ts";
import { unitsOf } from "#workers/short-number.ts";
import { instrument } from "./sample.ts";

const units = unitsOf("en");
const instruments = [0, 1, 2].map((row) => instrument(row));
const listing = { instruments, byCode: new Map(instruments.map((each) => [String(each.code), each])) };
const codeOf = (row: number): string => String(instruments[row]?.code);
const depth = (row: number, at: number): Depth => ({
  row,
  seq: at,
  at: epochMs(at),
  bids: [],
  asks: [],
  atBid: 0,
  atAsk: 0,
  trial: null,
  pausedUntil: null,
  isDelayedOpen: false,
  isDelayedClose: false,
  ordersFrom: null,
  callsEveryMs: null,
});

function storeOf(keys: Parameters<ChannelStore["watch"]>[0]): ChannelStore {
  const store = new ChannelStore();
  store.watch(keys);
  return store;
}

describe("the channels", () => {
  it("are requested by row, and not while their code is not listed", () => {
    const store = storeOf({ heat: "", depth: codeOf(2), tape: "unlisted" });
    expect(store.requests(listing)).toEqual({ heat: true, depth: 2 });
  });

  it("publish each update once, with its key", () => {
    const store = storeOf({ heat: "", depth: codeOf(1) });
    store.apply("heat", [0, 125, 1, 0, 0, 0, 0, 5], listing, units);
    store.apply("depth", depth(1, 7), listing, units);
    expect(store.collect()).toEqual([
      ["heat", "", { flat: [0, 125, 1, 0, 0, 0, 0, 5], texts: [["+1.25%", "5"]] }],
      ["depth", codeOf(1), depth(1, 7)],
    ]);
    expect(store.collect()).toEqual([]);
  });

  it("ignore older depth, other rows, and channels that are not watched", () => {
    const store = storeOf({ depth: codeOf(1) });
    store.apply("depth", depth(1, 7), listing, units);
    store.collect();
    store.apply("depth", depth(1, 6), listing, units);
    store.apply("depth", depth(2, 8), listing, units);
    store.apply("heat", [], listing, units);
    expect(store.collect()).toEqual([]);
  });

  it("keep their state while their key stays, and start over with another key or session", () => {
    const store = storeOf({ depth: codeOf(1) });
    store.apply("depth", depth(1, 7), listing, units);
    store.watch({ depth: codeOf(1), heat: "" });
    expect(store.collect()).toHaveLength(1);
    for (const again of [() => store.watch({ depth: codeOf(2) }), () => store.clear()]) {
      again();
      store.apply("depth", depth(2, 3), listing, units);
      expect(store.collect()).toEqual([["depth", codeOf(2), depth(2, 3)]]);
    }
  });

  it("ask for a snapshot when trades are missing", () => {
    const store = storeOf({ tape: codeOf(1) });
    const trade = (n: number): { row: number; trades: number[] } => ({ row: 1, trades: [n, n * 1_000, 10_000, 1, 1] });
    expect([1, 2, 4].map((n) => store.apply("tape", trade(n), listing, units))).toEqual([false, false, true]);
  });
});
