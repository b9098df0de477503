/** Fixture of tests of options: a member with a funded futures wallet who has signed, series of the chain, orders. */
import type { Answer, Body } from "#contract/endpoints.ts";
import type { OptionPosition } from "#contract/option.ts";
import { query } from "#server/db/database.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { move, newId, nextDay } from "#tests/server/futures/fixture.ts";
import { signByHand } from "#tests/support/signature.ts";
import type { TestBroker } from "#tests/support/trading.ts";

/** Whether a member owed anything, if only for a moment. */
export const OWED =
  "SELECT 1 FROM entry JOIN pocket ON pocket.id = pocket_id WHERE member_id = $1 AND pocket.kind = 'debt' AND amount <> 0";

/** A member who has signed for options, with money in the futures wallet. */
export async function optionTrader(broker: TestBroker, walletCents = 100_000_000, depositCents = 500_000_000): Promise<number> {
  const member = await broker.newMember({ depositCents });
  await signByHand(broker, member, "options");
  if (walletCents > 0) await move(broker, member, "futures", walletCents);
  return member;
}

export const readOptions = (broker: TestBroker, member: number, month: string | null = null): Promise<Answer<"readOptions">> =>
  broker.call("readOptions", member, { month });

/** A series so many strikes above the middle one of an expiry. */
export async function series(broker: TestBroker, member: number, right: "call" | "put", above = 0, nth = 0) {
  const { expiries } = await readOptions(broker, member);
  const { chain } = await readOptions(broker, member, expiries[nth]?.month ?? null);
  const row = chain[15 + above];
  if (!row) throw new Error("no such strike");
  return { ...row[right], strike: row.strike };
}

export const openOption = (
  broker: TestBroker,
  member: number,
  code: string,
  side: "buy" | "sell",
  lots: number,
  over: Partial<Body<"openOption">> = {},
) => broker.call("openOption", member, { requestId: newId(), series: code, side, lots, price: null, ...over });

export const closeOption = (
  broker: TestBroker,
  member: number,
  positionNo: string,
  lots: number,
  over: Partial<Body<"closeOption">> = {},
) => broker.call("closeOption", member, { requestId: newId(), positionNo, lots, price: null, ...over });

/** As low a net limit as an order may have: whatever both bring. */
const ANY_NET = -10_000_000;

export const closePair = (
  broker: TestBroker,
  member: number,
  [positionNo, otherNo]: readonly [string, string],
  lots: number,
  over: Partial<Body<"closeOptionPair">> = {},
) => broker.call("closeOptionPair", member, { requestId: newId(), positionNo, otherNo, lots, price: ANY_NET, ...over });

export async function optionPosition(broker: TestBroker, member: number, positionNo: string): Promise<OptionPosition> {
  const { items } = await broker.call("listOptionPositions", member, { cursor: null });
  const found = items.find((one) => one.positionNo === positionNo);
  if (!found) throw new Error(`no position ${positionNo}`);
  return found;
}

/** Lets the day after a position's expiry begin, at a close of the index. */
export async function expire(broker: TestBroker, positionNo: string, close: number): Promise<void> {
  const [row] = await query<OptionRecord>(broker.db.kysely, "SELECT * FROM option_position WHERE position_no = $1", [positionNo]);
  await nextDay(broker, close, 0, (row?.expiry_day ?? 0) + 1 - broker.venue.feeDay(broker.clock.now));
}
