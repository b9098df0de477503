/** Tests publishing and reading news: caps, subjects and editions once, retention; pages, topics and refusals of the handler. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HEAT_FIELDS } from "#contract/sector-heat.ts";
import { DAY_MS, epochMs, taipeiMidnight } from "#contract/kernel/time.ts";
import type { NewsItem } from "#contract/news.ts";
import { pushQuote } from "#contract/quote.ts";
import type { Database } from "#server/db/database.ts";
import { newsHandlers } from "#server/api/news.ts";
import { CLOSING, MIDDAY, OPENING, dueAt, momentOf } from "#server/news/edition.ts";
import { Newsroom } from "#server/news/newsroom.ts";
import { discardBefore, publishEdition } from "#server/news/publish.ts";
import { reportsOf } from "#server/news/report.ts";
import type { Draft } from "#server/news/report.ts";
import type { SessionReplay } from "#server/venue/venue.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

const OPENS = taipeiMidnight(20_700);
const DAY = 20_700;
const edition = (nth: number, over: Partial<{ universe: string; day: number; at: number }> = {}) => ({
  universe: "fake",
  day: DAY,
  nth,
  at: OPENS + nth * 60_000,
  ...over,
});
const surge = (code: string): Draft => ({
  subject: `surge ${code}`,
  kind: "surge",
  codes: [code as never],
  category: null,
  facts: { price: 1 },
});
const codesOf = (items: readonly NewsItem[]): (string | undefined)[] => items.map(({ codes }) => codes[0]);

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(() => discardBefore(db, Number.MAX_SAFE_INTEGER));

const handlers = () => newsHandlers({ db, venue: fakeVenue([]), now: () => OPENS });
const call = { address: "", caller: { memberId: 1, account: "KS000001" as never, sessionHash: "" } };
const list = (over: Partial<{ topic: "market" | "stocks" | null; code: string | null; cursor: string | null }> = {}) =>
  handlers().listNews(call, { topic: null, code: null, cursor: null, ...over } as never);

describe("publishing", () => {
  test("takes the first of each kind, the rest in later editions, up to the session's maximum", async () => {
    const drafts = Array.from({ length: 20 }, (_, nth) => surge(String(100 + nth)));
    await publishEdition(db, edition(1), drafts);
    expect(codesOf((await list()).items)).toEqual(["100"]);
    await publishEdition(db, edition(MIDDAY), drafts);
    expect(new Set(codesOf((await list()).items))).toEqual(new Set(["102", "101", "100"]));
    for (let nth = 20; nth < 40; nth += 1) await publishEdition(db, edition(nth), drafts);
    const { items } = await list();
    expect(new Set(codesOf(items))).toEqual(new Set(Array.from({ length: 12 }, (_, nth) => String(100 + nth))));
    await publishEdition(db, edition(1, { day: DAY + 1, at: OPENS + DAY_MS }), drafts);
    expect((await list()).items.length).toBe(13);
  });

  test("publishes an edition only once", async () => {
    await publishEdition(db, edition(1), [surge("2330")]);
    await publishEdition(db, edition(1), [surge("2317")]);
    expect(codesOf((await list()).items)).toEqual(["2330"]);
    await Promise.all([publishEdition(db, edition(2), [surge("1101")]), publishEdition(db, edition(2), [surge("1102")])]);
    expect((await list()).items.length).toBe(2);
  });

  test("deletes old articles", async () => {
    await publishEdition(db, edition(1), [surge("2330")]);
    await publishEdition(db, edition(1, { day: DAY + 1, at: OPENS + DAY_MS }), [surge("2317")]);
    await discardBefore(db, OPENS + DAY_MS);
    expect(codesOf((await list()).items)).toEqual(["2317"]);
    expect((await db.kysely.selectFrom("news_edition").selectAll().execute()).length).toBe(1);
  });
});

describe("the handlers", () => {
  test("pages through all articles once, newest first, with equal times and new arrivals", async () => {
    for (let day = 0; day < 61; day += 1)
      await publishEdition(db, edition(MIDDAY, { day: DAY - day, at: OPENS - day * DAY_MS }), [surge("2330"), surge("2317")]);
    const first = await list();
    expect(first.items.length).toBe(50);
    await publishEdition(db, edition(1, { day: DAY + 1, at: OPENS + DAY_MS }), [surge("1101")]);
    const second = await list({ cursor: first.next });
    const third = await list({ cursor: second.next });
    expect([second.items.length, third.items.length, third.next]).toEqual([50, 22, null]);
    const ids = [...first.items, ...second.items, ...third.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(122);
    const about = await list({ code: "2317", cursor: null });
    expect(new Set(codesOf(about.items))).toEqual(new Set(["2317"]));
  });

  test("filters by topic, and returns one article by its id", async () => {
    const wrap: Draft = {
      subject: "wrap IX0001",
      kind: "wrap",
      codes: ["IX0001" as never, "2330" as never],
      category: null,
      facts: { change: -12 },
    };
    await publishEdition(db, edition(CLOSING), [wrap, surge("2330")]);
    const { items } = await list({ topic: "market" });
    expect(items).toEqual([
      { id: items[0]?.id, at: edition(CLOSING).at, kind: "wrap", codes: ["IX0001", "2330"], category: null, facts: { change: -12 } },
    ]);
    expect((await list({ code: "2330" })).items.length).toBe(2);
    expect(await handlers().readNews(call, { id: items[0]?.id ?? "" })).toEqual(items[0]);
    await expect(handlers().readNews(call, { id: "N999999999999" })).rejects.toMatchObject({ code: "GEN_NOT_FOUND" });
    for (const cursor of ["", "N1", "1N", "xN1", "1N1N1", `${"9".repeat(20)}N1`]) {
      await expect(list({ cursor })).rejects.toMatchObject({ code: "GEN_PARAM_ERROR", field: "cursor" });
    }
  });
});

describe("editions", () => {
  const taiwan = { opensAt: OPENS + 9 * 3_600_000, closesAt: OPENS + 13.5 * 3_600_000 };
  test("are at full minutes: the first after the open, one in the middle, the last at the close", () => {
    expect([OPENING, MIDDAY, CLOSING].map((nth) => (momentOf(nth, taiwan) - OPENS) / 60_000)).toEqual([545, 675, 810]);
    for (let nth = 0; nth <= CLOSING; nth += 1) expect(momentOf(nth, taiwan) % 60_000).toBe(0);
  });

  test("are due at their moment; of a session that is over only the opening and the summaries", () => {
    expect(dueAt(taiwan.opensAt, taiwan, false)).toEqual([]);
    expect(dueAt(OPENS + 675 * 60_000, taiwan, false)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(dueAt(OPENS + DAY_MS, taiwan, true)).toEqual([OPENING, MIDDAY, CLOSING]);
  });
});

describe("reports", () => {
  const instruments = [
    fakeInstrument(0, "IX0001", { kind: "index", board: "index", category: "index", tradable: false }),
    ...[1, 2, 3, 4, 5, 6].map((row) => fakeInstrument(row, `100${row}`, { issuedThousands: 1000 * row })),
    fakeInstrument(7, "BTC", { kind: "crypto", board: "crypto", category: "crypto", tradable: false }),
  ];
  const categories = [{ board: "listed", code: "24", zh: "", zhCn: "", en: "", count: 6 }] as const;
  /** All prices at 100, except those given by the test. */
  const contextWith = (last: Record<number, number>, over: Partial<SessionReplay> = {}) => {
    const quotes: number[] = [];
    for (const { row } of instruments) {
      const price = (last[row] ?? 100) * 10_000;
      pushQuote(quotes, {
        row,
        seq: 0,
        at: 0,
        last: price,
        open: 1_000_000,
        high: Math.max(price, 1_000_000),
        low: Math.min(price, 1_000_000),
        reference: 1_000_000,
        volume: 1000,
        turnover: 100_000_000 + row,
        bid: 0,
        ask: 0,
      });
    }
    const replay: SessionReplay = {
      opensAt: OPENS,
      closesAt: OPENS + DAY_MS,
      quotes,
      heat: HEAT_FIELDS.map((field) => (field === "change" ? 120 : 0)),
      contributions: [],
      averageLots: instruments.map(() => 900),
      actions: [],
      endings: [],
      ...over,
    };
    return { instruments, categories: [...categories], replay };
  };
  const summary = (drafts: readonly Draft[]): [string, string | undefined][] => drafts.map(({ kind, codes }) => [kind, codes[0]]);

  test("reports large moves by size, locked instruments by turnover, and nothing that is not tradable", () => {
    const drafts = reportsOf(contextWith({ 1: 105, 2: 107.5, 3: 110, 4: 94, 5: 90, 6: 104.9, 7: 150 }), 3);
    expect(summary(drafts)).toEqual([
      ["surge", "1002"],
      ["surge", "1001"],
      ["plunge", "1004"],
      ["limitUp", "1003"],
      ["limitDown", "1005"],
    ]);
    expect(drafts[0]?.facts).toEqual({
      price: 1_075_000,
      change: 750,
      high: 1_075_000,
      low: 1_000_000,
      volume: 1000,
      turnover: 100_000_002,
    });
  });

  test("reports what is busy against its own average day while its price is calm", () => {
    const averageLots = [0, 400, 300, 0, 450, 40, 900, 0];
    const drafts = reportsOf(contextWith({ 2: 104 }, { averageLots }), 3);
    expect(summary(drafts)).toEqual([["busy", "1001"]]);
    expect(drafts[0]?.facts).toMatchObject({ times: 25, volume: 1000 });
  });

  test("reports the sector and the companies that moved it in its direction", () => {
    const drafts = reportsOf(contextWith({ 1: 101, 3: 102, 4: 99 }), CLOSING);
    expect(drafts.map(({ kind, codes, category }) => [kind, codes, category])).toEqual([
      ["sectorUp", ["1003", "1001"], { board: "listed", code: "24" }],
    ]);
  });

  test("reports an ex-event with only the amounts it has", () => {
    const action = {
      at: OPENS,
      kind: "rights",
      cash: 0,
      freeMillionths: 0,
      rightsMillionths: 100_000,
      rightsPrice: 800_000,
      closeBefore: 1_020_000,
      reference: 1_000_000,
    } as never;
    const [draft] = reportsOf(contextWith({}, { actions: [{ row: 2, action }] }), OPENING);
    expect(draft).toMatchObject({ kind: "exEvent", codes: ["1002"] });
    expect(draft?.facts).toEqual({ rightsMillionths: 100_000, price: 800_000, reference: 1_000_000 });
  });
});

test("a fund with a term is news on its last day, and when it has ended", () => {
  const instruments = [1000, 1001].map((code, row) => fakeInstrument(row, String(code)));
  const replay: SessionReplay = {
    opensAt: OPENS,
    closesAt: OPENS + DAY_MS,
    quotes: [],
    heat: [],
    contributions: [],
    averageLots: [],
    actions: [],
    endings: [
      { row: 0, price: null },
      { row: 1, price: 126_500 },
    ],
  };
  const drafts = reportsOf({ instruments, categories: [], replay }, OPENING);
  expect(drafts.map(({ kind, codes, facts }) => [kind, codes[0], facts])).toEqual([
    ["lastDay", "1000", {}],
    ["maturity", "1001", { price: 126_500 }],
  ]);
  expect(reportsOf({ instruments, categories: [], replay }, OPENING + 1)).toEqual([]);
});

test("a market that cannot replay its sessions gets no news", async () => {
  const venue = fakeVenue([]);
  venue.setDay(epochMs(OPENS), epochMs(OPENS + DAY_MS));
  await new Newsroom({ db, venue, now: () => OPENS + DAY_MS / 2 }).publishDue();
  expect((await list()).items).toEqual([]);
});
