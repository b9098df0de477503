/** Tests that a follower's market shows what members do to the leader's, slot by slot, also when messages were lost. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { Publisher } from "#server/cluster/publisher.ts";
import { EffectRelay } from "#server/cluster/effect-relay.ts";
import { LeaderStream } from "#server/cluster/leader-stream.ts";
import { BEAT_MS, sealMessage } from "#server/cluster/message.ts";
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { JoinedOrders } from "#server/venue/matching/call-auction.ts";
import type { StoredUpTo } from "#server/venue/matching/member-effect.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openMessageBus } from "#tests/support/message-bus.ts";
import type { MessageBus } from "#tests/support/message-bus.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const SLOT_MS = 50;
const codes = sampleUniverse(1);
const KEY = "the key of these leaders";
/** The epoch by the database. */
let newestEpoch = 1;
let db: Database;
const stops: (() => Promise<void> | void)[] = [];
const streams: LeaderStream[] = [];

beforeEach(async () => {
  newestEpoch = 1;
  db = await openTestDatabase();
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "Date", "performance"] });
  vi.setSystemTime(taipei("2026-12-03T10:20:00.020"));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  streams.splice(0);
  vi.useRealTimers();
  await db.close();
});

/** A market open as on a server; `not`: a code it does not list, so that rows after it differ. */
function openMarket(not?: string): Venue {
  const venue = openVenue({ seed: 11, rate: 400, hours: "taiwan", newIssues: false, codes: codes?.filter((code) => code !== not) });
  venue.start();
  stops.push(() => venue.stop());
  return venue;
}

/** Lets time pass, and what waits for the database answer. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += SLOT_MS) {
    await vi.advanceTimersByTimeAsync(Math.min(SLOT_MS, ms - passed));
    // What is told in this turn is sent at its end, and may have to be read from the database.
    do await new Promise((done) => setImmediate(done));
    while (streams.some(({ waiting }) => waiting > 0));
  }
}

function lead(venue: Venue, link: MessageBus, epoch = 1, rows: Iterable<number> = []): Publisher {
  newestEpoch = epoch;
  const publisher = new Publisher({
    link,
    key: KEY,
    leads: () => epoch === newestEpoch,
    channels: { leader: "leader", ask: "ask", limits: "limits" },
    epoch,
    venue,
    rowsWithOrders: () => rows,
  });
  publisher.start();
  stops.push(() => publisher.stop());
  return publisher;
}

async function follow(venue: Venue, link: MessageBus): Promise<{ effects: EffectRelay; stream: LeaderStream }> {
  const effects = new EffectRelay({ db, venue, now: Date.now });
  await effects.open();
  const stream = new LeaderStream({
    leader: () => ({ epoch: newestEpoch, key: KEY }),
    apply(item, isBehind) {
      if ("taken" in item) effects.take(item.taken);
      else if ("reported" in item) effects.report(item.reported, isBehind);
      else if ("joined" in item) effects.join(item.joined);
      else if ("books" in item) effects.replaceBooks(item.books);
    },
    catchUp: (isNewLeader) => (isNewLeader ? effects.reopen() : effects.catchUp()),
    resumed: () => undefined,
    askBooks: () => link.publish("ask", "books"),
    report: (error) => {
      throw error;
    },
  });
  link.subscribe("leader", (text) => stream.receive(text));
  stream.start();
  streams.push(stream);
  stops.push(() => stream.stop());
  return { effects, stream };
}

/** Everything that is shown of some instruments, without what each server counts for itself. */
const shown = (venue: Venue, some: readonly string[]): unknown[] =>
  some.map((code) => {
    const row = venue.instrument(code)?.row ?? -1;
    const { seq: _seq, row: _row, ...quote } = venue.publicQuote(row);
    const { seq: _depthSeq, row: _depthRow, ...depth } = venue.depth(row);
    return { code, quote, depth };
  });

