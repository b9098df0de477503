/** Tests what the monitor of futures wallets knows of positions: all that is stored, read again only where something has changed. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startFuturesMonitor } from "#server/accounts/futures/futures-monitor.ts";
import { WatchedWallets } from "#server/accounts/futures/watched-wallets.ts";
import type { Watched } from "#server/accounts/futures/watched-wallets.ts";
import { OptionMarks } from "#server/trading/futures/option-value.ts";
import { hasEnough, isCalled, marginOf, readWallet } from "#server/trading/futures/margin.ts";
import { verdictOf } from "#server/accounts/futures/margin-call.ts";
import { calmMarket, expectCleanBooks, index, move, nextDay, trade } from "#tests/server/futures/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { signByHand } from "#tests/support/signature.ts";
import { closeOption, openOption, optionPosition, optionTrader, readOptions, series } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

it("is all that is stored after every change, and the same objects where there was none", async () => {
  const wallets = new WatchedWallets();
  const look = async (): Promise<Map<number, Watched>> => {
    const watched = await wallets.read(broker.db.kysely);
    expect(watched).toEqual(await new WatchedWallets().read(broker.db.kysely));
    return new Map(watched.map((one) => [one.memberId, one]));
  };
  expect(await look()).toEqual(new Map());
  const [first, second] = [await optionTrader(broker), await optionTrader(broker)];
  await signByHand(broker, first, "futures");
  const codes = [await series(broker, first, "call", 1), await series(broker, first, "put", -1), await series(broker, first, "call", 4)];
  const [call, put, far] = codes.map(({ code }) => code) as [string, string, string];
  await openOption(broker, second, call, "buy", 1);
  let before = await look();
  const changed = async (change: () => Promise<unknown>): Promise<void> => {
    await change();
    const now = await look();
    expect(now.get(first)?.rows).not.toEqual(before.get(first)?.rows);
    expect(now.get(second)?.rows).toBe(before.get(second)?.rows);
    before = now;
  };
  await changed(() => openOption(broker, first, call, "buy", 2));
  await changed(() => openOption(broker, first, call, "buy", 1));
  await changed(() => trade(broker, first, "buy", 1));
  const [held] = before.get(first)?.rows.options ?? [];
  await changed(() => closeOption(broker, first, held?.position_no ?? "", 1));
  // One is closed and another opened between two looks, with a version as high.
  await changed(async () => {
    await closeOption(broker, first, held?.position_no ?? "", 2);
    await openOption(broker, first, put, "buy", 1);
    for (let lots = 0; lots < 2; lots += 1) await openOption(broker, first, put, "buy", 1);
  });
  await changed(() => openOption(broker, first, far, "sell", 1));
  // A page reads a wallet as the monitor does, the newest positions first.
  for (const member of [first, second]) {
    const { rows, balance } = before.get(member) ?? { rows: { futures: [], options: [] } };
    const newest = { futures: rows.futures.toReversed(), options: rows.options.toReversed() };
    expect(await readWallet(broker.db.kysely, member)).toEqual({ walletCents: balance, open: newest });
  }
  // Money alone changes no position.
  await move(broker, first, "futures", 1_000_000);
  const paid = await look();
  expect(paid.get(first)?.rows).toBe(before.get(first)?.rows);
  expect(paid.get(first)?.balance).toBe((before.get(first)?.balance ?? 0) + 1_000_000);
  // A day marks every position.
  await nextDay(broker, 20_100);
  const marked = await look();
  for (const member of [first, second]) expect(marked.get(member)?.rows).not.toBe(paid.get(member)?.rows);
  await closeOption(broker, second, marked.get(second)?.rows.options[0]?.position_no ?? "", 1);
  expect((await look()).has(second)).toBe(false);
});

it("never takes for enough what is closed, and tells it without pairing while little is used", async () => {
  const member = await optionTrader(broker, 30_000_000);
  await openOption(broker, member, (await series(broker, member, "call", 3)).code, "buy", 1);
  await openOption(broker, member, (await series(broker, member, "call", 0)).code, "sell", 1);
  await openOption(broker, member, (await series(broker, member, "put", 0)).code, "sell", 1);
  expect((await readOptions(broker, member)).pairs.length).toBeGreaterThan(0);
  const [watched] = (await new WatchedWallets().read(broker.db.kysely)).filter(({ memberId }) => memberId === member);
  if (!watched) throw new Error("not watched");
  const { rows } = watched;
  const { venue } = broker;
  const at = broker.clock.now;
  const told = { enough: 0, unsure: 0, closed: 0 };
  for (let level = 18_000; level <= 22_000; level += 100)
    for (let balance = -20_000_000; balance <= 40_000_000; balance += 1_000_000) {
      index(broker, level);
      const sources = { venue, rules: broker.sequencer.rules, marks: new OptionMarks(venue, at) };
      const verdict = verdictOf(marginOf(sources, at, balance, rows), rows, venue.feeDay(at));
      const enough = hasEnough(sources, at, balance, rows);
      if (enough) expect(verdict).toBe(null);
      told[enough ? "enough" : verdict === null ? "unsure" : "closed"] += 1;
    }
  index(broker, 20_000);
  expect(isCalled(rows)).toBe(false);
  // Only a few need pairs to tell.
  expect(told.unsure).toBeGreaterThan(0);
  expect(told.unsure).toBeLessThan(told.enough / 4);
  expect(told.closed).toBeGreaterThan(300);
});

/** A monitor that looks when the test says so. */
function monitor() {
  const { db, venue, sequencer } = broker;
  const faults: unknown[] = [];
  let review = async (): Promise<unknown> => undefined;
  const stop = startFuturesMonitor({
    db,
    venue,
    sequencer,
    now: () => broker.clock.now,
    report: (error) => void faults.push(error),
    repeat: (...[, work]) => {
      review = work;
      return async () => undefined;
    },
  });
  return { review, stop, faults };
}

