/** The loss warning of open day trades: shown once each time the loss reaches the warning level, ignoring other positions. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { warnDayTrades } from "#src/actors/day-trade-warning.ts";
import { dayTrading } from "#src/streams/day-trading.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { positions } from "#src/streams/orders.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { setUpHarness, toasts } from "#tests/src/streams/harness.tsx";
import { until } from "#tests/support/until.ts";

const PLAIN = orderOf({ orderNo: "K100000000002" });
const DAY = orderOf({ orderNo: "K100000000001", dayTrade: true });

let worker: FakeWorker;
let stop = (): void => undefined;

const lines = { openCents: 99_000, openCostCents: 1_000, nowCents: 0, closeCostCents: 0, interestCents: 0, dividendCents: 0 };

/** Publishes the day trade's loss; 1,000.00 was invested in it. */
function loses(cents: number): void {
  worker.frame({ profits: [{ key: DAY.orderNo, price: 1, profit: { ...lines, profitCents: -cents, returnBasisPoints: 0 } }] as never });
}

setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
});
afterEach(() => stop());

describe("the warning", () => {
  it("is shown when the loss reaches the percentage, and again only after it was lower", async () => {
    mock("listPositions", () => accepted({ positions: [PLAIN, DAY] }));
    mock("readDayTrading", () =>
      accepted({ signedAt: 1, lacks: [], executedOrders: 0, accountDays: 0, squareOffAt: null, warningPercent: 5 }),
    );
    stop = warnDayTrades();
    await until(() => positions.now().value !== null && dayTrading.now().value !== null);
    // Losses of other positions are ignored.
    worker.frame({
      profits: [{ key: PLAIN.orderNo, price: 1, profit: { ...lines, profitCents: -90_000, returnBasisPoints: 0 } }] as never,
    });
    loses(4_999);
    loses(5_000);
    await until(() => toasts.length === 1);
    expect(toasts).toEqual(["Your open day trades have lost 5.00% of the amount invested."]);
    loses(9_000);
    loses(1_000);
    loses(7_500);
    await until(() => toasts.length === 2);
    expect(toasts[1]).toBe("Your open day trades have lost 7.50% of the amount invested.");
  });
});
