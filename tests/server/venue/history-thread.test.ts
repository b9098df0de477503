/** The history thread: one for the whole process, whatever venues come and go, and another one when it has died. */
import type { Worker } from "node:worker_threads";
import { afterAll, expect, test, vi } from "vitest";
import { openVenue } from "#server/venue/simulated-venue.ts";

const AT = Date.parse("2026-11-18T11:20:40+08:00");
const started = vi.hoisted((): Worker[] => []);

vi.mock("node:worker_threads", async (original: () => Promise<{ Worker: typeof Worker }>) => {
  const real = await original();
  class Recorded extends real.Worker {
    constructor(...made: ConstructorParameters<typeof real.Worker>) {
      super(...made);
      started.push(this);
    }
  }
  return { ...real, Worker: Recorded };
});

const open = (seed: number) => openVenue({ seed, rate: 400, hours: "taiwan", now: () => AT });
const venue = open(21);
afterAll(() => venue.stop());

test("venues share one thread that outlives them, and each asks about its own market", async () => {
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

test("a venue that stops answers whoever still waits, and nobody else's question", async () => {
  const other = open(22);
  const left = other.candles("IX0001", "day", null, 20).catch((error: unknown) => error);
  const kept = venue.candles("IX0001", "minute", null, 20);
  await other.stop();
  expect(await left).toEqual(new Error("the venue has stopped"));
  expect((await kept).bars.length).toBeGreaterThan(0);
});

test("a thread that died rejects what waits, and the next question is answered by another", async () => {
  const bars = await venue.candles("2330", "day", null, 20);
  const [first] = started;
  if (!first) throw new Error("no thread was started");
  const waiting = ["IX0001", "IX0053"].map((code) => venue.candles(code, "day", null, 20).catch((error: unknown) => error));
  // As good as a crash: the thread is ended from outside while it works.
  const ended = first.terminate();
  for (const answer of waiting) expect(await answer).toEqual(new Error("the history thread has stopped"));
  await ended;
  expect(await venue.candles("2330", "day", null, 20)).toEqual(bars);
  expect(started).toHaveLength(2);
});
