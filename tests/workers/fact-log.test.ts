/** Tests the fact log: every fact exactly once and in order, despite lost, repeated and delayed messages. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Fact } from "#contract/fact.ts";
import { CallFailure } from "#workers/connection/http-client.ts";
import { FactLog } from "#workers/connection/fact-log.ts";
import { fact } from "./sample.ts";

/** A server with `count` facts that returns at most two per call. */
function factServer(count: () => number) {
  const requests: number[] = [];
  const read = async (after: number) => {
    requests.push(after);
    await Promise.resolve();
    const all = Array.from({ length: count() }, (_, at) => fact(at + 1));
    return { facts: all.filter(({ n }) => n > after).slice(0, 2), newest: count() };
  };
  return { requests, read };
}

describe("the fact log", () => {
  it("starts after the newest existing fact", async () => {
    let count = 3;
    const emitted: number[] = [];
    const log = new FactLog(factServer(() => count).read, (facts) => emitted.push(...facts.map(({ n }) => n)));
    await log.catchUp();
    expect(emitted).toEqual([]);
    count = 4;
    log.pushed(fact(4));
    log.pushed(fact(4));
    log.pushed(fact(2));
    expect(emitted).toEqual([4]);
  });

  it("reads missed facts in pages", async () => {
    let count = 1;
    const emitted: number[] = [];
    const { requests, read } = factServer(() => count);
    const log = new FactLog(read, (facts) => emitted.push(...facts.map(({ n }) => n)));
    await log.catchUp();
    count = 6;
    log.pushed(fact(6));
    await log.catchUp();
    await new Promise((done) => setTimeout(done, 5));
    expect(emitted).toEqual([2, 3, 4, 5, 6]);
    expect(requests.slice(1, 4)).toEqual([1, 3, 5]);
  });

  it("retries a failed read until it succeeds or the log is reset", async () => {
    vi.useFakeTimers();
    let broken = false;
    let count = 1;
    const emitted: number[] = [];
    const { requests, read } = factServer(() => count);
    const readOrFail = async (after: number) => {
      if (!broken) return read(after);
      requests.push(after);
      throw new CallFailure("unreachable", "no answer");
    };
    const log = new FactLog(readOrFail, (facts) => emitted.push(...facts.map(({ n }) => n)));
    await log.catchUp();
    count = 3;
    broken = true;
    log.pushed(fact(3));
    await vi.advanceTimersByTimeAsync(2_500);
    expect(emitted).toEqual([]);
    broken = false;
    await vi.advanceTimersByTimeAsync(2_500);
    expect(emitted).toEqual([2, 3]);
    broken = true;
    await expect(log.catchUp()).rejects.toThrow("no answer");
    const before = requests.length;
    log.reset();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests.length).toBe(before);
    vi.useRealTimers();
  });

  it("loses nothing that is pushed while its starting number cannot be read", async () => {
    vi.useFakeTimers();
    let broken = true;
    let count = 3;
    const emitted: number[] = [];
    const { read } = factServer(() => count);
    const readOrFail = (after: number) => (broken ? Promise.reject(new CallFailure("unreachable", "no answer")) : read(after));
    const log = new FactLog(readOrFail, (facts) => emitted.push(...facts.map(({ n }) => n)));
    await expect(log.catchUp()).rejects.toThrow("no answer");
    for (const n of [4, 5, 6, 7]) {
      count = n;
      log.pushed(fact(n));
    }
    await vi.advanceTimersByTimeAsync(2_500);
    expect(emitted).toEqual([]);
    broken = false;
    await vi.advanceTimersByTimeAsync(2_500);
    expect(emitted).toEqual([4, 5, 6, 7]);
    log.pushed(fact(8));
    expect(emitted.at(-1)).toBe(8);
    vi.useRealTimers();
  });

  it("emits each fact once and in order for any pushes, losses and catch-ups", async () => {
    const steps = fc.array(fc.record({ lost: fc.boolean(), twice: fc.boolean(), catchUp: fc.boolean(), wait: fc.boolean() }), {
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (happens) => {
        let count = 2;
        const emitted: number[] = [];
        const log = new FactLog(factServer(() => count).read, (facts) => emitted.push(...facts.map(({ n }) => n)));
        await log.catchUp();
        for (const { lost, twice, catchUp, wait } of happens) {
          count += 1;
          if (!lost) log.pushed(fact(count));
          if (twice) log.pushed(fact(count));
          if (catchUp) void log.catchUp();
          if (wait) await new Promise((done) => setTimeout(done, 0));
        }
        await new Promise((done) => setTimeout(done, 2));
        await log.catchUp();
        await new Promise((done) => setTimeout(done, 2));
        expect(emitted).toEqual(Array.from({ length: count - 2 }, (_, at) => at + 3));
      }),
      { numRuns: 40 },
    );
  });

  it("emits nothing of the previous member after a reset", async () => {
    const emitted: number[] = [];
    let give: () => void = () => undefined;
    const log = new FactLog(
      () => new Promise((done) => (give = () => done({ facts: [fact(1)], newest: 1 }))),
      (facts) => emitted.push(...facts.map(({ n }) => n)),
    );
    const reading = log.catchUp();
    log.reset();
    give();
    await reading;
    expect(emitted).toEqual([]);
  });

  it("takes no number of the previous member from an answer that comes after a reset", async () => {
    const emitted: number[] = [];
    const answers: ((page: { facts: Fact[]; newest: number }) => void)[] = [];
    const log = new FactLog(
      () => new Promise((done) => answers.push(done)),
      (facts) => emitted.push(...facts.map(({ n }) => n)),
    );
    const first = log.catchUp();
    answers[0]?.({ facts: [], newest: 5 });
    await first;
    const late = log.catchUp();
    log.reset();
    const second = log.catchUp();
    answers[1]?.({ facts: [fact(6)], newest: 6 });
    await late;
    answers[2]?.({ facts: [], newest: 2 });
    await second;
    log.pushed(fact(3));
    expect(emitted).toEqual([3]);
  });
});
