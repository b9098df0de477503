// @vitest-environment happy-dom
/** Tests the market streams outside the worker: what is watched, what is passed on, and the connection's state. */
import { filter, firstValueFrom, take, toArray } from "rxjs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { epochMs } from "#contract/kernel/time.ts";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import { write } from "#src/gateway/storage.ts";
import { candles$ } from "#src/streams/candles.ts";
import type { CandleChange } from "#src/streams/candles.ts";
import { connection$ } from "#src/streams/connection.ts";
import type { Connection } from "#src/streams/connection.ts";
import { depth$ } from "#src/streams/depths.ts";
import { facts$ } from "#src/streams/facts.ts";
import { instruments$, phase$, venue$ } from "#src/streams/instruments.ts";
import { startMarket, stopMarket } from "#src/streams/market.ts";
import { profit$, profitTotal$ } from "#src/streams/profits.ts";
import { quote$ } from "#src/streams/quotes.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import { ranking$ } from "#src/streams/rankings.ts";
import { searchInstruments } from "#src/streams/searches.ts";
import { QUOTE_CELL_FIELDS } from "#src/streams/worker.ts";
import type { Watching } from "#src/streams/worker.ts";
import { fact, flat, instrument, quote } from "#tests/workers/sample.ts";
import { until } from "#tests/support/until.ts";
import { fakeWorker } from "./fake-worker.ts";
import type { FakeWorker } from "./fake-worker.ts";

let worker: FakeWorker;
let states: Connection[] = [];

const watching = (): Watching | undefined =>
  worker.received.flatMap((message) => (message.kind === "watching" ? [message.watching] : [])).at(-1);
const connection = (event: "CONNECTED" | "RECEIVED" | "DISCONNECTED" | "POLLED"): void =>
  worker.emit({ kind: "connection", event, at: Date.now() });
const texts = QUOTE_CELL_FIELDS.map((field) => `the ${field}`);

async function table(): Promise<void> {
  worker.emit({
    kind: "instruments",
    table: {
      venue: {
        universe: "u",
        phase: "open",
        phaseEndsAt: null,
        opensAt: epochMs(1),
        closesAt: epochMs(2),
        simulated: true,
      },
      categories: [],
      instruments: [0, 1, 2].map((row) => instrument(row)),
    },
  });
  await firstValueFrom(instruments$.pipe(take(2), toArray()));
}

beforeEach(() => {
  worker = fakeWorker({ search: ["1002", "gone", "1000"], openChart: 7 });
  write("tokend", "secret");
  write("account", "me");
  states = [];
  const watch = connection$.subscribe((state) => states.push(state));
  startMarket();
  return () => watch.unsubscribe();
});
afterEach(() => stopMarket());

describe("starting", () => {
  it("connects once with the stored session and the contract's paths", async () => {
    startMarket();
    await until(() => worker.calls.length > 0);
    expect(worker.calls).toHaveLength(1);
    expect(worker.calls[0]).toMatchObject(["connect", { token: "secret", account: "me", paths: { factsSince: "/facts/since" } }]);
    stopMarket();
    await until(() => worker.calls.at(-1)?.[0] === "disconnect");
    expect(states.at(-1)).toMatchObject({ state: "idle", tradable: false });
  });
});

