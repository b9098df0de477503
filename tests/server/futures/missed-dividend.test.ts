/** Tests dividends of days on which the server was down: positions are adjusted for each, as on the day itself. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { contract, expectCleanBooks, index, nextDay, position, trade, trader } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
  broker.venue.setPhase("open");
  index(broker, 20_000, 20_000);
});
afterAll(() => broker.shut());

it("days that the server missed leave nobody richer or poorer by their dividends, before an expiry and over it", async () => {
  const [long, short, expiring] = [await trader(broker), await trader(broker), await trader(broker)];
  const later = await contract(broker, long, "TX", 3);
  await trade(broker, long, "buy", 1, { contract: later });
  await trade(broker, short, "sell", 1, { contract: later });
  const { position: near } = await trade(broker, expiring, "buy", 1);
  const members = [long, short, expiring];
  const totals = () => Promise.all(members.map(async (one) => (await broker.call("readMember", one, {})).totalCents));
  await nextDay(broker, 20_000);
  const before = await totals();
  const today = broker.venue.feeDay(broker.clock.now);
  const [row] = await query<FuturesRecord>(broker.db.kysely, "SELECT * FROM futures_position WHERE position_no = $1", [near.positionNo]);
  const expiry = row?.expiry_day ?? 0;
  // The index loses 80 and 40 points before the expiry, 30 on the day after it and 10 on the day the server is back.
  const lost = new Map([
    [today, 500],
    [today + 1, 80],
    [expiry, 40],
    [expiry + 1, 30],
    [expiry + 2, 500],
  ]);
  broker.venue.exDividends = async (_row, after, before) =>
    [...lost].flatMap(([of, points]) => (of > after && of < before ? [{ day: of, lost: points * 10_000 }] : []));
  const day = taipeiDay(broker.clock.now);
  const close = 19_920 * 10_000;
  const bar = { at: taipeiMidnight(day + 1), open: close, high: close, low: close, close, volume: 1 };
  broker.venue.setPastCalls([], { IX0001: [bar] });
  await nextDay(broker, 19_850, 10, expiry + 2 - today);
  expect((await position(broker, expiring, near.positionNo)).status).toBe("settled");
  const after = await totals();
  // The basis of so many days, and what the expiry's half hour and charges take: nothing of the size of a dividend.
  const [first = 0, second = 0, third = 0] = members.map((_, nth) => (after[nth] ?? 0) - (before[nth] ?? 0));
  expect(first + second).toBe(0);
  expect(Math.abs(first)).toBeLessThanOrEqual(20_000 * (1 + Math.ceil((expiry + 2 - today) / 45)));
  expect(Math.abs(third - (19_850 - 20_000 + 120) * 20_000)).toBeLessThanOrEqual(60_000);
  broker.venue.setPastCalls([], {});
  await trade(broker, long, "sell", 1, { contract: later });
  await trade(broker, short, "buy", 1, { contract: later });
  await expectCleanBooks(broker);
});
