/** The random steps of index futures, and what must hold after them: orders, money in and out, an index that moves, and days with dividends. */
import { isDeepStrictEqual } from "node:util";
import { FUTURES_MULTIPLIERS } from "#contract/futures-price.ts";
import { isOpenFutures } from "#contract/futures.ts";
import type { FuturesPosition } from "#contract/futures.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { toFuturesPosition } from "#server/records/futures.ts";
import type { FuturesRecord, FuturesTradeRecord } from "#server/records/futures.ts";
import { contractsNow } from "#server/trading/futures/contracts.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import type { Trader } from "./ledger-check.ts";
import type { Ask, IndexDividend, World } from "./world.ts";

const INDEX = "IX0001";
const FIRST_LEVEL = 20_000;

const indexRow = ({ venue }: World): number => venue.instrument(INDEX)?.row ?? 0;
const level = (world: World): number => world.venue.quote(indexRow(world)).last / PRICE_ONE;

/** The venue with days that have not begun yet, on which contracts expire. */
export const withDays = <Some extends FakeVenue>(venue: Some): Some => ({
  ...venue,
  state: (moment: number) => {
    const state = venue.state(moment);
    const opensAt = Math.floor(moment / DAY_MS) * DAY_MS;
    return moment < state.closesAt ? state : { ...state, opensAt: epochMs(opensAt), closesAt: epochMs(opensAt + DAY_MS) };
  },
});

export const openFuturesMarket = (world: World): void => world.venue.set(indexRow(world), { reference: FIRST_LEVEL, last: FIRST_LEVEL });

const openOf = ({ view }: Trader): FuturesPosition[] => [...view.services.futures.values()].filter(isOpenFutures);

/** Thousandths by which the index moves against what somebody holds, so that margin runs out. */
function against(world: World, span: number): number {
  const held = world.traders.flatMap(openOf);
  return held.length > 0 && world.random.pick(held).lots < 0 ? span : -span;
}

/** The index moves: mostly a little, sometimes as far as margin reaches, within what a day allows. */
export function moveIndex(world: World): string {
  const { random, venue } = world;
  const row = indexRow(world);
  const reference = venue.quote(row).reference / PRICE_ONE;
  const span = Number(random.weighted({ 8: 5, 40: 4, 100: 3 }));
  const moved = Math.round(level(world) * (1 + (random.once(3) ? against(world, span) : random.int(-span, span)) / 1_000));
  const last = Math.min(Math.floor(reference * 1.12), Math.max(Math.ceil(reference * 0.88), moved));
  venue.set(row, { last });
  return `the index at ${last}`;
}

/** Before a fee day begins the index may lose dividends, and its days may gap. */
export function beginFuturesDay(world: World, days: number): void {
  const { random, venue, clock, services } = world;
  const row = indexRow(world);
  const points = days > 0 && random.once(4) ? random.int(5, 150) : 0;
  venue.setExDividend(row, points);
  const gap = random.once(4) ? random.int(-90, 90) / 1_000 : 0;
  if (days > 0) venue.set(row, { last: Math.max(1_000, Math.round((level(world) - points) * (1 + gap))) });
  if (points > 0) services?.dividends.push({ day: venue.feeDay(clock.now) + days, at: clock.now, points });
}

/** An order, or money into the futures wallet or out of it; sometimes by two devices at once. */
export function drawFutures(world: World): Ask[] {
  const { random, traders } = world;
  if (random.once(3)) return fundFutures(world);
  const trader = random.pick(traders);
  const ask = (): Ask[] => {
    const body = tradingFutures(world, trader);
    return body ? [{ trader, name: "tradeFutures", body: { requestId: random.uuid(), ...body } }] : [];
  };
  return random.once(5) ? [...ask(), ...ask(), ...fundFutures(world)] : ask();
}

/** An order: mostly against what is held, a few lots at the quote of the moment. */
function tradingFutures(world: World, trader: Trader): object | null {
  const { random, venue, clock } = world;
  const contracts = contractsNow(venue, clock.now);
  const held = openOf(trader);
  if (contracts.length === 0) return null;
  const one = held.length > 0 && !random.once(3) ? random.pick(held) : null;
  const contract = one?.code ?? random.pick(contracts.filter(({ product }) => random.once(3) || product !== "TX")).code;
  const side = one && !random.once(4) ? (one.lots > 0 ? "sell" : "buy") : random.pick(["buy", "sell"] as const);
  const lots = one && random.once(2) ? Math.abs(one.lots) : random.int(1, random.once(2) ? 120 : 4);
  const price = random.once(4) ? Math.max(1, Math.round(level(world)) + random.int(-60, 60)) : null;
  return { contract, side, lots, price };
}

/** Money into the futures wallet, or out of it: as much as there is, a little, or more. */
function fundFutures({ random, traders }: World): Ask[] {
  const trader = random.pick(traders);
  const [from, to] = random.weighted({ into: 3, out: 2 }) === "into" ? ["securities", "futures"] : ["futures", "securities"];
  const amount = random.int(1, random.pick([2_000_000, 40_000_000, 200_000_000]));
  return [{ trader, name: "transferFunds", body: { requestId: random.uuid(), currency: "TWD", from, to, amount } }];
}

