/** Tests that a fact which overtakes the answer to its order's command is not undone by the answer. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { beforeAll, expect, test } from "vitest";
import { filter, firstValueFrom } from "rxjs";
import type { Fact } from "#contract/fact.ts";
import type { Order } from "#contract/order.ts";
import { facts$ } from "#src/streams/facts.ts";
import { newestOrders$, positions, takeOrder } from "#src/streams/orders.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";
import { until } from "#tests/support/until.ts";
import { fakeWorker } from "./fake-worker.ts";
import type { FakeWorker } from "./fake-worker.ts";
import { setUpHarness, watch } from "./harness.tsx";

let worker: FakeWorker;
let facts = 0;
setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
});

const numberOf = (n: number): string => `K${String(n).padStart(12, "0")}`;
const versionOf = (n: number, version: number, over: object = {}): Order => orderOf({ orderNo: numberOf(n), version, ...over });
const closed = { status: "closed", closedLots: 2 };
async function tell(...orders: Order[]): Promise<void> {
  const bodies = orders.map((order) => ({ n: (facts += 1), at: facts, type: "order.closed", order, fills: [], money: {} }));
  const told = firstValueFrom(facts$.pipe(filter(({ n }) => n === facts)));
  worker.emit({ kind: "facts", facts: bodies as unknown as Fact[] });
  await told;
}

test("the newest orders begin with what facts told before anybody listened, and never go back", async () => {
  const answered = [versionOf(1, 2), versionOf(2, 2), versionOf(3, 5)];
  const newest$ = newestOrders$(answered);
  await tell(versionOf(1, 3, closed), versionOf(3, 4));
  const seen: string[][] = [];
  const watching = newest$.subscribe((orders) => seen.push(orders.map(({ orderNo, version }) => `${Number(orderNo.slice(1))}v${version}`)));
  expect(seen).toEqual([["1v3", "2v2", "3v5"]]);
  await tell(versionOf(2, 3, closed), versionOf(9, 7));
  // So many others that the first is forgotten.
  await tell(...Array.from({ length: 600 }, (_, n) => versionOf(100 + n, 2)), versionOf(1, 2));
  expect(seen).toEqual([
    ["1v3", "2v2", "3v5"],
    ["1v3", "2v3", "3v5"],
  ]);
  watching.unsubscribe();
});

test("a position that a fact closed does not come back with the answer to its close", async () => {
  mock("listPositions", () => accepted({ positions: [versionOf(21, 1)] }));
  watch(positions);
  await until(() => positions.now().state === "ready");
  await tell(versionOf(21, 3, closed));
  expect(positions.now().value).toEqual([]);
  takeOrder(versionOf(21, 2, { status: "readyToClose" }));
  expect(positions.now().value).toEqual([]);
});