/** Buys from the leader's book as the sequencer does: the trade is stored, and then reported. */
async function buy(venue: Venue, code: string, lots: number): Promise<void> {
  const row = venue.instrument(code)?.row ?? -1;
  const want = { row, side: "buy", limit: price(venue.depth(row).asks.at(-1)?.[0] ?? 0), lots } as const;
  const executions = venue.plan(want);
  venue.consume(want, executions);
  const [at, state] = [Date.now(), venue.state(Date.now())];
  const stored: StoredUpTo = { tradeId: 0, fillId: 0 };
  const place = [marketName(state), code, state.opensAt, at];
  // As a whole: one that starts meanwhile reads all of it or nothing.
  await db.transaction(async (tx) => {
    const into = async (text: string, values: number[]): Promise<number> =>
      (await query<{ id: number }>(tx, `${text} RETURNING id`, [...place, ...values]))[0]?.id ?? 0;
    for (const { price: of, lots: size } of executions) {
      stored.tradeId = await into(
        "INSERT INTO member_trade (universe, code, opens_at, at, price, lots, side) VALUES ($1, $2, $3, $4, $5, $6, 1)",
        [of, size],
      );
      stored.fillId = await into("INSERT INTO member_fill (universe, code, opens_at, at, lots) VALUES ($1, $2, $3, $4, $5)", [size]);
    }
  });
  const trades = executions.map((one) => ({ row, at, price: one.price, lots: one.lots, side: 1 as const }));
  const fills = executions.map((one) => ({ row, at, lots: one.lots }));
  venue.report(trades, fills, stored);
}

const BOUGHT = ["2330", "2317", "2603"];

test("each slot shows the same quotes and books while members take from them", async () => {
  const link = openMessageBus();
  const [leader, follower] = [openMarket(), openMarket()];
  lead(leader, link);
  await follow(follower, link);
  await pass(SECOND_MS);
  const alone = openMarket();
  for (let slot = 0; slot < 100; slot += 1) {
    if (slot % 5 === 0) await buy(leader, BOUGHT[(slot / 5) % 3] ?? "", 40);
    await pass(SLOT_MS);
    expect(shown(follower, BOUGHT)).toEqual(shown(leader, BOUGHT));
  }
  expect(shown(alone, BOUGHT)).not.toEqual(shown(leader, BOUGHT));
});

test("an instrument may be in another row", async () => {
  const link = openMessageBus();
  const [leader, follower] = [openMarket(), openMarket("2454")];
  lead(leader, link);
  await follow(follower, link);
  await pass(SECOND_MS);
  const rowsIn = (venue: Venue) => BOUGHT.map((code) => venue.instrument(code)?.row);
  expect(rowsIn(follower)).not.toEqual(rowsIn(leader));
  for (const code of BOUGHT) await buy(leader, code, 40);
  await pass(SLOT_MS);
  const takenIn = ({ effects, instruments }: Venue) =>
    effects?.taken().map(({ row, at: _at, ...taken }) => [instruments[row]?.code, taken]);
  expect(takenIn(follower)).toHaveLength(takenIn(leader)?.length ?? 0);
  expect(takenIn(follower)).toEqual(expect.arrayContaining(takenIn(leader) ?? []));
});

test("what was lost is read from the database, and the books are asked for", async () => {
  const link = openMessageBus();
  const [leader, follower] = [openMarket(), openMarket()];
  lead(leader, link);
  await follow(follower, link);
  await pass(SECOND_MS);
  await buy(leader, "2330", 20);
  link.setUp(false);
  for (const code of BOUGHT) await buy(leader, code, 40);
  await pass(SECOND_MS);
  expect(shown(follower, BOUGHT)).not.toEqual(shown(leader, BOUGHT));
  // Still without Redis: what was traded, but not what is missing from the books.
  await pass(3 * BEAT_MS);
  const traded = (venue: Venue): number[] => BOUGHT.map((code) => venue.publicQuote(venue.instrument(code)?.row ?? -1).volume);
  expect(traded(follower)).toEqual(traded(leader));
  link.setUp(true);
  await buy(leader, "2317", 10);
  await pass(2 * BEAT_MS);
  expect(shown(follower, BOUGHT)).toEqual(shown(leader, BOUGHT));
});

