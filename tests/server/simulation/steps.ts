/** The random steps of the simulation: every command of a member, and every event of the market and the clock. */
import { CONVERSION_SIDES } from "#contract/conversion.ts";
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { CURRENCIES } from "#contract/kernel/currency.ts";
import type { Order } from "#contract/order.ts";
import { keyOf, openSharesOf, positionId } from "#contract/position.ts";
import { WALLETS } from "#contract/wallet.ts";
import { ALL_COMMANDS, COMMANDS, HAPPENINGS, PRIMARY_HAPPENINGS, SERVICE_HAPPENINGS, WITH_SERVICES } from "./frequency.ts";
import type { Command } from "./frequency.ts";
import type { Trader } from "./ledger-check.ts";
import { offerBlocks } from "./block-steps.ts";
import { drawLending, lending, offeringShares, onLending } from "./lending-steps.ts";
import { drawDrawing, drawing, offering, repaying } from "./loan-steps.ts";
import { exits, near, pricing, reserving } from "./pricing.ts";
import { drawReport, isMoneyCommand, moneyBody } from "./money-steps.ts";
import { moveMarket, nextDay, nextPhase, holdCall } from "./market.ts";
import { announce } from "./primary-market.ts";
import { isPrimary, primaryBody } from "./primary-steps.ts";
import type { Random } from "./random.ts";
import { drawServices, isService, newPast, serviceBody, slump } from "./service-steps.ts";
import { isNight, tradable } from "./world.ts";
import type { Ask, World } from "./world.ts";

/** One step: some concurrent calls, or an event. */
export type Step =
  | { does: "ask"; asks: Ask[] }
  | { does: "market" | "call" | "wait" | "day" | "phase" | "issue" | "restart" | "tick" | "mentor" | "slump"; said: string }
  | { does: "crash"; when: "beforeCommit" | "afterCommit"; asks: Ask[] };

function ticket(world: World): object {
  const { random } = world;
  const instrument = random.pick(tradable(world));
  // Any fraction of so many coins.
  const size = instrument.kind === "crypto" ? 10 * unitsPerWhole(instrument) : 1;
  const night = isNight(world);
  const market = night ? "board" : random.weighted({ board: 12, odd: 3, fixed: 1 });
  const funding = random.weighted({ cash: 8, margin: 2, leverage: 3 });
  return {
    requestId: random.uuid(),
    code: instrument.code,
    direction: random.weighted({ rise: 5, fall: 3 }),
    ...pricing(world, instrument),
    lots: market === "odd" ? random.int(1, 999) : random.int(1, (random.once(12) ? 60 : 6) * size),
    market,
    validity: random.weighted({ rod: 10, ioc: 2, fok: 2 }),
    funding,
    leverage: funding === "leverage" ? random.int(2, 5) : 1,
    dayTrade: random.once(6),
    trigger: !night && random.once(8) ? { kind: random.pick(["stop", "takeProfit"]), price: near(world, instrument) } : null,
    exits: random.once(6) ? exits(world, instrument) : [],
    ...reserving(world),
  };
}

/** An order for a command: usually one it applies to, sometimes any other, and occasionally another member's. */
function aim(world: World, trader: Trader, fits: (order: Order) => boolean): Order | null {
  const { random, traders } = world;
  const whose = random.once(80) ? random.pick(traders) : trader;
  const live = [...whose.view.live.values()];
  const fitting = live.filter(fits);
  if (fitting.length > 0 && !random.once(12)) return random.pick(fitting);
  if (live.length > 0 && !random.once(8)) return random.pick(live);
  return whose.view.orders.size > 0 ? random.pick([...whose.view.orders.values()]) : null;
}

const instrumentOf = ({ venue }: World, { code }: Order): Instrument => {
  const instrument = venue.instrument(code);
  if (!instrument) throw new Error(`an order of ${code}, which is not listed`);
  return instrument;
};

const isHeld = ({ status }: Order): boolean => status === "holding";
const rests = ({ status }: Order): boolean => status === "pending" || status === "readyToClose";

function closing(world: World, trader: Trader): object | null {
  const order = aim(world, trader, isHeld);
  if (!order) return null;
  const { random } = world;
  const open = Math.max(1, order.filledLots - order.closedLots);
  const lots = random.once(2) ? open : random.int(1, open + (random.once(10) ? 1 : 0));
  const priced = pricing(world, instrumentOf(world, order));
  return {
    requestId: random.uuid(),
    orderNo: order.orderNo,
    ...priced,
    lots,
    validity: random.weighted({ rod: 8, ioc: 1, fok: 1 }),
    fixed: random.once(25),
    ...reserving(world),
  };
}