/** What the ledger took for fees and taxes is what the positions say. */
const CHARGED = `SELECT format('futures were charged %s, the positions say %s', took, said) AS said FROM
  (SELECT coalesce(sum(amount), 0)::bigint AS took FROM entry JOIN ledger_tx ON ledger_tx.id = tx_id JOIN pocket ON pocket.id = pocket_id
    WHERE ledger_tx.kind = 'futuresTrade' AND pocket.kind IN ('fees', 'tax')) AS took,
  (SELECT coalesce(sum(fee_cents + tax_cents), 0)::bigint AS said FROM futures_position) AS said WHERE took <> said`;

/** A position has paid what its trades bought and sold, what is settled of the rest, and the dividends that were not its loss. */
function paidRight(row: FuturesRecord, trades: readonly FuturesTradeRecord[], dividends: readonly IndexDividend[]): string[] {
  const signed = ({ side, lots }: FuturesTradeRecord): number => (side === "buy" ? lots : -lots);
  const own = trades.filter(({ position_no: no }) => no === row.position_no);
  const cost = own.reduce((sum, trade) => sum + signed(trade) * trade.price, 0);
  const lotsAt = (at: number): number => own.reduce((sum, trade) => sum + (trade.at < at ? signed(trade) : 0), 0);
  const dropped = dividends.reduce((sum, { day, at, points }) => sum + (day <= row.expiry_day ? lotsAt(at) * points : 0), 0);
  const expected = (row.marked_points - cost + dropped) * FUTURES_MULTIPLIERS[row.product] * 100;
  return expected === row.paid_cents ? [] : [`${row.position_no} has paid ${row.paid_cents}, its trades and days say ${expected}`];
}

/** Rows against facts, money against trades, and no day that was not settled. */
export async function checkFutures(broker: TestBroker, { traders, services, venue, clock }: World): Promise<string[]> {
  const on = broker.db.kysely;
  const wrong = (await query<{ said: string }>(on, CHARGED)).map(({ said }) => said);
  const rows = await query<FuturesRecord>(on, "SELECT * FROM futures_position ORDER BY id");
  const trades = await query<FuturesTradeRecord>(on, "SELECT * FROM futures_trade ORDER BY id");
  const today = venue.feeDay(clock.now);
  for (const row of rows) {
    wrong.push(...paidRight(row, trades, services?.dividends ?? []));
    if (isOpenFutures(row) && row.mark_day !== today)
      wrong.push(`${row.position_no} is settled for day ${row.mark_day}, today is ${today}`);
  }
  for (const { id, view } of traders) {
    const has = rows.filter((row) => row.member_id === id).map(toFuturesPosition);
    const told = [...view.services.futures.values()];
    if (!isDeepStrictEqual(has, told)) wrong.push(`member ${id} has ${JSON.stringify(has)}, the facts say ${JSON.stringify(told)}`);
  }
  return wrong;
}

/** After the monitor has looked, no account goes on with too little margin, or with a call of another day. */
export async function checkMargins(broker: TestBroker, traders: readonly Trader[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { id } of traders) {
    const { held, contracts, open } = await broker.call("readFutures", id, {});
    const { account, held: options } = await broker.call("readOptions", id, { month: null });
    const closable =
      held.some(({ position }) => contracts.some(({ code, bid }) => code === position.code && bid !== null)) ||
      options.some(({ close }) => close !== null);
    // The indicator of the exchange, to the cent: equity with the value of options, of the margins with it.
    const worth = account.longCents - account.shortCents;
    const isLow = (account.equityCents + worth) * 100 < (account.initialCents + worth) * 25;
    if (open && isLow && closable) wrong.push(`member ${id} goes on with ${account.equityCents} of ${account.initialCents}`);
    if (account.called && account.equityCents >= account.initialCents && open)
      wrong.push(`member ${id} is called with the margin restored`);
  }
  return wrong;
}

/** Everybody closes what is open. @returns what is still open */
export async function closeFutures(broker: TestBroker, world: World): Promise<string[]> {
  const { traders, random, venue } = world;
  venue.set(indexRow(world), { last: venue.quote(indexRow(world)).reference / PRICE_ONE });
  for (const trader of traders)
    for (const { code, lots } of openOf(trader)) {
      const body = { contract: code, side: lots > 0 ? ("sell" as const) : ("buy" as const), lots: Math.abs(lots), price: null };
      await broker.call("tradeFutures", trader.id, { requestId: RequestId.parse(random.uuid()), ...body });
    }
  const left = await query<{ said: string }>(
    broker.db.kysely,
    "SELECT format('%s is still %s', position_no, status) AS said FROM futures_position WHERE status IN ('open', 'called')",
  );
  return left.map(({ said }) => said);
}