test("a single lost message is noticed by the next heartbeat", async () => {
  const link = openMessageBus();
  const [leader, follower] = [openMarket(), openMarket()];
  lead(leader, link);
  await follow(follower, link);
  await pass(SECOND_MS);
  link.setUp(false);
  await buy(leader, "2330", 40);
  await pass(SLOT_MS);
  link.setUp(true);
  expect(shown(follower, BOUGHT)).not.toEqual(shown(leader, BOUGHT));
  // Longer than a heartbeat, shorter than a silence.
  await pass(BEAT_MS + 4 * SLOT_MS);
  expect(shown(follower, BOUGHT)).toEqual(shown(leader, BOUGHT));
});

test("numbers of trades beyond those in the database are not believed once it is asked", async () => {
  const link = openMessageBus();
  const [leader, follower] = [openMarket(), openMarket()];
  const publisher = lead(leader, link);
  await follow(follower, link);
  await pass(SECOND_MS);
  publisher.publish({ reported: { trades: [], fills: [], stored: { tradeId: 1_000_000, fillId: 1_000_000 } } });
  await buy(leader, "2330", 20);
  await pass(SLOT_MS);
  expect(shown(follower, BOUGHT)).not.toEqual(shown(leader, BOUGHT));
  link.setUp(false);
  await buy(leader, "2317", 20);
  await pass(SLOT_MS);
  link.setUp(true);
  await pass(2 * BEAT_MS);
  expect(shown(follower, BOUGHT)).toEqual(shown(leader, BOUGHT));
  await buy(leader, "2603", 20);
  await pass(SLOT_MS);
  expect(shown(follower, BOUGHT)).toEqual(shown(leader, BOUGHT));
});

test("one that starts later, and one that follows the next leader, show the same", async () => {
  const link = openMessageBus();
  const [leader, follower] = [openMarket(), openMarket()];
  const first = lead(leader, link);
  const { stream } = await follow(follower, link);
  await pass(SECOND_MS);
  for (const code of BOUGHT) await buy(leader, code, 40);
  // Much of what was taken is refilled since.
  await vi.advanceTimersByTimeAsync(60 * SECOND_MS);
  await pass(SECOND_MS);
  const later = openMarket();
  await follow(later, link);
  await pass(2 * BEAT_MS);
  expect(shown(later, BOUGHT)).toEqual(shown(leader, BOUGHT));
  first.stop();
  await stream.stop();
  // The follower that is elected reads all again, as every server that starts.
  const elected = new EffectRelay({ db, venue: follower, now: Date.now });
  await elected.open();
  lead(follower, link, 2);
  await buy(follower, "2330", 30);
  await pass(SLOT_MS);
  // What the one before tells now is of no interest to anybody.
  const late = {
    code: "2317",
    at: Date.now(),
    price: follower.publicQuote(follower.instrument("2317")?.row ?? -1).last,
    lots: 50,
    side: 1 as const,
  };
  link.publish("leader", sealMessage({ epoch: 1, n: 1, sent: 1, items: [{ reported: { trades: [late], fills: [] } }] }, KEY));
  await pass(2 * BEAT_MS);
  expect(shown(later, BOUGHT)).toEqual(shown(follower, BOUGHT));
});

