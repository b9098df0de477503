/** Tests the quotes at the end of minutes that are replayed at once: those which all trades since the open lead to. */
import { expect, test } from "vitest";
import { taipeiDay } from "#contract/kernel/time.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import { keysOfMinute } from "#server/venue/simulator/moved-path.ts";
import { QuoteBand } from "#server/venue/simulator/quote-band.ts";
import { ReplayedQuotes } from "#server/venue/simulator/replayed-quotes.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

/** Everyday a sample of the market. */
const codes = sampleUniverse(6);
const SESSIONS = 3;

/** Compares an instrument's quotes at some minutes of a session. @returns at how many it was locked */
function compare(market: SeededMarket, row: number, session: number): number {
  const model = market.models[row];
  if (!model || session < model.listed) return 0;
  const path = new Path(model, new DailyProcessReader(model, session).next(), market.sessionProfile(session));
  const { minutes } = market.calendar;
  const marks = new Float64Array(minutes + 1);
  const lots = new Int32Array(minutes + 1);
  path.tape(marks, lots, minutes);
  const [all, latest, quotes, keys] = [new QuoteBand(1), new QuoteBand(1), new ReplayedQuotes(), keysOfMinute()];
  const bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
  let locked = 0;
  for (let minute = 0; minute < minutes; minute += 1) {
    if ((minute * 7 + row) % 41 === 0) {
      quotes.set(latest, 0, { model, path, marks, lots }, minute);
      const seen = [latest.bid(0), latest.ask(0), latest.isLocked(0)];
      expect(seen, `row ${row} before minute ${minute} of ${session}`).toEqual([all.bid(0), all.ask(0), all.isLocked(0)]);
      if (all.isLocked(0)) locked += 1;
    }
    if (lots[minute] === 0) continue;
    path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots[minute] ?? 0, bar);
    path.trades(minute, bar, keys, 0);
    for (let nth = 0; nth < (keys.count[0] ?? 0); nth += 1) {
      const byAuction = nth === 0 && path.startsWithAuction(minute);
      all.trade(0, model, keys.price[nth] ?? 0, path.day, { session, minute, nth, byAuction });
    }
  }
  return locked;
}

test.each([
  [5, "always"],
  [11, "taiwan"],
  [11, "compressed"],
] as const)("of seed %i, open %s, are those after all trades", (seed, hours) => {
  const market = marketOf(seed, hours, codes);
  const first = market.calendar.sessionOn(taipeiDay(taipei("2026-12-03T12:00:00")));
  let locked = 0;
  for (let session = first; session < first + SESSIONS; session += 1)
    for (let row = session % 2; row < market.models.length; row += 2) locked += compare(market, row, session);
  expect(locked).toBeGreaterThan(0);
});
