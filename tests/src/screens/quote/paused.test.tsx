/** What the screens say and offer while an instrument is not matched on its own: a halt, an open or close that is put off, calls under disposition. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Instrument, VenueState } from "#contract/instrument.ts";
import { MINUTE_MS, epochMs } from "#contract/kernel/time.ts";
import type { Depth } from "#contract/quote.ts";
import { InstrumentChips } from "#src/screens/market/detail-head.tsx";
import { useOrderBlock } from "#src/screens/market/order-eligibility.ts";
import { Paused } from "#src/screens/ticket/effect.tsx";
import { useMarket } from "#src/screens/ticket/use-market.ts";
import { startMarket, stopMarket } from "#src/streams/market.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { write } from "#src/gateway/storage.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";
import { until } from "#tests/support/until.ts";

const CLOSES_AT = Date.parse("2026-12-03T13:30:00+08:00");
const HELD_AT = epochMs(CLOSES_AT + 3 * MINUTE_MS);
const closed: VenueState = {
  universe: "sandbox",
  phase: "closed",
  phaseEndsAt: epochMs(CLOSES_AT + 10 * MINUTE_MS),
  opensAt: epochMs(CLOSES_AT - 270 * MINUTE_MS),
  closesAt: epochMs(CLOSES_AT),
  simulated: false,
};
const instrument: Instrument = fakeInstrument(0, "2330");
const other: Instrument = fakeInstrument(1, "2603");

let worker: FakeWorker;
let shown: Shown;
let at = 1_000;

const depthOf = (over: Partial<Depth>): Depth => ({
  row: 0,
  seq: 1,
  at: epochMs((at += 1)),
  bids: [],
  asks: [],
  atBid: 0,
  atAsk: 0,
  trial: null,
  pausedUntil: null,
  isDelayedOpen: false,
  isDelayedClose: false,
  ordersFrom: null,
  callsEveryMs: null,
  ...over,
});

/** What a ticket and the trade bar make of it. */
function Probe({ of }: { of: Instrument }) {
  const { paused } = useMarket(of.code, 1);
  const block = useOrderBlock(of);
  return (
    <output data-paused={paused ?? "none"} data-block={block ?? "none"}>
      <InstrumentChips instrument={of} />
      <Paused code={of.code} />
    </output>
  );
}

const words = (): string => shown.place.textContent ?? "";
const probed = (name: "paused" | "block"): string | undefined => shown.place.querySelector("output")?.dataset[name];

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}
const receive = (over: Partial<Depth>, of = instrument): void =>
  worker.frame({ channels: [["depth", of.code, { ...depthOf(over), row: of.row }]] });

beforeAll(() => {
  write("tokend", "secret");
  write("account", "me");
});
beforeEach(async () => {
  worker = fakeWorker();
  startMarket();
  shown = await show(<Probe of={instrument} />);
  worker.emit({ kind: "instruments", table: { venue: closed, categories: [], instruments: [instrument, other] } } as never);
  await settled(() => words().includes("Closed"));
});
afterEach(async () => {
  await shown.gone();
  stopMarket();
});

it("a close that is put off: until when it is, that its auction goes on, and from when on orders for it are taken", async () => {
  expect(probed("block")).toContain("closed");
  receive({ isDelayedClose: true, pausedUntil: HELD_AT, ordersFrom: epochMs(CLOSES_AT + MINUTE_MS) });
  await settled(() => words().includes("Close delayed until 13:33:00"));
  expect(words()).toContain("Closed");
  expect(probed("block")).toMatch(/^Market closed until .*13:31$/u);
  receive({ isDelayedClose: true, pausedUntil: HELD_AT });
  await settled(() => words().includes("Closing auction"));
  expect(words()).toContain("Close delayed until 13:33:00");
  expect(words()).not.toContain("Closed");
  expect(probed("block")).not.toContain("closed");
  receive({});
  await settled(() => words().includes("Closed"));
  expect(words()).not.toContain("delayed");
});

it("an open that is put off, and a halt, take limit orders for their call alone", async () => {
  receive({ isDelayedOpen: true, pausedUntil: HELD_AT });
  await settled(() => words().includes("Open delayed until 13:33:00"));
  expect(probed("paused")).toBe("TRD_INSTRUMENT_HALTED");
  receive({ pausedUntil: HELD_AT });
  await settled(() => words().includes("Paused until 13:33:00"));
  expect(words()).not.toContain("delayed");
});

it("calls under disposition: how often and when the next one is, what they take, and how often alone after the last", async () => {
  receive({ callsEveryMs: 5 * MINUTE_MS, pausedUntil: HELD_AT });
  await settled(() => words().includes("A call every 5 min, next 13:33:00"));
  expect(words()).toContain("not traded continuously, but matched in calls");
  expect(probed("paused")).toBe("TRD_AUCTION_LIMIT_ONLY");
  receive({ callsEveryMs: 20 * MINUTE_MS, pausedUntil: null });
  await settled(() => words().includes("A call every 20 min"));
  expect(words()).not.toContain(", next ");
  await settled(() => probed("paused") === "none");
});
