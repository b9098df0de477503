/** Tests the newsroom on the simulated market: its numbers are the market's, each subject once, missed editions made up for. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import { DAY_MS, MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import { NEWS_TOPIC_OF, NewsItem } from "#contract/news.ts";
import type { Database } from "#server/db/database.ts";
import { newsHandlers } from "#server/api/news.ts";
import { CLOSING, MIDDAY, OPENING } from "#server/news/edition.ts";
import { Newsroom } from "#server/news/newsroom.ts";
import { publishEdition } from "#server/news/publish.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";
import { taipei } from "#tests/support/taipei-time.ts";

const CLOSED = taipei("2026-11-18T13:31:00");
const SEED = 9;
/** Everyday a sample of the market. */
const codes = sampleUniverse(12, "K6411");

async function allNews(db: Database, venue: Venue, now: number, code: string | null = null): Promise<NewsItem[]> {
  const handlers = newsHandlers({ db, venue, now: () => now });
  const call = { address: "", caller: { memberId: 1, account: "KS000001" as never, sessionHash: "" } };
  const items: NewsItem[] = [];
  let cursor: string | null = null;
  for (let more = true; more;) {
    const page: { items: NewsItem[]; next: string | null } = await handlers.listNews(call, { topic: null, code: code as never, cursor });
    items.push(...page.items);
    cursor = page.next;
    more = cursor !== null;
  }
  return items;
}

