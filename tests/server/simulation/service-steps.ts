/** The random steps of copy trading, strategies and futures: mentors who trade, members who follow and run rules, and what two devices ask at once. */
import { COPY_DAYS } from "#contract/copy.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { MANY_CODES } from "#contract/strategy.ts";
import type { Strategy } from "#contract/strategy.ts";
import { dayLimits, step as tick, toTick } from "#contract/tick.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";
import { aimAt } from "./aim.ts";
import { drawFutures, moveIndex, openFuturesMarket } from "./futures-steps.ts";
import { drawOptions } from "./option-steps.ts";
import type { Trader } from "./ledger-check.ts";
import { tradable } from "./world.ts";
import type { Ask, Services, World } from "./world.ts";

/** Relative frequency of each command. */
export const SERVICE_COMMANDS = {
  followMentor: 18,
  pauseCopy: 6,
  resumeCopy: 12,
  stopCopy: 3,
  startStrategy: 16,
  pauseStrategy: 3,
  resumeStrategy: 5,
  stopStrategy: 3,
} as const satisfies Partial<Record<EndpointName, number>>;
export type ServiceCommand = keyof typeof SERVICE_COMMANDS;

export const isService = (command: string): command is ServiceCommand => command in SERVICE_COMMANDS;

/** What strategies trade here, and the price that it begins with. */
export const RUN_CODES = ["0056", "00878", "2884"];
const FIRST_PRICE = 25;
export const runRows = (firstRow: number) =>
  RUN_CODES.map((code, nth) => fakeInstrument(firstRow + nth, code, { kind: code.startsWith("0") ? "etf" : "stock" }));

/** The learned rule needs years of days. */
const STRATEGIES: readonly Strategy[] = ["cross", "breakout", "reversion", "grid", "volatility", "rotation"];
const PAST_DAYS = 125;

/** Tells other closes of the days before today, so that the rules want something else than the day before. */
export function newPast({ random, venue, clock }: World): void {
  const today = taipeiDay(clock.now);
  const bars = RUN_CODES.map((code) => {
    const [slope, swing] = [random.int(-4, 4) / 100, random.int(1, 40) / 10];
    const closes = Array.from(
      { length: PAST_DAYS },
      (_, nth) => FIRST_PRICE + slope * nth + swing * Math.sin((nth + random.int(0, 3)) / 6),
    );
    return [
      code,
      closes.map((close, nth) => {
        const at = Math.max(PRICE_ONE, Math.round(close * PRICE_ONE));
        return { at: taipeiMidnight(today - PAST_DAYS + nth), open: at, high: at + 100, low: at, close: at, volume: 100 };
      }),
    ] as const;
  });
  venue.setPastCalls([], Object.fromEntries(bars));
}

const TRADED_LOTS = 2_000;

/** Gives what strategies trade a price and a past. */
export function openRunMarket(world: World): void {
  for (const code of RUN_CODES) {
    const row = world.venue.instrument(code)?.row;
    if (row !== undefined)
      world.venue.set(row, { reference: FIRST_PRICE, last: FIRST_PRICE, bids: [[FIRST_PRICE, 40]], asks: [[FIRST_PRICE + 0.05, 40]] });
  }
  // Copies buy a part of what has traded.
  for (const { row } of world.venue.instruments) world.venue.set(row, { volume: TRADED_LOTS });
  newPast(world);
  openFuturesMarket(world);
}

/** The index may move, and the price of something that a copy or a run holds falls within the daily limits, so that stops are reached. */
export function slump(world: World): string {
  const { random, venue, traders } = world;
  const moved = random.once(2) ? `, ${moveIndex(world)}` : "";
  const held = traders.flatMap(({ view }) => [...view.live.values()].filter(({ origin }) => origin === "copy" || origin === "strategy"));
  const copied = held.filter(({ origin }) => origin === "copy");
  const of = copied.length > 0 && !random.once(4) ? copied : held;
  const code = of.length > 0 ? random.pick(of).code : random.pick(RUN_CODES);
  const instrument = venue.instrument(code);
  if (!instrument) return "nothing";
  const { row, kind } = instrument;
  const { last, reference } = venue.quote(row);
  const fallen = toTick(kind, Math.round((last * (1000 - random.int(20, 80))) / 1000));
  const at = Math.max(fallen, dayLimits(instrument, reference)?.down ?? fallen);
  const level = (price: number): [number, number] => [price / PRICE_ONE, random.int(1, 20)];
  venue.set(row, { last: at / PRICE_ONE, bids: [level(at)], asks: [level(tick(kind, at, 1))] });
  return `${code} at ${at / PRICE_ONE}${moved}`;
}

