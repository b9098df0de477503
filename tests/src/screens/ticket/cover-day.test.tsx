/** Tests what a short says about the day by which it must be covered. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, expect, it, vi } from "vitest";
import type { CoverDay } from "#contract/short-cover.ts";
import { Code } from "#contract/kernel/id.ts";
import { DAY_MS, epochMs, formatDate } from "#contract/kernel/time.ts";
import { CoverDayText } from "#src/screens/ticket/cover-day.tsx";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

i18next.use(initReactI18next);
setUpHarness();

let shown: Shown | null = null;
const gone = async (): Promise<void> => {
  await shown?.gone();
  shown = null;
};
afterEach(gone);

const NOW = Date.now();
/** A window whose last day begins so many days from now. */
const inDays = (days: number): CoverDay => ({
  code: Code.parse("2330"),
  reason: "dividend",
  lastAt: epochMs(NOW + days * DAY_MS),
  againAt: epochMs(NOW + (days + 6) * DAY_MS),
});

let asked = 0;
/** What is shown for these days; each time of another instrument, as days are kept. */
async function saying(days: readonly CoverDay[], opening: boolean, until: string): Promise<void> {
  await gone();
  asked += 1;
  const code = Code.parse(String(3000 + asked));
  mock("listCoverDays", (body) => accepted({ days: body.code === code ? [...days] : [] }));
  shown = await show(<CoverDayText code={code} opening={opening} />);
  await vi.waitFor(() => expect(shown?.place.textContent).toBe(until));
}

const due = (day: CoverDay): string => `Cover by ${formatDate(day.lastAt)} (ex-dividend); we cover the rest on that day.`;

it("says the last day, to who opens a short and to who has one", async () => {
  await saying([inDays(9), inDays(30)], true, due(inDays(9)));
  await saying([inDays(9)], false, due(inDays(9)));
});

it("says from the last day on that no new short is opened; to who has one still the day", async () => {
  await saying([inDays(-1)], true, `No new shorts before ${formatDate(inDays(-1).againAt)} (ex-dividend)`);
  await saying([inDays(-1)], false, due(inDays(-1)));
});

it("says the next day once shorts may be opened again, and nothing without one", async () => {
  await saying([inDays(-7), inDays(9)], true, due(inDays(9)));
  await saying([inDays(-7)], true, "");
  await saying([], true, "");
});
