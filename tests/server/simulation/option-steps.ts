/** The random steps of options, and what must hold after them: positions opened and closed beside futures, marked, called, liquidated and exercised. */
import { isDeepStrictEqual } from "node:util";
import { RequestId } from "#contract/kernel/id.ts";
import { seriesCode, seriesOf } from "#contract/option-code.ts";
import { premiumTick } from "#contract/option-price.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { isOpenOption } from "#contract/option.ts";
import type { OptionPosition } from "#contract/option.ts";
import { query } from "#server/db/database.ts";
import { toOptionPosition } from "#server/records/option.ts";
import type { OptionRecord, OptionTradeRecord } from "#server/records/option.ts";
import { readFutures } from "#server/trading/futures/futures-in-batch.ts";
import { marginIn } from "#server/trading/futures/margin.ts";
import { optionDeliveries, strikesOf } from "#server/trading/futures/option-series.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import type { Trader } from "./ledger-check.ts";
import type { Ask, IndexDividend, World } from "./world.ts";

const openOf = ({ view }: Trader): OptionPosition[] => [...view.services.options.values()].filter(isOpenOption);

/** An order of one or of two devices: half of them close something. */
export function drawOptions(world: World): Ask[] {
  const { random, traders } = world;
  const trader = random.pick(traders);
  const ask = (): Ask[] => (random.once(2) ? closing(world, trader) : opening(world, trader));
  return random.once(5) ? [...ask(), ...ask()] : ask();
}

/** An opening order: any listed series, sometimes one that is held already, a few lots or many. */
function opening(world: World, trader: Trader): Ask[] {
  const { random, venue, clock } = world;
  const deliveries = optionDeliveries(venue, clock.now);
  if (deliveries.length === 0) return [];
  const { month } = random.once(2) ? (deliveries[0] ?? random.pick(deliveries)) : random.pick(deliveries);
  const strikes = strikesOf(venue, clock.now, month);
  if (strikes.length === 0) return [];
  const held = openOf(trader);
  const right = random.pick(["call", "put"] as const);
  const listed = seriesCode(month, { right, strike: random.pick(strikes) });
  const series = held.length > 0 && random.once(4) ? random.pick(held).code : listed;
  const side = random.pick(["buy", "sell"] as const);
  const limit = random.int(1, 9_000);
  // Sometimes off the tick, which is refused.
  const price = random.once(4) ? (random.once(8) ? limit : limit - (limit % premiumTick(limit))) : null;
  return [
    { trader, name: "openOption", body: { requestId: random.uuid(), series, side, lots: random.int(1, random.once(4) ? 220 : 5), price } },
  ];
}

function closing({ random }: World, trader: Trader): Ask[] {
  const held = openOf(trader);
  if (held.length === 0) return [];
  const { positionNo, lots } = random.pick(held);
  // Any two of them may be closed as one order.
  const other = random.pick(held);
  if (other.positionNo !== positionNo && random.once(2)) {
    const most = Math.min(Math.abs(lots), Math.abs(other.lots));
    const price = random.once(4) ? random.int(-3_000, 1_000) : -10_000_000;
    const body = { requestId: random.uuid(), positionNo, otherNo: other.positionNo, lots: random.int(1, most + 1), price };
    return [{ trader, name: "closeOptionPair", body }];
  }
  const some = random.once(2) ? Math.abs(lots) : random.int(1, Math.abs(lots) + 1);
  return [{ trader, name: "closeOption", body: { requestId: random.uuid(), positionNo, lots: some, price: null } }];
}

/** What the ledger took for fees and taxes is what the positions say. */
const CHARGED = `SELECT format('options were charged %s, the positions say %s', took, said) AS said FROM
  (SELECT coalesce(sum(amount), 0)::bigint AS took FROM entry JOIN ledger_tx ON ledger_tx.id = tx_id JOIN pocket ON pocket.id = pocket_id
    WHERE ledger_tx.kind = 'optionTrade' AND pocket.kind IN ('fees', 'tax')) AS took,
  (SELECT coalesce(sum(fee_cents + tax_cents), 0)::bigint AS said FROM option_position) AS said WHERE took <> said`;

