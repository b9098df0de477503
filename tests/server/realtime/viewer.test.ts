/** Tests conflation: a slow connection gets the newest values later, never a queue, and its batch numbers have no gap. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WATCHED_RANKS } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import { MAX_TRADES, TAPE_STRIDE } from "#contract/tape.ts";
import type { Broadcast } from "#server/realtime/broadcast.ts";
import { Viewer } from "#server/realtime/viewer.ts";
import type { QuoteCache } from "#server/realtime/viewer.ts";
import { openReaders, readChannels } from "#server/venue/market-data/channel-reader.ts";
import type { Venue } from "#server/venue/venue.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";

const view = (rows: number[]): View => ({
  rows,
  ranks: [],
  channels: { depth: 0, tape: 9, heat: true },
  beatMs: 100,
  all: false,
});

/** The number of a depth, the numbers of trades, or the value itself. */
function textOf(payload: { seq?: number; row?: number; trades?: number[] }): string {
  if (payload.seq !== undefined) return String(payload.seq);
  if (payload.trades) return `${payload.row}: ${payload.trades.filter((_, at) => at % TAPE_STRIDE === 0).join()}`;
  return JSON.stringify(payload);
}

function stand(rows: number[]) {
  const values = new Map<number, number>();
  const trades: number[] = [];
  const quoteCache: QuoteCache = { text: (row) => `${row}:${values.get(row) ?? 0}` };
  const venue: Venue = {
    ...stubVenue(10),
    depth: (row) => ({
      row,
      seq: values.get(row) ?? 0,
      at: 0 as never,
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
    }),
    publicTape: (_row, after) => trades.slice(after * TAPE_STRIDE).slice(-MAX_TRADES * TAPE_STRIDE),
  };
  const written: string[] = [];
  const state = { writable: true };
  const viewer = new Viewer({
    writable: () => state.writable,
    quotes: (numbers) => void written.push(numbers),
    ranks: () => undefined,
    channel: (channel, json) => void written.push(`${channel} ${textOf(JSON.parse(json))}`),
  });
  const readers = openReaders(venue, view(rows).channels);
  // The snapshot reads every channel once.
  readChannels(readers);
  viewer.show(view(rows), { rankings: [], readers }, 0);
  const move = (row: number): void => {
    values.set(row, (values.get(row) ?? 0) + 1);
    viewer.changed(row);
  };
  /** Adds the next trade of the watched row, which also marks the row as changed. */
  const trade = (at: number): void => {
    trades.push(trades.length / TAPE_STRIDE + 1, at, 100, 1, 1);
    viewer.changed(9);
  };
  return { viewer, quoteCache, written, state, move, trade, trades, values };
}

describe("a slow connection", () => {
  it("gets the newest value of each row once when it can, and each row only once", () => {
    const { viewer, quoteCache, written, state, move } = stand([1, 2]);
    state.writable = false;
    for (let turn = 1; turn <= 1_000; turn += 1) {
      move(1);
      move(3);
      viewer.send(quoteCache, turn * 100, 100, 450);
    }
    expect(written).toEqual([]);
    state.writable = true;
    viewer.send(quoteCache, 200_000, 100, 450);
    expect(written).toEqual(["1,200000,1:1000"]);
  });

  it("gets the newest depth once", () => {
    const { viewer, quoteCache, written, state, move } = stand([]);
    state.writable = false;
    for (let turn = 1; turn <= 10; turn += 1) move(0);
    viewer.send(quoteCache, 100, 100, 450);
    state.writable = true;
    viewer.send(quoteCache, 200, 100, 450);
    viewer.send(quoteCache, 300, 100, 450);
    expect(written).toEqual(["depth 10"]);
  });

  it("gets only the newest of the trades it missed, each once", () => {
    const { viewer, quoteCache, written, state, trade } = stand([]);
    const send = (now: number): void => viewer.send(quoteCache, now, 100, Infinity);
    trade(1);
    trade(2);
    send(100);
    send(200);
    trade(3);
    send(300);
    state.writable = false;
    for (let nth = 0; nth < 250; nth += 1) {
      trade(4 + nth);
      send(400 + nth);
    }
    state.writable = true;
    send(900);
    send(1_000);
    const newest = Array.from({ length: MAX_TRADES }, (_, at) => 154 + at);
    expect(written).toEqual(["tape 9: 1,2", "tape 9: 3", `tape 9: ${newest.join()}`]);
  });

  it("gets a new day's trades from the first one, even if there are many", () => {
    const { viewer, quoteCache, written, trade, trades } = stand([]);
    const send = (): void => viewer.send(quoteCache, 100, 100, Infinity);
    trade(1);
    trade(2);
    send();
    trades.length = 0;
    viewer.changed(9);
    send();
    for (const at of [10, 11]) trade(at);
    send();
    trades.length = 0;
    for (const at of [20, 21, 22, 23]) trade(at);
    send();
    trade(24);
    send();
    expect(written).toEqual(["tape 9: 1,2", "tape 9: 1,2", "tape 9: 1,2,3,4", "tape 9: 5"]);
  });

  it("gets a broadcast once, with its newest value", () => {
    const { viewer, quoteCache, written, state } = stand([]);
    const heat: Broadcast = { channel: "heat", read: () => [], text: "[1]", viewers: new Set([viewer]) };
    state.writable = false;
    for (let turn = 0; turn < 5; turn += 1) {
      heat.text = `[${turn}]`;
      viewer.broadcastsPending.add(heat);
      viewer.send(quoteCache, 100, 100, Infinity);
    }
    state.writable = true;
    viewer.send(quoteCache, 200, 100, Infinity);
    viewer.send(quoteCache, 300, 100, Infinity);
    expect(written).toEqual(["heat [4]"]);
  });

  it("holds no more than the watched rows, ends with the newest values, and numbers batches 1, 2, 3 …", () => {
    const step = fc.oneof(
      fc.record({ move: fc.nat({ max: 9 }) }),
      fc.record({ writable: fc.boolean() }),
      fc.constant({ send: true as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { viewer, quoteCache, written, state, move, values } = stand([1, 2, 3, 4]);
        const client = new Map<number, number>();
        let now = 0;
        const send = (): void => viewer.send(quoteCache, (now += 100), 100, 450);
        for (const step of steps) {
          if ("move" in step) move(step.move);
          else if ("writable" in step) state.writable = step.writable;
          else send();
          expect(viewer.pending.size).toBeLessThanOrEqual(4);
        }
        state.writable = true;
        send();
        const batches = written.filter((text) => !text.startsWith("depth")).map((text) => text.split(","));
        expect(batches.map(([n]) => Number(n))).toEqual(batches.map((_, at) => at + 1));
        for (const [row, value] of batches.flatMap((batch) => batch.slice(2)).map((text) => text.split(":").map(Number))) {
          client.set(row ?? 0, value ?? 0);
        }
        for (const row of [1, 2, 3, 4]) expect(client.get(row) ?? 0).toBe(values.get(row) ?? 0);
      }),
    );
  });
});

it("watches only the first instruments of a long ranking", () => {
  const { viewer } = stand([]);
  const rows = Array.from({ length: 200 }, (_, at) => 500 - at);
  const board = { key: "", view: { by: "gainers", board: null, category: null, size: 200 } as const, rows, viewers: new Set([viewer]) };
  viewer.show(view([7]), { rankings: [board], readers: [] }, 0);
  expect(new Set(viewer.watched)).toEqual(new Set([7, ...rows.slice(0, WATCHED_RANKS)]));
});