test("members' orders in a call are in the trial prices of every server", async () => {
  vi.setSystemTime(taipei("2026-12-03T13:25:40.020"));
  const link = openMessageBus();
  const [leader, follower] = [openMarket(), openMarket()];
  const row = leader.instrument("2330")?.row ?? -1;
  const publisher = lead(leader, link, 1, [row]);
  await follow(follower, link);
  let joined: JoinedOrders | null = { bids: [[leader.limits(row, Date.now())?.up ?? 0, 400_000]], asks: [] };
  leader.joinCalls((one) => (one === row ? joined : null));
  publisher.ordersChanged(row);
  // A trial price stays until its next step.
  await pass(12 * SECOND_MS);
  const alone = shown(openMarket(), ["2330"]);
  expect(shown(follower, ["2330"])).toEqual(shown(leader, ["2330"]));
  expect(shown(follower, ["2330"])).not.toEqual(alone);
  joined = null;
  publisher.ordersChanged(row);
  await pass(12 * SECOND_MS);
  expect(shown(follower, ["2330"])).toEqual(shown(leader, ["2330"]));
});

test("a call that is priced before it is stored counts once", async () => {
  vi.setSystemTime(taipei("2026-12-03T13:30:02.020"));
  const link = openMessageBus();
  const [leader, follower] = [openMarket(), openMarket()];
  lead(leader, link);
  const { effects } = await follow(follower, link);
  await pass(SECOND_MS);
  const row = leader.instrument("2330")?.row ?? -1;
  const { last, volume } = leader.publicQuote(row);
  const state = leader.state(Date.now());
  const call = { row, at: state.closesAt, price: last, lots: 7, side: 0 as const };
  leader.report([call]);
  await query(
    db.kysely,
    "INSERT INTO member_trade (universe, code, opens_at, at, price, lots, side) VALUES ($1, '2330', $2, $3, $4, 7, 0)",
    [marketName(state), state.opensAt, call.at, call.price],
  );
  leader.report([{ row, at: Date.now(), price: last, lots: 5, side: 1 }]);
  await pass(SECOND_MS);
  await effects.catchUp();
  await pass(SLOT_MS);
  expect(leader.publicQuote(row).volume).toBe(volume + 12);
  expect(follower.publicQuote(row).volume).toBe(volume + 12);
});

test("a call that was priced and never stored is void with its leader", async () => {
  vi.setSystemTime(taipei("2026-12-03T13:30:02.020"));
  const link = openMessageBus();
  const [leader, next, follower] = [openMarket(), openMarket(), openMarket()];
  const first = lead(leader, link);
  await follow(follower, link);
  await pass(SECOND_MS);
  const row = leader.instrument("2330")?.row ?? -1;
  const alone = follower.publicQuote(row);
  const call = { row, at: leader.state(Date.now()).closesAt, price: alone.last, lots: 7, side: 0 as const };
  leader.report([call]);
  await pass(SLOT_MS);
  expect(follower.publicQuote(row).volume).toBe(alone.volume + 7);
  first.stop();
  lead(next, link, 2);
  await pass(2 * BEAT_MS);
  expect(follower.publicQuote(row)).toMatchObject({ last: alone.last, volume: alone.volume });
  expect(follower.publicQuote(row).seq).toBeGreaterThan(alone.seq + 1);
  next.report([call]);
  await pass(SLOT_MS);
  expect(follower.publicQuote(row).volume).toBe(alone.volume + 7);
});

test("one that begins to lead forgets what was only told", async () => {
  const link = openMessageBus();
  const [leader, follower] = [openMarket(), openMarket()];
  const publisher = lead(leader, link);
  const { effects, stream } = await follow(follower, link);
  await pass(SECOND_MS);
  await buy(leader, "2330", 40);
  const row = follower.instrument("2330")?.row ?? -1;
  publisher.publish({ joined: [["2330", { bids: [[null, 9]], asks: [] }]] });
  await pass(SLOT_MS);
  expect(follower.effects?.taken().length).toBeGreaterThan(0);
  expect(follower.effects?.joined(row)).toEqual({ bids: [[null, 9]], asks: [] });
  await stream.stop();
  effects.forgetUnstored();
  expect([follower.effects?.taken(), follower.effects?.joined(row)]).toEqual([[], null]);
});
