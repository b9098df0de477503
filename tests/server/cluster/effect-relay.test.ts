/** Tests that what is stored while a follower reads what it missed counts once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { KyselyPlugin } from "kysely";
import { price } from "#contract/kernel/money.ts";
import { EffectRelay } from "#server/cluster/effect-relay.ts";
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { marketName } from "#server/venue/market-name.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const AT = taipei("2026-12-03T10:20:00.020");
const LOTS = 30;
const TRADE = "INSERT INTO member_trade (universe, code, opens_at, at, price, lots, side) VALUES ($1, $2, $3, $4, $5, $6, $7)";
const FILL = "INSERT INTO member_fill (universe, code, opens_at, at, lots) VALUES ($1, $2, $3, $4, $5)";
let db: Database;
let venue: Venue;

beforeAll(async () => {
  db = await openTestDatabase();
  venue = openVenue({ seed: 11, rate: 400, hours: "taiwan", newIssues: false, codes: sampleUniverse(1), now: () => AT });
});
afterAll(() => db.close());

/** Stores a trade and its fill as the sequencer does. @returns their numbers */
function store(): Promise<{ tradeId: number; fillId: number }> {
  const { opensAt } = venue.state(AT);
  const place = [marketName(venue.state(AT)), "2330", opensAt, AT];
  return db.transaction(async (tx) => {
    const into = async (text: string, values: number[]): Promise<number> =>
      (await query<{ id: number }>(tx, `${text} RETURNING id`, [...place, ...values]))[0]?.id ?? 0;
    return {
      tradeId: await into(TRADE, [1_000_000, LOTS, 1]),
      fillId: await into(FILL, [LOTS]),
    };
  });
}

/** Calls once what happens as soon as the first query is answered. */
function afterFirst(act: () => void): KyselyPlugin {
  let isFirst = true;
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isFirst) act();
      isFirst = false;
      return result;
    },
  };
}

test("a fill that is stored between two queries counts once", async () => {
  const storing: ReturnType<typeof store>[] = [];
  let lots = 0;
  const counted: Venue = {
    ...venue,
    state: (at) => venue.state(at),
    instrument: (code) => venue.instrument(code),
    report: (_trades, fills) => void (lots += (fills ?? []).reduce((sum, fill) => sum + fill.lots, 0)),
  };
  const kysely = db.kysely.withPlugin(afterFirst(() => void storing.push(store())));
  const relay = new EffectRelay({ db: { kysely }, venue: counted, now: () => AT });
  await relay.catchUp();
  const stored = await storing[0];
  if (!stored) throw new Error("nothing was asked");
  const code = "2330";
  const fills = [{ code, at: AT, lots: LOTS }];
  relay.report({ trades: [{ code, at: AT, price: price(1_000_000), lots: LOTS, side: 1 }], fills, stored }, false);
  expect(lots).toBe(LOTS);
  // Applied again, nothing is new.
  relay.report({ trades: [], fills, stored }, false);
  await relay.catchUp();
  expect(lots).toBe(LOTS);
});
