/** Tests that the time of the square-off is said once, and how long it is until then only while it is ahead. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, expect, it, vi } from "vitest";
import { MINUTE_MS, epochMs, formatTime } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { SquareOffSentence } from "#src/screens/home/square-off-sentence.tsx";
import { SquareOff } from "#src/screens/ticket/square-off.tsx";
import { dayTrading } from "#src/streams/day-trading.ts";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { accepted, mock } from "#tests/src/gateway/broker.ts";

i18next.use(initReactI18next);
setUpHarness();

/** Noon in Taipei, so that a few minutes stay within the day. */
const NOON = Date.UTC(2026, 2, 3, 4);
let shown: Shown | null = null;
afterEach(async () => {
  await shown?.gone();
  shown = null;
  vi.useRealTimers();
});

/** Waits until the page says this first, and the ticket says that. */
async function says(squareOffAt: EpochMs | null, page: string, ticket: string): Promise<void> {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  mock("readDayTrading", () =>
    accepted({ signedAt: epochMs(1), lacks: [], executedOrders: 0, accountDays: 0, squareOffAt, warningPercent: 5 }),
  );
  shown = await show(
    <>
      <p>
        <SquareOffSentence />
      </p>
      <p>
        <SquareOff />
      </p>
    </>,
  );
  await doing(() => dayTrading.refetch());
  await vi.waitFor(() => expect([...document.querySelectorAll("p")].map(({ textContent }) => textContent)).toEqual([page, ticket]));
}

it("is one sentence with the time and what is left", async () => {
  const at = epochMs(NOON + 83 * MINUTE_MS);
  const time = formatTime(at).slice(0, 5);
  await says(at, `What is still open at ${time}, in 1 h 23 min, is squared off at the market.`, `Squared off at ${time}, in 1 h 23 min`);
});

it("has no time left once it is over, and is announced while it is not known", async () => {
  await says(epochMs(NOON - MINUTE_MS), "What is still open at 11:59 is squared off at the market.", "");
  await shown?.gone();
  await says(null, "The square-off time is shown once the end of the trading day is known.", "");
});