describe("after a Taiwan close, on a fresh start", () => {
  let db: Database;
  let venue: Venue;
  let items: NewsItem[];
  const at = (item: NewsItem): number => item.at;
  const today = (item: NewsItem): boolean => taipeiDay(item.at) === taipeiDay(CLOSED);
  const quoteOf = (code: string | undefined) => venue.quote(venue.instrument(code ?? "")?.row ?? -1);

  beforeAll(async () => {
    db = await openTestDatabase();
    venue = openVenue({ seed: SEED, rate: 400, hours: "taiwan", codes, now: () => CLOSED });
    await new Newsroom({ db, venue, now: () => CLOSED }).publishDue();
    items = await allNews(db, venue, CLOSED);
  });
  afterAll(async () => {
    await venue.stop();
    await db.close();
  });

  test("it has published six sessions, newest first, valid by the contract", () => {
    expect(new Set(items.map((item) => taipeiDay(item.at))).size).toBe(6);
    expect(items.map(at)).toEqual(items.map(at).toSorted((a, b) => b - a));
    for (const item of items) NewsItem.parse(item);
    expect(new Set(items.map(({ kind }) => NEWS_TOPIC_OF[kind]))).toEqual(new Set(["market", "stocks", "sectors", "listings"]));
    for (const kind of ["open", "midday", "wrap"] as const) {
      const codes = items.filter((item) => item.kind === kind && today(item)).map((item) => item.codes[0]);
      expect(new Set(codes)).toEqual(new Set(["IX0001", "IX0043"]));
      expect(codes.length).toBe(2);
    }
  });

  test("a table that grew is still the same market: nothing is published twice, and nothing lost", async () => {
    const grown = new Proxy(venue, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (name === "state") return (now: number) => ({ ...of.state(now), universe: `${of.state(now).universe}.x+7` });
        return typeof value === "function" ? (value.bind(of) as unknown) : value;
      },
    });
    await new Newsroom({ db, venue: grown, now: () => CLOSED }).publishDue();
    expect(await allNews(db, grown, CLOSED)).toEqual(items);
  });

  test("the articles of the close have the venue's numbers", () => {
    const last = items.filter((item) => item.at === taipei("2026-11-18T13:30:00"));
    expect(last.length).toBeGreaterThan(4);
    for (const { kind, codes, facts, category } of last) {
      if (category) continue;
      const quote = quoteOf(codes[0]);
      const index = venue.contribution(quote.row);
      const change = Math.round(((quote.last - quote.reference) / quote.reference) * 10_000);
      expect(facts, `${kind} ${codes[0]}`).toMatchObject({ price: quote.last, change, turnover: quote.turnover });
      if (!index) {
        expect(facts).toMatchObject({ high: quote.high, low: quote.low, volume: quote.volume });
        continue;
      }
      const { up, down, limitUp, limitDown, leaders, laggards } = index;
      expect(facts).toMatchObject({ up, down, limitUp, limitDown });
      const movers = (change < 0 ? laggards : leaders).slice(0, 3).map(([row]) => venue.instruments[row]?.code);
      expect(codes.slice(1)).toEqual(movers);
    }
  });

  test("the sectors in the news are the best and the worst of the venue's heat", () => {
    const flat = venue.heat();
    for (const item of items.filter((one) => one.category && today(one))) {
      const nth = venue.categories.findIndex(({ board, code }) => board === item.category?.board && code === item.category.code);
      const { change, up, down, limitUp, limitDown, turnover } = sectorHeatAt(flat, nth * HEAT_STRIDE);
      expect(item.facts).toEqual({ change, up, down, limitUp, limitDown, turnover });
      const rivals = venue.categories.flatMap(({ board, code, count }, other) =>
        board === item.category?.board && /^\d+$/.test(code) && count >= 5 ? [sectorHeatAt(flat, other * HEAT_STRIDE).change] : [],
      );
      expect(change).toBe(item.kind === "sectorUp" ? Math.max(...rivals) : Math.min(...rivals));
      for (const code of item.codes) expect(venue.instrument(code)?.category).toBe(item.category?.code);
    }
  });

  test("the articles of past sessions agree with the venue's candles", async () => {
    const { bars } = await venue.candles("IX0001", "day", null, 10);
    const wraps = items.filter(({ kind, codes }) => kind === "wrap" && codes[0] === "IX0001");
    expect(wraps.length).toBe(6);
    for (const { at, facts } of wraps) {
      const nth = Array.from({ length: bars.length / CANDLE_STRIDE }, (_, one) => one).find(
        (one) => taipeiDay(bars[one * CANDLE_STRIDE] ?? 0) === taipeiDay(at),
      );
      const [, , high, low, close] = bars.slice((nth ?? 0) * CANDLE_STRIDE);
      expect(facts).toMatchObject({ high, low, price: close });
    }
    for (const { kind, codes, facts, at } of items.filter((one) => one.kind === "plunge" || one.kind === "surge")) {
      const day = await venue.candles(codes[0] ?? "", "day", null, 10);
      const nth = day.bars.findIndex((value, place) => place % CANDLE_STRIDE === 0 && taipeiDay(value) === taipeiDay(at));
      const before = day.bars[nth - 2] ?? 0;
      const price = facts.price ?? 0;
      expect(price >= (day.bars[nth + 3] ?? 0) && price <= (day.bars[nth + 2] ?? 0), `${kind} ${codes[0]}`).toBe(true);
      if (kind === "surge") expect(price).toBeGreaterThanOrEqual(before * 1.0495);
      else expect(price).toBeLessThanOrEqual(before * 0.9505);
    }
  });

  test("ex-events are the venue's, and a new listing is reported on its day", async () => {
    const exEvents = items.filter(({ kind }) => kind === "exEvent");
    expect(exEvents.length).toBeGreaterThan(0);
    for (const { at, codes, facts } of exEvents) {
      const action = (await venue.actions(codes[0] ?? "")).at(-1);
      expect(taipeiDay(action?.at ?? 0)).toBe(taipeiDay(at));
      const { cash, reference, rightsMillionths, rightsPrice } = action ?? {};
      if (rightsMillionths) expect(facts).toEqual({ reference, rightsMillionths, price: rightsPrice });
      else expect(facts).toEqual({ cash, reference });
    }
    const listing = items.filter(({ kind }) => kind === "listing");
    expect(listing.map(({ codes, at }) => [codes, at])).toEqual([[["K6411"], taipei("2026-11-18T09:05:00")]]);
  });

  test("no subject appears twice in a session, and no kind without limit", () => {
    const subjects = items.map(({ at, kind, codes, category }) => `${taipeiDay(at)} ${kind} ${category ? category.board : codes[0]}`);
    expect(new Set(subjects).size).toBe(subjects.length);
    const counts = new Map<string, number>();
    for (const { at, kind } of items) counts.set(`${taipeiDay(at)} ${kind}`, (counts.get(`${taipeiDay(at)} ${kind}`) ?? 0) + 1);
    for (const [name, count] of counts) expect(count, name).toBeLessThanOrEqual(12);
    expect(items.filter(today).length).toBeGreaterThan(15);
    expect(items.filter(today).length).toBeLessThan(60);
  });

  test("a restart publishes nothing again", async () => {
    await new Newsroom({ db, venue, now: () => CLOSED }).publishDue();
    expect((await allNews(db, venue, CLOSED)).map(({ id }) => id)).toEqual(items.map(({ id }) => id));
  });

  test("another seed's market has its own news", async () => {
    const other = openVenue({ seed: SEED + 1, rate: 400, hours: "taiwan", codes, now: () => CLOSED });
    expect(await allNews(db, other, CLOSED)).toEqual([]);
    await other.stop();
  });

  test("articles on an instrument are found by its code wherever they mention it", async () => {
    const named = items.find(({ kind, codes }) => kind === "wrap" && codes.length > 1)?.codes[1] ?? "";
    const about = await allNews(db, venue, CLOSED, named);
    expect(about).toEqual(items.filter(({ codes }) => codes.some((code) => code === named)));
    expect(about.length).toBeGreaterThan(0);
  });
});

