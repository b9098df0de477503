/** Tests charts: the bars a page assembles from messages and frames equal reference bars of all trades, whenever the chart was opened. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { CANDLE_PERIODS, CANDLE_STRIDE, MAX_CANDLES } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { ADJUSTMENTS } from "#contract/corporate-action.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { price } from "#contract/kernel/money.ts";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import type { BarSource } from "#workers/chart/bar-reader.ts";
import { candleAt } from "#workers/chart/candle.ts";
import { CallFailure } from "#workers/connection/http-client.ts";
import { ChartStore } from "#workers/chart/chart-store.ts";
import { ALL_DAY, barStart, isIntraday } from "#workers/chart/period.ts";
import type { ChartMessage, ChartRequest, StudyKind, StudyTail } from "#workers/protocol.ts";
import { QuoteTable } from "#workers/table/quote-table.ts";
import { action, adjustedBar } from "./ex-event.ts";
import { REFERENCE_STUDIES } from "./reference-study.ts";
import { flat, instrument } from "./sample.ts";
import { flatBars, referenceBars, quotesOf, TAIWAN, TUESDAY } from "./trading.ts";
import type { Trade } from "./trading.ts";

const STUDIES: StudyKind[] = ["ma", "macd", "kd", "sar", "obv"];
const settle = (): Promise<void> => new Promise((done) => void setTimeout(done, 0));

/** The expected bars: days are adjusted first and then aggregated, since raw weeks and months cannot be adjusted across an ex-date. */
function expectedBars(trades: readonly Trade[], { period, adjustment }: ChartRequest, actions: readonly CorporateAction[]): Candle[] {
  const adjust = (bars: Candle[]): Candle[] => bars.map((bar) => adjustedBar(bar, actions, adjustment));
  if (isIntraday(period) || period === "day") return adjust(referenceBars(period, trades));
  const days = adjust(referenceBars("day", trades));
  return [...Map.groupBy(days, ({ at }) => barStart(period, at))].map(([at, group]) => ({
    at,
    open: group[0]?.open ?? 0,
    high: Math.max(...group.map(({ high }) => high)),
    low: Math.min(...group.map(({ low }) => low)),
    close: group.at(-1)?.close ?? 0,
    volume: group.reduce((sum, { volume }) => sum + volume, 0),
  }));
}

/** A server that knows the trades so far; it aggregates unadjusted days and has a configurable page size. */
class Server implements BarSource {
  done: Trade[] = [];
  exEvents: CorporateAction[] = [];
  pageSize = MAX_CANDLES;
  failing: CallFailure | null = null;
  readonly requests: string[] = [];

  async bars(_code: string, period: CandlePeriod, before: number | null, limit: number): Promise<{ bars: number[]; more: boolean }> {
    this.requests.push(period);
    const all = referenceBars(period, this.done);
    await settle();
    if (this.failing) throw this.failing;
    const shown = all.filter(({ at }) => before === null || at < before);
    const page = shown.slice(limit === MAX_CANDLES ? -this.pageSize : -limit);
    return { bars: flatBars(page), more: page.length < shown.length };
  }

  async actions(): Promise<readonly CorporateAction[]> {
    return this.exEvents.filter(({ at }) => at <= (this.done.at(-1)?.at ?? 0));
  }
}

/** A page that assembles a chart's bars and studies from messages and frames. */
class Page {
  bars: number[] = [];
  studies: number[][][] = [];
  readonly changes: ChartMessage["change"][] = [];
  more = false;

  take(message: ChartMessage): void {
    this.changes.push(message.change);
    if (message.change === "failed") return;
    this.studies = message.studies.map(({ lines }) => lines.map(({ values }) => [...values]));
    if (message.change === "studied") return;
    this.bars = message.change === "loaded" ? message.bars.slice() : [...message.bars, ...this.bars];
    this.more = message.more;
  }

  frame(store: ChartStore): void {
    const bars: number[] = [];
    const tails: StudyTail[] = [];
    store.collect(bars, tails);
    for (let from = 0; from < bars.length; from += CANDLE_STRIDE + 1) {
      const bar = bars.slice(from + 1, from + 1 + CANDLE_STRIDE);
      const place = this.bars.at(-CANDLE_STRIDE) === bar[0] ? this.bars.length / CANDLE_STRIDE - 1 : this.bars.length / CANDLE_STRIDE;
      for (const [field, value] of bar.entries()) this.bars[place * CANDLE_STRIDE + field] = value;
      const tail = tails.find(({ at }) => at === bar[0]);
      for (const [study, lines] of this.studies.entries()) {
        for (const [line, values] of lines.entries()) values[place] = tail?.values[study]?.[line] ?? Number.NaN;
      }
    }
  }

  get candles(): Candle[] {
    return Array.from({ length: this.bars.length / CANDLE_STRIDE }, (_, place) => candleAt(this.bars, place * CANDLE_STRIDE));
  }
}