describe("streams", () => {
  it("pass on quotes with instrument, limits and texts, also to late subscribers", async () => {
    await table();
    const views: QuoteView[] = [];
    const first = quote$("1001").subscribe((view) => views.push(view));
    await until(() => watching()?.quotes.length === 1);
    worker.frame({ quotes: [{ code: "1001", flat: flat(quote(1)), tone: 1, texts }] });
    await until(() => views.length === 1);
    expect(views[0]).toMatchObject({
      instrument: { code: "1001" },
      quote: { last: 10_850_000 },
      limits: { up: 11_700_000, down: 9_590_000 },
      tone: "up",
      text: { last: "the last", amplitude: "the amplitude" },
    });
    expect(await firstValueFrom(quote$("1001"))).toBe(views[0]);
    first.unsubscribe();
    await until(() => watching()?.quotes.length === 0);
  });

  it("count their subscribers: a ranking, a book and the sum are watched as long as there are any", async () => {
    const codes: string[][] = [];
    const both = [1, 2].map(() =>
      ranking$({ by: "turnover", board: "listed", category: null, size: 5 }).subscribe((each) => codes.push(each)),
    );
    const book = depth$("1000").subscribe();
    const sum = firstValueFrom(profitTotal$);
    const one = firstValueFrom(profit$("K000000000001"));
    await until(() => watching()?.profitSum);
    expect(watching()).toMatchObject({
      profits: ["K000000000001"],
      ranks: [{ rank: { by: "turnover", board: "listed", size: 5 } }],
      channels: { depth: "1000" },
    });
    worker.frame({
      ranks: [[watching()?.ranks[0]?.key ?? "", ["1001"]]],
      profits: [
        { key: "K000000000002", price: 1, profit: null },
        { key: "K000000000001", price: 2, profit: null },
      ],
      profitSum: {
        openCents: 1,
        nowCents: 2,
        openCostCents: 0,
        closeCostCents: 0,
        interestCents: 0,
        dividendCents: 0,
        lendingCents: 0,
        profitCents: 1,
        returnBasisPoints: 3,
        priced: 1,
        unpriced: 0,
      },
    });
    expect(await sum).toMatchObject({ profitCents: 1 });
    expect(await one).toMatchObject({ price: 2 });
    expect(codes).toEqual([["1001"], ["1001"]]);
    both[0]?.unsubscribe();
    book.unsubscribe();
    await until(() => watching() && watching()?.channels.depth === undefined);
    expect(watching()).toMatchObject({ profitSum: false, ranks: [{}] });
    both[1]?.unsubscribe();
    await until(() => watching()?.ranks.length === 0);
  });

  it("open, update, page and close a chart", async () => {
    const changes: CandleChange[] = [];
    const chart$ = candles$({ code: "1000", period: "day", adjustment: "none", studies: ["ma"], settings: USUAL_STUDIES });
    const chart = chart$.subscribe((change) => changes.push(change));
    await until(() => worker.calls.some(([name]) => name === "openChart"));
    worker.emit({ kind: "chart", chart: 7, change: "loaded", bars: [1, 2, 3, 4, 5, 6], more: true, studies: [] });
    worker.emit({ kind: "chart", chart: 8, change: "failed" });
    worker.frame({ bars: [8, 0, 0, 0, 0, 0, 0, 7, 1, 2, 3, 4, 5, 7], studies: [{ chart: 7, at: 1, values: [[3, 4]] }] });
    await until(() => changes.length === 2);
    expect(changes).toEqual([
      { change: "loaded", bars: [1, 2, 3, 4, 5, 6], more: true, studies: [] },
      { change: "bar", bars: [1, 2, 3, 4, 5, 7], values: [[3, 4]] },
    ]);
    chart$.loadOlder();
    chart$.study(["kd"], USUAL_STUDIES);
    chart.unsubscribe();
    await until(() => worker.calls.some(([name]) => name === "closeChart"));
    expect(worker.calls.filter(([name]) => name === "loadOlder")).toEqual([["loadOlder", 7]]);
    expect(worker.calls.filter(([name]) => name === "studyChart")).toEqual([["studyChart", 7, ["kd"], USUAL_STUDIES]]);
  });

  it("pass on facts one by one, the venue's phase, and search results", async () => {
    await table();
    const facts = firstValueFrom(facts$.pipe(take(2), toArray()));
    worker.emit({ kind: "facts", facts: [fact(4), fact(5)] });
    expect((await facts).map(({ n }) => n)).toEqual([4, 5]);
    const venue = await firstValueFrom(venue$);
    const closed = firstValueFrom(phase$.pipe(filter((phase) => phase === "closed")));
    if (venue) worker.emit({ kind: "venue", venue: { ...venue, phase: "closed" } });
    expect(await closed).toBe("closed");
    expect((await searchInstruments("x")).map(({ code }) => code)).toEqual(["1002", "1000"]);
  });
});

describe("the connection", () => {
  it("is live with heartbeats, stale within two seconds of silence, and polls when disconnected", async () => {
    connection("CONNECTED");
    connection("RECEIVED");
    await until(() => states.at(-1)?.state === "live");
    expect(states.at(-1)).toMatchObject({ stale: false, staleSince: null, tradable: true });
    const from = Date.now();
    await until(() => states.at(-1)?.state === "stale");
    expect(Date.now() - from).toBeLessThan(2_000);
    expect(document.documentElement.hasAttribute("data-stale")).toBe(true);
    expect(states.at(-1)).toMatchObject({ stale: true, tradable: true });
    expect(states.at(-1)?.staleSince).toBeLessThanOrEqual(Date.now() - 1_400);
    connection("RECEIVED");
    await until(() => states.at(-1)?.state === "live");
    expect(document.documentElement.hasAttribute("data-stale")).toBe(false);
    connection("DISCONNECTED");
    await until(() => states.at(-1)?.state === "polling");
    expect(worker.received.at(-1)).toEqual({ kind: "polling", on: true });
    connection("POLLED");
    await until(() => states.at(-1)?.stale === false);
  });
});