/** Shares of the position that an order belongs to, sometimes of chosen orders, and sometimes more than it has. */
/** The body of an act on the whole position of an order. */
function ofPosition(order: Order | null, random: World["random"], more: object = {}): object | null {
  return order && { requestId: random.uuid(), ...keyOf(order), ...more };
}

function closingPosition(world: World, trader: Trader): object | null {
  const order = aim(world, trader, isHeld);
  if (!order) return null;
  const { random } = world;
  const instrument = instrumentOf(world, order);
  const id = positionId(order);
  const same = [...trader.view.live.values()].filter((one) => positionId(one) === id && isHeld(one));
  const open = same.reduce((sum, one) => sum + openSharesOf(one), 0);
  const lots = Math.max(1, Math.floor(open / instrument.lotShares));
  const { code, direction, funding, dayTrade } = order;
  return {
    requestId: random.uuid(),
    code,
    direction,
    funding,
    dayTrade,
    ...pricing(world, instrument),
    shares: random.once(6) ? random.int(1, Math.max(1, open)) : random.int(1, lots) * instrument.lotShares,
    validity: random.weighted({ rod: 8, ioc: 1, fok: 1 }),
    fixed: random.once(25),
    ...reserving(world),
    orderNos: random.once(4) ? same.filter(() => random.once(2)).map(({ orderNo }) => orderNo) : [],
  };
}

function amending(world: World, trader: Trader): object | null {
  const order = aim(world, trader, rests);
  if (!order) return null;
  const { random } = world;
  const lots = random.once(2) ? random.int(1, order.lots + 1) : null;
  const limit = lots === null || random.once(2) ? near(world, instrumentOf(world, order)) : null;
  const trigger = order.trigger && random.once(2) ? near(world, instrumentOf(world, order)) : null;
  return { requestId: random.uuid(), orderNo: order.orderNo, lots, price: limit, trigger };
}

function on(order: Order | null, random: Random, more: object = {}): object | null {
  return order && { requestId: random.uuid(), orderNo: order.orderNo, ...more };
}

/** A conversion between priced currencies, and sometimes one that is refused. */
function converting(random: Random): object {
  const priced = ["TWD", "TWD", "USD", "JPY"] as const;
  const [from, to] = [random.pick(priced), random.once(20) ? "MYR" : random.pick(priced)];
  return { from, to, side: random.pick(CONVERSION_SIDES), amount: random.int(1, random.once(3) ? 200_000_000 : 2_000_000) };
}

/** The body of a command; null when there is no order for it. */
function bodyOf(world: World, trader: Trader, command: Exclude<Command, "again">): object | null {
  const { random } = world;
  if (isMoneyCommand(command)) return moneyBody(world, trader, command);
  switch (command) {
    case "placeOrder":
      return ticket(world);
    case "closeOrder":
      return closing(world, trader);
    case "closePosition":
      return closingPosition(world, trader);
    case "amendOrder":
      return amending(world, trader);
    case "cancelOrder":
      return on(aim(world, trader, rests), random);
    case "reverseOrder":
      return on(aim(world, trader, isHeld), random);
    case "reversePosition":
      return ofPosition(aim(world, trader, isHeld), random);
    case "setPositionConditions": {
      const order = aim(world, trader, isHeld);
      return ofPosition(order, random, { exits: order ? exits(world, instrumentOf(world, order)) : [] });
    }
    case "setConditions": {
      const order = aim(world, trader, ({ status }) => status !== "closed");
      return on(order, random, { exits: order ? exits(world, instrumentOf(world, order)) : [] });
    }
    case "addMargin":
      return on(
        aim(world, trader, ({ funding }) => funding === "leverage"),
        random,
        { amount: random.int(1, 50_000) },
      );
    case "payMargin":
      return { requestId: random.uuid(), amount: random.int(1, 100_000) };
    case "cancelOrders":
    case "closeOrders":
      return { requestId: random.uuid(), code: random.once(3) ? null : random.pick(tradable(world)).code };
    case "setRisk":
      return {
        maxOrderCents: random.once(3) ? random.int(20, 200) * 10_000_000 : null,
        dailyLossCents: random.once(6) ? random.int(1, 20) * 10_000_000 : null,
        slideAboveCents: null,
      };
    case "quoteConversion":
      return converting(random);
    case "acceptConversion":
      return {
        requestId: random.uuid(),
        quoteId: world.quotes.get(random.once(30) ? random.pick(world.traders).id : trader.id) ?? random.uuid(),
      };
    case "transferFunds":
      return {
        requestId: random.uuid(),
        currency: random.once(4) ? random.pick(CURRENCIES) : "TWD",
        from: random.once(2) ? "securities" : random.pick(WALLETS),
        to: random.pick(WALLETS),
        amount: random.int(1, 2_000_000),
      };
    case "offerLoan":
      return offering(random);
    case "drawLoan":
      return drawing(world, trader);
    case "repayLoan":
      return repaying(world, trader);
    case "lendShares":
      return lending(world, trader);
    case "offerShares":
      return offeringShares(world, trader);
    case "withdrawLendingOffer":
      return onLending(world, trader, "offered");
    case "recallShares":
      return onLending(world, trader, "inProgress");
    case "setAlert": {
      const instrument = random.pick(tradable(world));
      return { id: random.uuid(), code: instrument.code, kind: random.pick(["above", "below"]), level: near(world, instrument) };
    }
  }
}

