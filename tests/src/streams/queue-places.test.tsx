/** Tests the places of the member's resting orders: asked for in one loop, however often the screens that show them come and go. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { act, useState } from "react";
import { expect, test } from "vitest";
import { OrderNo } from "#contract/kernel/id.ts";
import { useQueuePlace } from "#src/streams/queue-places.ts";
import { accepted, broken, mock } from "#tests/src/gateway/broker.ts";
import { until } from "#tests/support/until.ts";
import { bodies, held, setUpHarness, using } from "./harness.tsx";

setUpHarness();

const ONE = OrderNo.parse("K100000000001");
const OTHER = OrderNo.parse("K100000000002");

test("an answer for those who have left is dropped, and coming back starts no second loop", async () => {
  const gates = [held(), held(), held(), held()];
  const asked = (): number => bodies("readQueue").length;
  let lots = 40;
  mock("readQueue", async () => {
    const mine = (lots += 1);
    await gates[asked() - 1]?.gate;
    return accepted({ places: [{ orderNo: ONE, lots: mine }] });
  });
  let show: (shown: boolean) => void = () => undefined;
  const now = await using(() => {
    const [shown, setShown] = useState(true);
    show = setShown;
    return [useQueuePlace(shown ? ONE : null), useQueuePlace(shown ? OTHER : null)];
  });
  await until(() => asked() === 1);
  await act(async () => show(false));
  await act(async () => show(true));
  await until(() => asked() === 2);
  await act(async () => gates[0]?.open());
  expect(now()).toEqual([null, null]);
  await act(async () => gates[1]?.open());
  await until(() => now()[0] === 42);
  expect([now(), bodies("readQueue")[1]]).toEqual([[42, null], { orderNos: [ONE, OTHER] }]);
  await until(() => asked() === 3);
  await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(asked()).toBe(3);
});

test("a failed call leaves no place that might be old", async () => {
  mock("readQueue", () => accepted({ places: [{ orderNo: ONE, lots: 7 }] }));
  const now = await using(() => useQueuePlace(ONE));
  await until(() => now() === 7);
  mock("readQueue", () => broken.line());
  await until(() => now() === null);
});