test("the report of the close waits for a close that is put off, and has it", async () => {
  let now = taipei("2026-12-03T13:32:00");
  const db = await openTestDatabase();
  const some = [...(codes ?? []), "2889"];
  const venue = openVenue({ seed: SEED, rate: 400, hours: "taiwan", codes: codes && some, now: () => now });
  const row = venue.instrument("2889")?.row ?? -1;
  expect(venue.lateClose(row, now)).not.toBeNull();
  const newsroom = new Newsroom({ db, venue, now: () => now });
  const wraps = async () => (await allNews(db, venue, now)).filter(({ kind, at }) => kind === "wrap" && taipeiDay(at) === taipeiDay(now));
  await newsroom.publishDue();
  expect(await wraps()).toEqual([]);
  now = taipei("2026-12-03T13:33:10");
  await newsroom.publishDue();
  const closed = openVenue({ seed: SEED, rate: 400, hours: "taiwan", codes: codes && some, now: () => now });
  const index = closed.quote(closed.instrument("IX0001")?.row ?? -1);
  const [wrap] = (await wraps()).filter(({ codes: [code] }) => code === "IX0001");
  expect(wrap?.at).toBe(taipei("2026-12-03T13:30:00"));
  expect(wrap?.facts).toMatchObject({ price: index.last, turnover: index.turnover });
  await Promise.all([venue.stop(), closed.stop()]);
  await db.close();
});

test("in a market around the clock the session is the day: open after midnight, midday at noon, wrap at midnight", async () => {
  let now = taipei("2026-11-17T00:06:00");
  const db = await openTestDatabase();
  const venue = openVenue({ seed: 3, rate: 400, hours: "always", codes, now: () => now });
  // All but the day before has been published by an earlier process.
  const { universe } = venue.state(now);
  for (let back = 2; back <= 5; back += 1) {
    for (const nth of [OPENING, MIDDAY, CLOSING])
      await publishEdition(db, { universe, day: taipeiDay(now) - back, nth, at: now - back * DAY_MS }, []);
  }
  const newsroom = new Newsroom({ db, venue, now: () => now });
  const about = async (day: string): Promise<string[]> => {
    const items = await allNews(db, venue, now, "IX0001");
    return items.filter((item) => taipeiDay(item.at - MINUTE_MS) === taipeiDay(taipei(`${day}T12:00:00`))).map(({ kind }) => kind);
  };
  await newsroom.publishDue();
  expect(await about("2026-11-17")).toEqual(["open"]);
  expect(await about("2026-11-16")).toEqual(["wrap", "midday", "open"]);
  const backfilled = (await allNews(db, venue, now)).length;
  now = taipei("2026-11-17T12:00:30");
  await newsroom.publishDue();
  expect(await about("2026-11-17")).toEqual(["midday", "open"]);
  const articles = (await allNews(db, venue, now)).length - backfilled;
  expect(articles).toBeGreaterThan(2);
  // Half a day: a few an hour, not hundreds.
  expect(articles).toBeLessThan(36);
  now += DAY_MS / 2;
  await newsroom.publishDue();
  expect(await about("2026-11-17")).toEqual(["wrap", "midday", "open"]);
  await venue.stop();
  await db.close();
});