/** Draws one call of one member: the given one, or any. */
function drawAsk(world: World, of?: Trader): Ask {
  const { random, traders, asked, primary, services } = world;
  const trader = of ?? random.pick(traders);
  const command = random.weighted(primary ? ALL_COMMANDS : services ? WITH_SERVICES : COMMANDS) as
    | keyof typeof ALL_COMMANDS
    | keyof typeof WITH_SERVICES;
  if (isService(command)) {
    const body = services && serviceBody(world, services, trader, command);
    return body ? { trader, name: command, body } : { trader, name: "placeOrder", body: ticket(world) };
  }
  if (isPrimary(command)) {
    const body = primary && primaryBody(world, primary, trader, command);
    return body ? { trader, name: command, body } : { trader, name: "placeOrder", body: ticket(world) };
  }
  if (command === "again" && asked.length > 0) return random.pick(asked.slice(-40));
  if (command === "again") return { trader, name: "placeOrder", body: ticket(world) };
  const body = bodyOf(world, trader, command);
  return body ? { trader, name: command, body } : { trader, name: "placeOrder", body: ticket(world) };
}

/** The acceptance of a quote just made, sometimes by two devices; quotes are locked for seconds only. */
function drawAcceptance(world: World): Ask[] {
  const { random, quotes, traders } = world;
  const trader = traders.find(({ id }) => id === world.quoted);
  const quoteId = quotes.get(trader?.id ?? 0);
  world.quoted = null;
  if (!trader || quoteId === undefined || random.once(3)) return [];
  const accept = (): Ask => ({ trader, name: "acceptConversion", body: { requestId: random.uuid(), quoteId } });
  return random.once(3) ? [accept(), accept()] : [accept()];
}

function drawAsks(world: World, most: number): Ask[] {
  const asks = [
    ...drawAcceptance(world),
    ...drawDrawing(world),
    ...drawReport(world),
    ...drawLending(world),
    ...(world.services ? drawServices(world, world.services) : []),
    ...Array.from({ length: world.random.int(1, most) }, () => drawAsk(world)),
  ];
  // A double tap, or a client that resends before the answer.
  const [first] = asks;
  // The member's other device, at the same moment.
  if (first && world.random.once(8)) asks.push(drawAsk(world, first.trader));
  return first && world.random.once(15) ? [...asks, first] : asks;
}

/** A new day, on which sellers offer other blocks. */
function openDay(world: World): string {
  const said = nextDay(world);
  offerBlocks(world);
  if (world.services) newPast(world);
  return said;
}

const WAITS = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 20 * MINUTE_MS, 2 * HOUR_MS];

/** Draws a step and applies its market and clock part. */
export function drawStep(world: World): Step {
  const { random, venue, clock, primary, services } = world;
  // A closed market reopens soon, because little can happen meanwhile.
  const does =
    venue.phase(clock.now) !== "open" && random.once(4)
      ? "phase"
      : primary
        ? random.weighted(PRIMARY_HAPPENINGS)
        : services
          ? random.weighted(SERVICE_HAPPENINGS)
          : random.weighted(HAPPENINGS);
  // Time passes between two steps.
  clock.now += random.int(20, 2_000);
  switch (does) {
    case "ask":
      return { does, asks: drawAsks(world, random.once(10) ? 8 : primary || services ? 4 : 1) };
    case "crash":
      return { does, when: random.pick(["beforeCommit", "afterCommit"]), asks: drawAsks(world, 4) };
    case "market":
      return { does, said: moveMarket(world) };
    case "wait":
      clock.now += random.pick(WAITS);
      if (random.once(6)) offerBlocks(world);
      return { does, said: new Date(clock.now).toISOString() };
    case "day":
      return { does, said: openDay(world) };
    case "call":
      return { does, said: holdCall(world) };
    case "phase":
      return { does, said: nextPhase(world) };
    case "issue":
      return { does, said: primary ? announce(world, primary) : "" };
    case "tick":
      // At least as long as the clocks wait between two looks.
      clock.now += random.int(1, 3) * SECOND_MS;
      return { does, said: new Date(clock.now).toISOString() };
    case "slump":
      return { does, said: slump(world) };
    case "mentor":
      return { does, said: "one is removed, another admitted" };
    case "restart":
      return { does, said: "stopped and opened again" };
  }
}
