/** The random steps of securities lending: what borrowers ask for each day, and loans, offers, recalls and withdrawals. */
import { DAY_MS } from "#contract/kernel/time.ts";
import { isOpenLending, LENDING_DAYS, LENDING_NOTICES } from "#contract/lending.ts";
import type { Lending } from "#contract/lending.ts";
import type { Order } from "#contract/order.ts";
import { beginFuturesDay } from "./futures-steps.ts";
import type { Trader } from "./ledger-check.ts";
import { tradable } from "./world.ts";
import type { Ask, World } from "./world.ts";

const STEP = 1_000;

/** Begins a day of the borrowers: most instruments have one, and fees count the days since. */
export function beginFeeDay(world: World, days: number): void {
  const { random, venue, clock } = world;
  const day = venue.feeDay(clock.now) + days;
  const demands = tradable(world)
    .filter(() => !random.once(4))
    .map(({ row }) => ({
      demandId: `${Math.floor(clock.now / DAY_MS)}-${row}`,
      row,
      lots: random.int(1, 12),
      days: random.pick(LENDING_DAYS),
      noticeDays: random.pick(LENDING_NOTICES),
      partPerMille: random.int(1, 10) * 100,
      minimumCents: random.once(3) ? random.int(1, 50) * 1_000_000 : 0,
    }));
  venue.setDemands(random.once(10) ? null : demands);
  if (world.services) beginFuturesDay(world, days);
  venue.setFeeDay(day);
}

const freeLots = ({ filledLots, closedLots, onLoanLots = 0 }: Order): number => filledLots - closedLots - onLoanLots;

/** Purchases for cash of whole lots of a code that can be borrowed and that the member does not sell short. */
function purchasesOf({ venue }: World, { view }: Trader): Order[] {
  const live = [...view.live.values()];
  const shorted = new Set(live.filter(({ direction }) => direction === "fall").map(({ code }) => code));
  return live.filter((order) => {
    const { direction, funding, dayTrade, status, code, lotShares } = order;
    const instrument = venue.instrument(code);
    const own = direction === "rise" && funding === "cash" && !dayTrade && status === "holding" && !shorted.has(code);
    return own && instrument?.shortable === true && lotShares === instrument.lotShares && freeLots(order) > 0;
  });
}

/** Mostly one of those purchases, sometimes any order. */
function aimPurchase(world: World, trader: Trader): Order | null {
  const { random } = world;
  const fitting = purchasesOf(world, trader);
  const live = [...trader.view.live.values()];
  if (fitting.length > 0 && !random.once(12)) return random.pick(fitting);
  return live.length > 0 ? random.pick(live) : null;
}

/** A loan or an offer by a member who has something to lend, sometimes by two devices at once: few have at any moment. */
export function drawLending(world: World): Ask[] {
  const { random, traders } = world;
  const able = random.once(8) ? traders.filter((trader) => purchasesOf(world, trader).length > 0) : [];
  if (able.length === 0) return [];
  const trader = random.pick(able);
  const draw = (): Ask[] => {
    const name = random.weighted({ lendShares: 3, offerShares: 2 });
    const body = name === "lendShares" ? lending(world, trader) : offeringShares(world, trader);
    return body ? [{ trader, name, body }] : [];
  };
  return random.once(4) ? [...draw(), ...draw()] : draw();
}

/** All that is free, a part of it, or a lot more; of digital currency a form takes no such number. */
function lotsOf({ random }: World, order: Order): number {
  const free = Math.min(999_999, Math.max(1, freeLots(order)));
  return random.once(12) ? free + 1 : random.int(1, free);
}

/** A loan to who asks for the instrument, sometimes to who asks for another. */
export function lending(world: World, trader: Trader): object | null {
  const { random, venue, clock } = world;
  const demands = venue.lending.demands(clock.now);
  const order = aimPurchase(world, trader);
  if (!order || demands.length === 0) return null;
  const row = venue.instrument(order.code)?.row;
  const demand = (random.once(15) ? undefined : demands.find((one) => one.row === row)) ?? random.pick(demands);
  return { requestId: random.uuid(), demandId: demand.demandId, orderNo: order.orderNo, lots: lotsOf(world, order) };
}

export function offeringShares(world: World, trader: Trader): object | null {
  const { random } = world;
  const order = aimPurchase(world, trader);
  if (!order) return null;
  const ratePerMillion = random.int(1, random.once(10) ? 60 : 15) * STEP;
  return { requestId: random.uuid(), orderNo: order.orderNo, lots: lotsOf(world, order), ratePerMillion, days: random.pick(LENDING_DAYS) };
}

/** An offer to withdraw or a loan to recall: mostly an open one of the member's own. */
export function onLending(world: World, trader: Trader, status: Lending["status"]): object | null {
  const { random, traders } = world;
  const all = [...(random.once(40) ? random.pick(traders) : trader).view.lendings.values()];
  const fitting = all.filter((one) => one.status === status);
  const found = fitting.length > 0 && !random.once(12) ? fitting : all.filter(isOpenLending);
  return found.length > 0 ? { requestId: random.uuid(), lendingNo: random.pick(found).lendingNo } : null;
}
