/** Tests the caller's rate limit and backoff, on a clock controlled by the test. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CallFailed, Caller } from "#server/venue/feed/caller.ts";
import type { CallerOptions, Reply } from "#server/venue/feed/caller.ts";
import { openExchange } from "./exchange-stand-in.ts";
import type { Exchange, Fault } from "./exchange-stand-in.ts";

let exchange: Exchange;
let now = 0;
let waits: number[] = [];

beforeEach(async () => {
  exchange = await openExchange();
  now = 1_000_000;
  waits = [];
});
afterEach(() => exchange.stop());

const makeCaller = (options: Partial<CallerOptions> = {}): Caller =>
  new Caller({
    leastMs: 5000,
    timeoutMs: 5000,
    refusedMs: 60_000,
    mostMs: 900_000,
    now: () => now,
    random: () => 0,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    ...options,
  });
const read = ({ status, body }: Reply): string | null => (status === 200 && body.endsWith("}") && body.includes("0000") ? body : null);
const request = (caller: Caller): Promise<string> => caller.get(`${exchange.url}/stock/api/getStockInfo.jsp`, {}, read);
const outcome = async (caller: Caller): Promise<string> =>
  request(caller).then(
    () => "answered",
    (error: unknown) => (error instanceof CallFailed ? error.failing : String(error)),
  );

describe("a caller", () => {
  it("never starts a call before the agreed interval has passed, even with many queued calls", async () => {
    const caller = makeCaller();
    await Promise.all([request(caller), request(caller), request(caller)]);
    expect(waits).toEqual([5000, 5000]);
    expect(exchange.mostAtOnce).toBe(1);
    now += 2000;
    await request(caller);
    expect(waits.at(-1)).toBe(3000);
    now += 60_000;
    await request(caller);
    expect(waits).toHaveLength(3);
  });

  it("leaves the service more time when requested", async () => {
    const caller = makeCaller();
    await request(caller);
    caller.postpone(20_000);
    caller.postpone(1000);
    await request(caller);
    expect(waits).toEqual([20_000]);
  });

  it.each([
    { fault: "cut", word: "silent", expected: [10_000, 20_000, 40_000] },
    { fault: "garbage", word: "garbage", expected: [10_000, 20_000, 40_000] },
    { fault: "ban", word: "refused", expected: [60_000, 120_000, 240_000] },
    { fault: "page", word: "refused", expected: [60_000, 120_000, 240_000] },
    { fault: "redirection", word: "refused", expected: [60_000, 120_000, 240_000] },
  ] as const)("waits twice as long after each $fault, and the usual time after an answer", async ({ fault, word, expected }) => {
    const caller = makeCaller();
    exchange.faults.push(fault, fault, fault);
    expect([await outcome(caller), await outcome(caller), await outcome(caller)]).toEqual([word, word, word]);
    expect(caller.failures).toBe(3);
    await request(caller);
    expect(waits).toEqual(expected);
    expect(caller.failures).toBe(0);
    await request(caller);
    expect(waits.at(-1)).toBe(5000);
  });

  it("does not count a handshake as an answer", async () => {
    const caller = makeCaller();
    exchange.faults.push("garbage", "garbage");
    await outcome(caller);
    await caller.handshake(`${exchange.url}/stock/index.jsp`, {}, ({ body }) => body);
    await outcome(caller);
    await request(caller);
    expect(waits).toEqual([10_000, 5000, 20_000]);
  });

  it("limits the wait, and randomises it so that callers that failed together do not retry together", async () => {
    let roll = 0;
    const caller = makeCaller({ random: () => roll });
    const faults: Fault[] = Array.from({ length: 8 }, () => "ban");
    exchange.faults.push(...faults);
    for (let nth = 0; nth < 8; nth += 1) await outcome(caller);
    expect(Math.max(...waits)).toBe(900_000);
    await request(caller);
    roll = 0.5;
    exchange.faults.push("cut");
    await outcome(caller);
    await request(caller);
    expect(waits.at(-1)).toBe(12_500);
  });

  it("stops at once, and makes no further calls", async () => {
    const caller = makeCaller({ timeoutMs: 60_000 });
    exchange.faults.push("silence");
    const first = request(caller);
    const second = request(caller);
    while (exchange.calls.length === 0) await new Promise((done) => setTimeout(done, 5));
    caller.stop();
    await expect(first).rejects.toThrow();
    await expect(second).rejects.toThrow();
    expect(exchange.calls).toHaveLength(1);
  });
});
