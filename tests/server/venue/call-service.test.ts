/** Tests who is served in a call in which more ask for one price than can trade: those that are drawn, and at a limit that is not new those who stood there. */
import { expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { trialMatch } from "#server/venue/simulator/auction-order-flow.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { CallBook } from "#server/venue/matching/call-auction.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const SEED = 5;
const CODES = sampleUniverse(3);
const market = marketOf(SEED, "taiwan", CODES);
const { calendar } = market;
const FIRST = calendar.at(taipei("2026-11-20T10:00:00")).session;

/** The first stock after the first day whose path is as wanted, and when that day opens. */
function find(wanted: (path: Path) => boolean): { row: number; opensAt: number; side: "buy" | "sell"; path: Path } {
  const readers = market.models.map((model) =>
    model?.kind === "stock" && model.listed < FIRST ? new DailyProcessReader(model, FIRST) : null,
  );
  for (let session = FIRST; session < FIRST + 90; session += 1) {
    for (const [row, reader] of readers.entries()) {
      const model = market.models[row];
      const day = reader?.next();
      const path = model && day && new Path(model, day, market.sessionProfile(session));
      if (path && wanted(path))
        return { row, opensAt: calendar.opensAt(session), side: path.day.close === path.day.up ? "buy" : "sell", path };
    }
  }
  throw new Error("no such day");
}
const isLimit = ({ day }: Path, price: number): boolean => price === day.close && (price === day.up || price === day.down);

/** The books of a row's calls at some moments of a day, in minutes after its open. */
function booksOf(row: number, opensAt: number, odd: boolean, minutes: readonly number[]): (CallBook | null)[] {
  return minutes.map((minute) => {
    const venue = openVenue({ seed: SEED, rate: 1, hours: "taiwan", codes: CODES, now: () => opensAt + minute * MINUTE_MS + SECOND_MS });
    const book = venue.callBook(row, odd);
    void venue.stop();
    return book;
  });
}

test("a stock that opens at its limit: its opening call is drawn", () => {
  const { row, opensAt, side } = find((path) => !path.calls && isLimit(path, path.day.open) && path.opensIn === 0);
  const [book] = booksOf(row, opensAt, false, [0]);
  expect(book).toMatchObject({ lot: { side }, queued: undefined });
});

test("a stock that has long been at its limit: those who stood there go first, in its close and among single shares", () => {
  const { row, opensAt, side } = find(
    (path) => !path.calls && [100, 150, 264, 265].every((mark) => isLimit(path, path.mark(mark))) && path.closing === null,
  );
  const [close] = booksOf(row, opensAt, false, [270]);
  expect(close).toMatchObject({ lot: undefined, queued: side });
  const [first, ...later] = booksOf(row, opensAt, true, [10, 101, 150]);
  expect(first?.lot).toMatchObject({ side: "both" });
  for (const book of later) expect([book?.lot, book?.queued]).toEqual([undefined, side]);
  const [fixed, lateOdd] = [booksOf(row, opensAt, false, [330])[0], booksOf(row, opensAt, true, [330])[0]];
  expect([fixed?.lot?.side, lateOdd?.lot?.side]).toEqual(["both", "both"]);
  // At the limit far more is asked for than can trade, at the close's price as well.
  const lots = (orders: CallBook["bids"] = []): number => orders.reduce((sum, [, size]) => sum + size, 0);
  for (const book of [fixed, lateOdd]) {
    const [asked, offered] = side === "buy" ? [lots(book?.bids), lots(book?.asks)] : [lots(book?.asks), lots(book?.bids)];
    expect(asked / offered).toBeGreaterThan(10);
  }
});

test("a stock that reaches its limit in the closing call: it is drawn, or an early bid at the limit would get what is worth more", () => {
  const { row, opensAt, side } = find(
    (path) => !path.calls && isLimit(path, path.day.close) && !isLimit(path, path.mark(calendar.continuous)) && path.closing === null,
  );
  const [close] = booksOf(row, opensAt, false, [270]);
  expect(close).toMatchObject({ lot: { side }, queued: undefined });
});

test("a stock that is traded by calls alone: the queue at its limit waits for what the day still trades", () => {
  const { row, opensAt, path } = find((one) => one.calls !== null && [60, 100, 200].every((mark) => isLimit(one, one.mark(mark))));
  const { calls, day } = path;
  const minute = calls?.minutes[calls.latest(150)] ?? 0;
  const [book] = booksOf(row, opensAt, false, [minute - 1]);
  const [, queue = 0] = (day.close === day.up ? book?.bids : book?.asks)?.find(([at]) => at === day.close) ?? [];
  expect(queue).toBeGreaterThan(20 * (day.volume - path.lots(minute + 1)));
});

test("a trial match serves orders at market before any level of the book", () => {
  const book: CallBook = {
    kind: "stock",
    bids: [[500_000, 130]],
    asks: [
      [500_000, 100],
      [500_500, 40],
      [null, 60],
    ],
    anchor: 500_000,
    limits: { up: 550_000, down: 450_000 },
  };
  expect(trialMatch(book)).toMatchObject({
    trial: { price: 500_000, lots: 130 },
    bids: [],
    asks: [
      [500_000, 30],
      [500_500, 40],
    ],
  });
});