function open(server: Server, request: Partial<ChartRequest>): { store: ChartStore; page: Page; table: QuoteTable; id: number } {
  const page = new Page();
  const table = new QuoteTable(2);
  const store = new ChartStore(server, (message) => page.take(message));
  store.use({ table, hours: ALL_DAY, instrumentOf: (code) => (code === "1001" ? instrument(1) : undefined) });
  const id = store.open({ code: "1001", period: "minute", adjustment: "none", studies: STUDIES, settings: USUAL_STUDIES, ...request });
  return { store, page, table, id };
}

/** Trades over many days, up to two hours apart, sometimes with a weekend in between. */
const market = fc
  .array(
    fc.record({
      gapMs: fc.oneof(fc.integer({ min: 1, max: 90_000 }), fc.integer({ min: 1, max: 120 * MINUTE_MS }), fc.constant(3 * DAY_MS)),
      last: fc.integer({ min: 50, max: 150 }),
      lots: fc.integer({ min: 1, max: 50 }),
    }),
    { minLength: 2, maxLength: 120 },
  )
  .map((steps) => {
    let at = TUESDAY + TAIWAN.openMs;
    return steps.map(({ gapMs, last, lots }): Trade => ({ at: (at += gapMs), last: last * 10_000, lots }));
  });
const events = fc.uniqueArray(
  fc.record({
    day: fc.integer({ min: 1, max: 60 }),
    reference: fc.integer({ min: 600_000, max: 999_000 }),
    free: fc.integer({ min: 0, max: 500_000 }),
  }),
  { maxLength: 4, selector: ({ day }) => day },
);
const request = fc.record({ period: fc.constantFrom(...CANDLE_PERIODS), adjustment: fc.constantFrom(...ADJUSTMENTS) });

const halfHourOf = (at: number): number => Math.floor(at / (30 * MINUTE_MS));

