/** Tests offerings of the simulated market: every issue has a row that reaches the phase of its dates, and its draw can be checked. */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyDraw } from "#contract/draw.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";

let server: TestServer;
let me: Headers;
beforeAll(async () => {
  server = await startTestServer({ venue: { newIssues: true, codes: ["2330", "IX0001"] } });
  me = await server.enter();
});
afterAll(() => server.stop());

const listed = async () => {
  const { data } = await server.call("listOfferings", { phases: null, kinds: null, cursor: null }, me);
  return data?.page.items.map(({ offering }) => offering) ?? [];
};

it("has rows in every phase of a lottery's life, each in the one of its dates", async () => {
  const isLottery = ({ kind, auction }: Awaited<ReturnType<typeof listed>>[number]): boolean =>
    (kind === "share" || kind === "bond") && auction === null;
  // The clock takes those of the past, one after the other, through their lives.
  const isSettled = (all: Awaited<ReturnType<typeof listed>>): boolean =>
    all.some((one) => one.phase === "listed" && isLottery(one)) &&
    all
      .filter(isLottery)
      .every(({ phase, opensAt, tradesFrom }) =>
        opensAt > Date.now() ? phase === "upcoming" : tradesFrom > Date.now() || phase === "listed",
      );
  let offerings = await listed();
  for (let tries = 0; tries < 600 && !isSettled(offerings); tries += 1) {
    await wait(50);
    offerings = await listed();
  }
  expect(isSettled(offerings)).toBe(true);
  expect(offerings.filter(isLottery).length).toBeGreaterThan(3);
  const drawn = offerings.find(({ phase, kind }) => phase === "listed" && (kind === "share" || kind === "bond"));
  if (!drawn) throw new Error("nothing is listed");
  expect(drawn.winningLots).toBeGreaterThan(0);
  const { data: draw } = await server.call("readDraw", { offeringNo: drawn.offeringNo }, me);
  if (!draw) throw new Error("no draw");
  expect(verifyDraw(draw, [])).toMatchObject({ secret: true, crowd: true, list: true, result: true });
});
