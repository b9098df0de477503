/** Tests the history thread: one per process for all venues, replaced after it died. */
import type { Worker } from "node:worker_threads";
import { afterAll, expect, test, vi } from "vitest";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { VenueStopped } from "#server/venue/venue-stopped.ts";

const AT = Date.parse("2026-11-18T11:20:40+08:00");
const started = vi.hoisted((): Worker[] => []);

vi.mock("node:worker_threads", async (original: () => Promise<{ Worker: typeof Worker }>) => {
  const real = await original();
  class Recorded extends real.Worker {
    constructor(...parameters: ConstructorParameters<typeof real.Worker>) {
      super(...parameters);
      started.push(this);
    }
  }
  return { ...real, Worker: Recorded };
});

const open = (seed: number) => openVenue({ seed, rate: 400, hours: "taiwan", now: () => AT });
const venue = open(21);
afterAll(() => venue.stop());

test("venues share one thread that outlives them, and each queries its own market", async () => {
  const bars = await venue.candles("2330", "day", null, 20);
  const [other, twin] = [open(22), open(21)];
  const others = await other.candles("2330", "day", null, 20);
  expect(others.bars).toHaveLength(bars.bars.length);
  expect(others).not.toEqual(bars);
  expect(await twin.candles("2330", "day", null, 20)).toEqual(bars);
  await Promise.all([other.stop(), twin.stop()]);
  expect(await venue.candles("2330", "day", null, 20)).toEqual(bars);
  expect(started.map(({ threadId }) => threadId > 0)).toEqual([true]);
});

test("a venue that stops rejects its own pending queries, and no other venue's", async () => {
  const other = open(22);
  const rejected = other.candles("IX0001", "day", null, 20).catch((error: unknown) => error);
  const answered = venue.candles("IX0001", "minute", null, 20);
  await other.stop();
  expect(await rejected).toBeInstanceOf(VenueStopped);
  expect((await answered).bars.length).toBeGreaterThan(0);
});

test("a venue that stops and starts again has its past again: a standby that is elected goes on with its market", async () => {
  const other = open(21);
  const bars = await other.candles("2330", "day", null, 20);
  await other.stop();
  await expect(other.candles("2330", "day", null, 20)).rejects.toThrow(VenueStopped);
  other.start();
  expect(await other.candles("2330", "day", null, 20)).toEqual(bars);
  await other.stop();
});

test("a thread that died rejects pending queries, and the next query starts another", async () => {
  const bars = await venue.candles("2330", "day", null, 20);
  const [first] = started;
  if (!first) throw new Error("no thread was started");
  const pending = ["IX0001", "IX0053"].map((code) => venue.candles(code, "day", null, 20).catch((error: unknown) => error));
  // Like a crash: the thread is ended from outside while it works.
  const ended = first.terminate();
  for (const answer of pending) expect(await answer).toEqual(new Error("the history thread has stopped"));
  await ended;
  expect(await venue.candles("2330", "day", null, 20)).toEqual(bars);
  expect(started).toHaveLength(2);
});