/** A position has been paid what its trades say, and its strike is the one of its code less the dividends it lived through. */
function rightly(row: OptionRecord, trades: readonly OptionTradeRecord[], dividends: readonly IndexDividend[]): string[] {
  const own = trades.filter(({ position_no: no }) => no === row.position_no);
  const paid = own.reduce((sum, { side, lots, price }) => sum + premiumWorth(price, side === "sell" ? lots : -lots), 0);
  const wrong = paid === row.paid_cents ? [] : [`${row.position_no} was paid ${row.paid_cents}, its trades say ${paid}`];
  const ended = row.ended_at ?? Infinity;
  const lived = dividends.filter(({ day, at }) => day <= row.expiry_day && row.opened_at < at && at <= ended);
  const strike = seriesOf(row.code).strike - lived.reduce((sum, { points }) => sum + points, 0);
  if (strike !== row.strike) wrong.push(`${row.position_no} has strike ${row.strike}, its days say ${strike}`);
  return wrong;
}

/** Rows against facts, money against trades, and no day that was not marked. */
export async function checkOptions(broker: TestBroker, { traders, services, venue, clock }: World): Promise<string[]> {
  const on = broker.db.kysely;
  const wrong = (await query<{ said: string }>(on, CHARGED)).map(({ said }) => said);
  const rows = await query<OptionRecord>(on, "SELECT * FROM option_position ORDER BY id");
  const trades = await query<OptionTradeRecord>(on, "SELECT * FROM option_trade ORDER BY id");
  const today = venue.feeDay(clock.now);
  for (const row of rows) {
    wrong.push(...rightly(row, trades, services?.dividends ?? []));
    if (isOpenOption(row) && row.mark_day !== today) wrong.push(`${row.position_no} is marked for day ${row.mark_day}, today is ${today}`);
  }
  for (const { id, view } of traders) {
    const has = rows.filter((row) => row.member_id === id).map(toOptionPosition);
    const told = [...view.services.options.values()];
    if (!isDeepStrictEqual(has, told)) wrong.push(`member ${id} has ${JSON.stringify(has)}, the facts say ${JSON.stringify(told)}`);
    wrong.push(...(await checkMargin(broker, id)));
  }
  return wrong;
}

/** The margin that the member's next decision would go by, under the lock. */
async function decidedBy(broker: TestBroker, id: number): Promise<[initial: number, maintenance: number]> {
  return broker.sequencer.submit({
    memberIds: [id],
    prepare: (tx, batch) => readFutures(tx, batch, id),
    decide: (batch) => {
      const { initialCents, maintenanceCents } = marginIn(batch, id);
      return [initialCents, maintenanceCents];
    },
  });
}

/** The margin of an account is what its positions bear, and what decisions go by. */
async function checkMargin(broker: TestBroker, id: number): Promise<string[]> {
  const { account, held } = await broker.call("readOptions", id, { month: null });
  const { held: futures, terms } = await broker.call("readFutures", id, {});
  const ofOptions = held.reduce((sum, { marginCents }) => sum + marginCents, 0);
  const ofFutures = futures.reduce((sum, { position }) => sum + terms[position.product].initialCents * Math.abs(position.lots), 0);
  const { initialCents, maintenanceCents } = account;
  const decided = await decidedBy(broker, id);
  if (!isDeepStrictEqual(decided, [initialCents, maintenanceCents]))
    return [`member ${id} is shown ${initialCents} and ${maintenanceCents}, decisions go by ${decided.join(" and ")}`];
  if (initialCents === ofOptions + ofFutures && maintenanceCents <= initialCents) return [];
  return [`member ${id} needs ${initialCents} and ${maintenanceCents}, the positions bear ${ofOptions} and ${ofFutures}`];
}

/** Everybody closes what somebody takes. @returns what is still open and could be closed */
export async function closeOptions(broker: TestBroker, { traders, random }: World): Promise<string[]> {
  const left: string[] = [];
  for (const trader of traders) {
    for (const { position, close } of (await broker.call("readOptions", trader.id, { month: null })).held) {
      const { positionNo, lots } = position;
      if (close === null) continue;
      const body = { requestId: RequestId.parse(random.uuid()), positionNo, lots: Math.abs(lots), price: null };
      await broker.call("closeOption", trader.id, body);
    }
    for (const { position, close } of (await broker.call("readOptions", trader.id, { month: null })).held)
      if (close !== null) left.push(`${position.positionNo} is still ${position.status}`);
  }
  return left;
}