describe("a chart", () => {
  it("equals the reference bars of all trades, for any opening, paging and rendering", async () => {
    await fc.assert(
      fc.asyncProperty(
        market,
        events,
        request,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 40 }),
        fc.infiniteStream(fc.nat(4)),
        async (trades, exDates, chartRequest, opened, pageSize, chance) => {
          const server = new Server();
          server.exEvents = exDates.map(({ day, reference, free }) => action(day, { reference: price(reference), freeMillionths: free }));
          const quotes = quotesOf(trades, 1);
          const first = 1 + Math.floor(opened * (trades.length - 1));
          server.done = trades.slice(0, first);
          // A page reaches back to the newest bar's half hour, as every real one does: only before it half-hour bars fill in.
          const inHalfHour = server.done.filter(({ at }) => halfHourOf(at) === halfHourOf(server.done.at(-1)?.at ?? 0));
          server.pageSize = Math.max(pageSize, inHalfHour.length);
          const { store, page, table, id } = open(server, chartRequest);
          // The quote before the newest one is still in flight when the bars arrive.
          const late = quotes[first - 2];
          if (late) table.apply(flat(late), 0);
          await vi.waitFor(() => expect(page.changes).toContain("loaded"), { interval: 1, timeout: 300 });
          for (const [nth, each] of quotes.entries()) {
            if (nth < first - 1) continue;
            server.done = trades.slice(0, nth + 1);
            const batch = flat(each);
            store.tick(1, batch, 0);
            table.apply(batch, 0);
            if (Number(chance.next().value) === 0) page.frame(store);
            // An ex-event reloads the chart.
            if (chartRequest.adjustment !== "none") for (let turns = 0; turns < 8; turns++) await Promise.resolve();
          }
          await vi.waitFor(
            () => {
              page.frame(store);
              const whole: ChartRequest = { code: "1001", studies: STUDIES, settings: USUAL_STUDIES, ...chartRequest };
              const expected = expectedBars(
                trades,
                whole,
                server.exEvents.filter(({ at }) => at <= (trades.at(-1)?.at ?? 0)),
              );
              expect(page.candles).toEqual(expected.slice(-page.candles.length));
            },
            { interval: 1, timeout: 300 },
          );
          for (let pages = 0; page.more && pages < 200; pages++) await store.loadOlder(id);
          const whole: ChartRequest = { code: "1001", studies: STUDIES, settings: USUAL_STUDIES, ...chartRequest };
          const expected = expectedBars(
            trades,
            whole,
            server.exEvents.filter(({ at }) => at <= (trades.at(-1)?.at ?? 0)),
          );
          expect(page.candles).toEqual(expected);
          expect(page.studies).toEqual(STUDIES.map((study) => REFERENCE_STUDIES[study](expected, USUAL_STUDIES)));
        },
      ),
      { numRuns: 80 },
    );
  });

  const traded = [100, 101, 102].map((last, nth): Trade => ({
    at: TUESDAY + TAIWAN.openMs + nth * MINUTE_MS,
    last: last * 10_000,
    lots: 10,
  }));
  const loaded = (page: Page, times = 1): Promise<unknown> =>
    vi.waitFor(() => expect(page.changes.filter((change) => change === "loaded")).toHaveLength(times), { interval: 1, timeout: 5_000 });

  it("pages weeks of adjusted days without splitting one at a page boundary", async () => {
    const server = new Server();
    const daily = Array.from({ length: 1_300 }, (_, nth): Trade => ({
      at: TUESDAY + nth * DAY_MS,
      last: 1_000_000 + nth * 1_000,
      lots: 1 + (nth % 9),
    }));
    server.done = daily;
    server.exEvents = [600, 1_100].map((day) => action(day));
    const chartRequest = { period: "week", adjustment: "forward" } as const;
    const { store, page, id } = open(server, { ...chartRequest, studies: [] });
    await loaded(page);
    expect(page.candles.length).toBeLessThan(80);
    for (let pages = 0; page.more && pages < 9; pages++) await store.loadOlder(id);
    expect(page.candles).toEqual(
      expectedBars(daily, { code: "1001", studies: [], settings: USUAL_STUDIES, ...chartRequest }, server.exEvents),
    );
  });

  it("reports a failed load once and loads when possible", async () => {
    const server = new Server();
    server.done = traded;
    server.failing = new CallFailure("unreachable", "no network");
    const { page } = open(server, {});
    await vi.waitFor(() => expect(page.changes).toEqual(["failed"]), { interval: 5 });
    server.failing = null;
    await loaded(page);
    expect(page.candles).toEqual(referenceBars("minute", traded));
  });

  it("does not retry a refused load", async () => {
    const server = new Server();
    server.failing = new CallFailure("refused", "GEN_NOT_FOUND");
    const { page, store } = open(server, {});
    await vi.waitFor(() => expect(page.changes).toEqual(["failed"]), { interval: 1, timeout: 300 });
    server.failing = null;
    store.reload();
    await loaded(page);
  });

  it("waits for the instrument table before loading", async () => {
    const server = new Server();
    server.done = traded;
    const page = new Page();
    const store = new ChartStore(server, (message) => page.take(message));
    store.open({ code: "1001", period: "day", adjustment: "none", studies: [], settings: USUAL_STUDIES });
    await settle();
    expect(server.requests).toEqual([]);
    store.use({ table: new QuoteTable(2), hours: ALL_DAY, instrumentOf: () => instrument(1) });
    await loaded(page);
    expect(store.codes()).toEqual(new Set(["1001"]));
  });

  it("computes other studies over the same bars", async () => {
    const server = new Server();
    server.done = traded;
    const { store, page, id } = open(server, {});
    await loaded(page);
    const settings = { ...USUAL_STUDIES, rsi: [1] };
    store.study(id, ["rsi", "vol"], settings);
    expect(page.changes).toEqual(["loaded", "studied"]);
    expect(page.studies).toEqual([REFERENCE_STUDIES.rsi(page.candles, settings), REFERENCE_STUDIES.vol(page.candles, settings)]);
  });

  it("takes the average price from the newest quote's turnover, adjusted like its bars", async () => {
    const server = new Server();
    server.done = traded;
    server.exEvents = [action(-3, { closeBefore: price(1_000_000), reference: price(500_000) })];
    const { store, page } = open(server, { studies: ["average"], adjustment: "backward" });
    await loaded(page);
    expect(page.studies[0]?.[0]?.slice(0, 2)).toEqual([2_000_000, 2_010_000]);
    const last = quotesOf([...traded, { at: TUESDAY + TAIWAN.openMs + 3 * MINUTE_MS, last: 1_100_000, lots: 5 }], 1).at(-1);
    if (last) store.tick(1, flat({ ...last, turnover: 4_000_000 }), 0);
    page.frame(store);
    // 4,000,000 for 35 lots of 1,000 shares, doubled by the backward adjustment.
    expect(page.studies[0]?.[0]?.at(-1)).toBeCloseTo((2 * 4_000_000 * 10_000) / 35_000, 6);
  });

  it("sends a bar that became final between two frames, and the next one", async () => {
    const server = new Server();
    server.done = traded.slice(0, 1);
    const { store, page } = open(server, {});
    await loaded(page);
    for (const each of quotesOf(traded, 1)) store.tick(1, flat(each), 0);
    expect(store.anyChanged).toBe(true);
    page.frame(store);
    expect(store.anyChanged).toBe(false);
    expect(page.candles).toEqual(referenceBars("minute", traded));
  });

  it("is not reloaded on a new day without adjustment", async () => {
    const server = new Server();
    server.done = traded;
    const { store, page } = open(server, { adjustment: "none" });
    await loaded(page);
    const tomorrow = quotesOf([{ at: TUESDAY + DAY_MS + TAIWAN.openMs, last: 990_000, lots: 1 }], 1)[0];
    if (tomorrow) store.tick(1, flat(tomorrow), 0);
    await settle();
    expect(server.requests).toEqual(["minute"]);
    page.frame(store);
    expect(page.candles.at(-1)).toMatchObject({ close: 990_000, volume: 1 });
  });

  it("sends nothing after it is closed", async () => {
    const server = new Server();
    server.done = traded;
    const { store, page, id } = open(server, {});
    store.close(id);
    await settle();
    await settle();
    expect(page.changes).toEqual([]);
  });
});