/** Whole NT$, from less than the least to more than some have. */
const terms = ({ random }: World) => ({
  amount: random.int(80, random.once(3) ? 3_000 : 600) * 1_000,
  stopPercent: random.int(1, random.once(3) ? 60 : 6),
});

function starting(world: World): object {
  const { random } = world;
  const strategy = random.pick(STRATEGIES);
  return { strategy, code: MANY_CODES.includes(strategy) ? null : random.pick(RUN_CODES), ...terms(world) };
}

/** What a command says besides its request; null when there is nothing for it. */
function said(world: World, { mentors }: Services, trader: Trader, command: ServiceCommand): object | null {
  const { random } = world;
  const copyIn = (status: string) =>
    aimAt(
      world,
      trader,
      (view) => view.services.copies,
      (copy) => copy.status === status,
    );
  const runIn = (status: string) =>
    aimAt(
      world,
      trader,
      (view) => view.services.runs,
      (run) => run.status === status,
    );
  const ofCopy = (status: string, more: object = {}) => {
    const copy = copyIn(status);
    return copy && { copyNo: copy.copyNo, ...more };
  };
  const ofRun = (status: string, more: object = {}) => {
    const run = runIn(status);
    return run && { runNo: run.runNo, ...more };
  };
  const keep = random.once(3);
  switch (command) {
    case "followMentor":
      return {
        mentorNo: random.pick(mentors).mentorNo,
        days: random.pick(COPY_DAYS),
        ...terms(world),
        ...(random.once(2) ? { stopPercent: 1 } : {}),
      };
    case "pauseCopy":
      return ofCopy("following");
    case "resumeCopy":
      return ofCopy("paused");
    case "stopCopy":
      return ofCopy(random.once(4) ? "paused" : "following", { keep });
    case "startStrategy":
      return starting(world);
    case "pauseStrategy":
      return ofRun("running");
    case "resumeStrategy":
      return ofRun("paused");
    case "stopStrategy":
      return ofRun(random.once(4) ? "paused" : "running", { keep });
  }
}

/** The body of a command; null when there is nothing for it. */
export function serviceBody(world: World, services: Services, trader: Trader, command: ServiceCommand): object | null {
  const body = said(world, services, trader, command);
  return body && { requestId: world.random.uuid(), ...body };
}

/** A mentor buys whole lots for cash, or sells some of what was bought so. */
function leading(world: World, { mentors }: Services): Ask[] {
  const { random } = world;
  const { trader } = random.pick(mentors);
  const requestId = random.uuid();
  const market = { pricing: "market", price: null };
  const held = [...trader.view.live.values()].filter(
    ({ status, direction, funding, origin }) => status === "holding" && direction === "rise" && funding === "cash" && origin === undefined,
  );
  if (held.length > 0 && random.once(2)) {
    const { orderNo, filledLots, closedLots } = random.pick(held);
    const lots = random.once(2) ? filledLots - closedLots : random.int(1, filledLots - closedLots);
    return [{ trader, name: "closeOrder", body: { requestId, orderNo, ...market, lots, validity: "rod", fixed: false } }];
  }
  const body = {
    requestId,
    code: random.pick(tradable(world)).code,
    direction: "rise",
    ...market,
    lots: random.int(1, 9),
    validity: "ioc",
  };
  return [{ trader, name: "placeOrder", body }];
}

/** What two devices of a member ask at the same moment about one run or one copy, or for two of a kind. */
function atOnce(world: World, services: Services): Ask[] {
  const { random, traders } = world;
  const trader = random.pick(traders);
  const { runs, copies } = trader.view.services;
  const open = [...runs.values(), ...copies.values()].filter(({ status }) => status !== "stopped");
  const one = open.length > 0 && !random.once(3) ? random.pick(open) : null;
  if (!one) {
    const name = random.pick(["startStrategy", "followMentor"] as const);
    const body = serviceBody(world, services, trader, name) ?? {};
    return [body, { ...body, requestId: random.uuid() }].map((each) => ({ trader, name, body: each }));
  }
  const draw = (): Ask => {
    const act = random.pick(["pause", "resume", "stop"] as const);
    const keep = act === "stop" ? { keep: random.once(2) } : {};
    const requestId = random.uuid();
    return "runNo" in one
      ? { trader, name: `${act}Strategy`, body: { requestId, runNo: one.runNo, ...keep } }
      : { trader, name: `${act}Copy`, body: { requestId, copyNo: one.copyNo, ...keep } };
  };
  return [draw(), draw()];
}

/** Mentors trade often; members have two devices. */
export const drawServices = (world: World, services: Services): Ask[] => [
  ...(world.random.once(3) ? leading(world, services) : []),
  ...(world.random.once(2) ? drawFutures(world) : []),
  ...(world.random.once(2) ? drawOptions(world) : []),
  ...(world.random.once(12) ? atOnce(world, services) : []),
];
