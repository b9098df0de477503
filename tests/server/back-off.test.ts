/** Tests when rows whose step failed are tried again. */
import { expect, it } from "vitest";
import { BackOff } from "#server/kernel/back-off.ts";

it("tries again after 1, 2, 4 and at most 64 ticks, and from the beginning after a success", async () => {
  const backOff = new BackOff();
  const tried: number[] = [];
  const faults: unknown[] = [];
  let isBroken = true;
  const step = (tick: number) => async () => {
    tried.push(tick);
    if (isBroken) throw new Error("broken");
  };
  for (let tick = 1; tick <= 256; tick += 1) {
    backOff.tick();
    if (tick === 256) isBroken = false;
    await backOff.take("row", step(tick), (fault) => faults.push(fault));
  }
  expect(tried).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 192, 256]);
  expect(faults).toHaveLength(9);
  isBroken = true;
  tried.length = 0;
  for (let tick = 257; tick <= 260; tick += 1) {
    backOff.tick();
    await backOff.take("row", step(tick));
  }
  expect(tried).toEqual([257, 258, 260]);
});

it("lets no row wait for another", async () => {
  const backOff = new BackOff();
  backOff.tick();
  expect(await backOff.take("bad", () => Promise.reject(new Error("broken")))).toBe(false);
  expect(await backOff.take("bad", () => Promise.resolve())).toBe(false);
  expect(await backOff.take("good", () => Promise.resolve())).toBe(true);
});
