/** The caller's patience: never sooner than agreed, later and later while a service fails, on a clock of the test's own. */
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
const ask = (caller: Caller): Promise<string> => caller.get(`${exchange.url}/stock/api/getStockInfo.jsp`, {}, read);
const failing = async (caller: Caller): Promise<string> =>
  ask(caller).then(
    () => "answered",
    (error: unknown) => (error instanceof CallFailed ? error.failing : String(error)),
  );

describe("a caller", () => {
  it("begins no call sooner after the one before than agreed, however many stand in line", async () => {
    const caller = makeCaller();
    await Promise.all([ask(caller), ask(caller), ask(caller)]);
    expect(waits).toEqual([5000, 5000]);
    expect(exchange.mostAtOnce).toBe(1);
    now += 2000;
    await ask(caller);
    expect(waits.at(-1)).toBe(3000);
    now += 60_000;
    await ask(caller);
    expect(waits).toHaveLength(3);
  });

  it("leaves the service more time when it asks for it", async () => {
    const caller = makeCaller();
    await ask(caller);
    caller.spare(20_000);
    caller.spare(1000);
    await ask(caller);
    expect(waits).toEqual([20_000]);
  });

  it.each([
    { fault: "cut", word: "silent", expected: [10_000, 20_000, 40_000] },
    { fault: "garbage", word: "garbage", expected: [10_000, 20_000, 40_000] },
    { fault: "ban", word: "refused", expected: [60_000, 120_000, 240_000] },
    { fault: "page", word: "refused", expected: [60_000, 120_000, 240_000] },
    { fault: "redirection", word: "refused", expected: [60_000, 120_000, 240_000] },
  ] as const)("waits twice as long after each $fault, and as ever after an answer", async ({ fault, word, expected }) => {
    const caller = makeCaller();
    exchange.faults.push(fault, fault, fault);
    expect([await failing(caller), await failing(caller), await failing(caller)]).toEqual([word, word, word]);
    expect(caller.failures).toBe(3);
    await ask(caller);
    expect(waits).toEqual(expected);
    expect(caller.failures).toBe(0);
    await ask(caller);
    expect(waits.at(-1)).toBe(5000);
  });

  it("does not take a greeting for an answer", async () => {
    const caller = makeCaller();
    exchange.faults.push("garbage", "garbage");
    await failing(caller);
    await caller.greet(`${exchange.url}/stock/index.jsp`, {}, ({ body }) => body);
    await failing(caller);
    await ask(caller);
    expect(waits).toEqual([10_000, 5000, 20_000]);
  });

  it("never waits for ever, and never as long as another that failed with it", async () => {
    let luck = 0;
    const caller = makeCaller({ random: () => luck });
    const faults: Fault[] = Array.from({ length: 8 }, () => "ban");
    exchange.faults.push(...faults);
    for (let nth = 0; nth < 8; nth += 1) await failing(caller);
    expect(Math.max(...waits)).toBe(900_000);
    await ask(caller);
    luck = 0.5;
    exchange.faults.push("cut");
    await failing(caller);
    await ask(caller);
    expect(waits.at(-1)).toBe(12_500);
  });

  it("gives up at once when it is stopped, and calls nobody any more", async () => {
    const caller = makeCaller({ timeoutMs: 60_000 });
    exchange.faults.push("silence");
    const first = ask(caller);
    const second = ask(caller);
    while (exchange.calls.length === 0) await new Promise((done) => setTimeout(done, 5));
    caller.stop();
    await expect(first).rejects.toThrow();
    await expect(second).rejects.toThrow();
    expect(exchange.calls).toHaveLength(1);
  });
});
