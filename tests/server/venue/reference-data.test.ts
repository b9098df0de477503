/** Tests the reference data: every category is populated, real securities have their own codes, and fictitious ones are marked. */
import { describe, expect, test } from "vitest";
import { Instrument } from "#contract/instrument.ts";
import type { Board } from "#contract/instrument.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { onTick } from "#contract/tick.ts";
import { tradesOn } from "#server/venue/calendar/trading-calendar.ts";
import { fictitiousName } from "#server/venue/reference-data/fictitious-names.ts";
import { listReferenceData } from "#server/venue/reference-data/listings.ts";

const { listings, categories } = listReferenceData();
const instruments = listings.map(({ instrument }) => instrument);
const LISTED = "01 02 03 04 05 06 08 09 10 11 12 14 15 16 17 18 20 21 22 23 24 25 26 27 28 29 30 31 35 36 37 38".split(" ");
const OTC = "02 03 04 05 06 08 10 11 14 15 16 17 18 20 21 22 23 24 25 26 27 28 29 30 31 32 33 35 36 37 38".split(" ");

describe("the reference data", () => {
  test("has rows in order, valid by the contract", () => {
    instruments.forEach((instrument, row) => {
      expect(instrument.row).toBe(row);
      Instrument.parse(instrument);
    });
  });

  test("has no code or name twice", () => {
    for (const field of ["code", "zh", "en"] as const)
      expect(new Set(instruments.map((instrument) => instrument[field])).size).toBe(instruments.length);
  });

  test.each([
    ["listed", LISTED],
    ["otc", OTC],
  ] as [Board, string[]][])("populates every industry of the %s board", (board, industries) => {
    for (const code of industries) {
      const category = categories.find((one) => one.board === board && one.code === code);
      expect(category?.count, `${board} ${code}`).toBeGreaterThanOrEqual(4);
    }
  });

  test("counts its categories correctly and keeps each together", () => {
    for (const { board, code, count } of categories) {
      const members = instruments.filter((one) => one.board === board && one.category === code);
      expect(members.length).toBe(count);
      expect((members.at(-1)?.row ?? 0) - (members[0]?.row ?? 0)).toBe(count - 1);
    }
    expect(categories.reduce((sum, { count }) => sum + count, 0)).toBe(instruments.length);
  });

  test("is about as large as the real market", () => {
    const count = (kind: string): number => instruments.filter((one) => one.kind === kind).length;
    expect(count("stock")).toBeGreaterThan(1900);
    expect(count("etf")).toBeGreaterThanOrEqual(60);
    expect(count("crypto")).toBe(12);
    expect(count("forex")).toBe(8);
    expect(count("index")).toBe(64);
    for (const kind of ["etn", "tdr", "reit", "preferred"]) expect(count(kind)).toBeGreaterThan(3);
    expect(instruments.filter((one) => !one.fictitious && one.kind === "stock").length).toBeGreaterThan(250);
  });

  test("marks fictitious instruments, and no others", () => {
    for (const { code, fictitious } of instruments) expect(/^K\d{4}$/.test(code)).toBe(fictitious);
  });

  test.each([
    ["2330", "台積電", "TSMC", "listed", "24", 1085],
    ["2317", "鴻海", "Hon Hai", "listed", "31", 212],
    ["6488", "環球晶", "GlobalWafers", "otc", "24", 362],
    ["0050", "元大台灣50", "Yuanta Taiwan 50", "listed", "etf", 196],
    ["IX0001", "加權指數", "TAIEX", "index", "index", 23150],
  ])("has %s", (code, zh, en, board, category, price) => {
    const found = listings.find(({ instrument }) => instrument.code === code);
    expect(found?.instrument).toMatchObject({ zh, en, board, category, fictitious: false });
    expect(found?.anchor).toBe(price * 10_000);
  });

  test.each([
    ["2330", "台积电"],
    ["2317", "鸿海"],
    ["3017", "奇鋐"],
    ["1590", "亚德客-KY"],
    ["IX0001", "加权指数"],
    ["0050", "元大台湾50"],
  ])("names %s in Simplified characters", (code, zhCn) => {
    expect(instruments.find((one) => one.code === code)?.zhCn).toBe(zhCn);
  });

  test("simplifies names character by character, into characters that phones can display", () => {
    for (const { zh, zhCn } of instruments) {
      expect(zhCn.length, zh).toBe(zh.length);
      expect(zhCn).not.toMatch(/[\u{10000}-\u{10ffff}灣電業國體機證銀東華]/u);
    }
  });

  test("has a few new listings this year, all fictitious, first traded on trading days", () => {
    const newListings = instruments.filter(({ listedDay }) => listedDay > 0);
    expect(newListings.length).toBe(10);
    for (const { kind, fictitious, listedDay } of newListings) {
      expect([kind, fictitious, tradesOn(listedDay)]).toEqual(["stock", true, true]);
      expect(new Date(listedDay * DAY_MS).toISOString()).toMatch(/^2026-(05|06|07|08|09|10|11)-/);
    }
  });

  test("anchors all prices on a tick", () => {
    for (const { instrument, anchor } of listings) expect(onTick(instrument.kind, anchor), instrument.code).toBe(true);
  });

  test("states the broker's terms by kind", () => {
    const terms = new Map(
      instruments
        .filter(({ kind, limitPercent, tradable }) => limitPercent !== null || !tradable || kind === "crypto")
        .map((one) => [one.kind, [one.tradable, one.shortable, one.sellLockSeconds]]),
    );
    expect(Object.fromEntries(terms)).toEqual({
      stock: [true, true, 60],
      preferred: [true, false, 60],
      etf: [true, true, 0],
      etn: [true, false, 0],
      tdr: [true, false, 900],
      reit: [true, false, 0],
      index: [false, false, 0],
      crypto: [true, false, 0],
      forex: [false, false, 0],
    });
  });

  test("sets the daily limit per instrument: double for leveraged funds, none for foreign markets, bonds and commodities", () => {
    const limitOf = (code: string) => instruments.find((one) => one.code === code)?.limitPercent;
    const of = (...codes: string[]) => codes.map(limitOf);
    expect(of("2330", "2881A", "9103", "01001T", "0050", "00632R", "020011")).toEqual([10, 10, 10, 10, 10, 10, 10]);
    expect(of("00631L", "00663L", "00675L")).toEqual([20, 20, 20]);
    expect(of("00646", "0061", "00637L", "00650L", "00635U", "00673R", "00679B", "00937B", "020000")).toEqual(Array(9).fill(null));
    expect(of("IX0001", "BTC", "USD")).not.toContain(10);
    const funds = instruments.filter(({ kind }) => kind === "etf" || kind === "etn");
    expect([funds.length, funds.filter(({ limitPercent }) => limitPercent !== 10).length]).toEqual([71, 35]);
  });

  test("allows neither margin nor short selling without a daily limit", () => {
    const unlimited = instruments.filter(({ limitPercent }) => limitPercent === null);
    expect(unlimited.some(({ tradable }) => tradable)).toBe(true);
    expect(unlimited.filter(({ shortable, marginable }) => shortable || marginable)).toEqual([]);
  });

  test("has two hundred names for an industry before one repeats", () => {
    const names = Array.from({ length: 200 }, (_, nth) => fictitiousName("24", nth).zh);
    expect(new Set(names).size).toBe(200);
  });
});