it("is looked at once for a second of many wallets: none that has enough is paired, and what it could be closed at is not asked", async () => {
  const members = [await optionTrader(broker), await optionTrader(broker), await optionTrader(broker), await optionTrader(broker)];
  for (const member of members)
    for (const above of [0, 3, 6])
      await openOption(broker, member, (await series(broker, member, "call", above)).code, above === 3 ? "sell" : "buy", 1);
  const { venue } = broker;
  const { review, stop, faults } = monitor();
  await review();
  const looks = vi.spyOn(venue, "quote");
  await review();
  const count = looks.mock.calls.length;
  looks.mockRestore();
  await stop();
  expect(faults).toEqual([]);
  // One of an expiry takes a few, and each account one; each of a position would be dozens.
  expect(count).toBeGreaterThan(members.length);
  expect(count).toBeLessThan(members.length * 4);
});

it("is judged by prices of the moment, after those before it have been waited for", async () => {
  const members = [await optionTrader(broker, 9_500_000), await optionTrader(broker, 13_000_000)];
  const held: string[] = [];
  for (const member of members) {
    const { code } = await series(broker, member, "put", 0, 1);
    held.push((await openOption(broker, member, code, "sell", 1)).position.positionNo);
  }
  await nextDay(broker, 19_000);
  const statuses = () => Promise.all(members.map(async (member, nth) => (await optionPosition(broker, member, held[nth] ?? "")).status));
  const { review, stop, faults } = monitor();
  index(broker, 17_800);
  // While the first is closed the index falls on, and the second has as little left.
  const { sequencer } = broker;
  const submit = sequencer.submit.bind(sequencer);
  const waited = vi.spyOn(sequencer, "submit").mockImplementationOnce(async (command) => {
    const result = await submit(command);
    index(broker, 17_200);
    return result;
  });
  await review();
  waited.mockRestore();
  await stop();
  expect(faults).toEqual([]);
  expect(await statuses()).toEqual(["liquidated", "liquidated"]);
});
