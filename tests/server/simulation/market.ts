/** The simulated market and calendar: price moves, call auctions, phases, days and ex-events. */
import { unitsPerWhole } from "#contract/instrument.ts";
import type { SessionPhase } from "#contract/instrument.ts";
import { ACTION_KINDS } from "#contract/corporate-action.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { PRICE_ONE, price } from "#contract/kernel/money.ts";
import { DAY_MS, HOUR_MS, epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { MILLION } from "#contract/rule.ts";
import { dayLimits, step as tick, toTick } from "#contract/tick.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS } from "#tests/support/trading.ts";
import { beginFeeDay } from "./lending-steps.ts";
import { takeIncrease } from "./primary-market.ts";
import { hasNights, isNight, isListed, tradable } from "./world.ts";
import type { World } from "./world.ts";

/** Two currencies with a price; the others cannot be converted. */
export const PAIRS = ["USDTWD", "JPYTWD"].map((code, nth) =>
  fakeInstrument(INSTRUMENTS.length + nth, code, { kind: "forex", board: "forex", tradable: false, shortable: false }),
);

const units = (at: number): number => at / PRICE_ONE;

/** Moves one row: a price within the daily limits and levels on both sides of it. */
export function moveMarket(world: World): string {
  const { random, venue } = world;
  const instrument = random.pick(venue.instruments.filter(({ row: at }) => isListed(world, at)));
  const { row, kind } = instrument;
  const { last, reference, volume } = venue.quote(row);
  const limits = dayLimits(instrument, reference);
  const span = random.once(20) ? 80 : 12;
  const moved = toTick(kind, Math.max(PRICE_ONE, Math.round((last * (1000 + random.int(-span, span))) / 1000)));
  const at = limits ? Math.min(limits.up, Math.max(limits.down, moved)) : moved;
  const levels = (by: 1 | -1): [number, number][] => {
    const found: [number, number][] = [];
    let level = by > 0 ? tick(kind, at, 1) : at;
    const count = random.int(0, 5);
    for (let n = 0; n < count; n += 1) {
      if (limits && (level > limits.up || level < limits.down)) break;
      found.push([units(level), random.int(1, 9) * unitsPerWhole({ kind })]);
      level = tick(kind, level, by);
    }
    return found;
  };
  venue.set(row, { last: units(at), bids: levels(-1), asks: levels(1), volume: volume + random.int(0, 5) });
  return `${instrument.code} at ${units(at)}`;
}

/** The market's own orders for a call auction of a row, around its last price. */
function fillCall({ random, venue }: World, row: number, odd: boolean): void {
  const { last } = venue.quote(row);
  const { kind } = venue.instruments[row] ?? { kind: "stock" as const };
  const side = (): [number | null, number][] =>
    Array.from({ length: random.int(0, 4) }, () => {
      const at = random.once(6) ? null : units(toTick(kind, Math.round((last * (1000 + random.int(-15, 15))) / 1000)));
      return [at, random.int(1, odd ? 800 : 9) * unitsPerWhole({ kind })];
    });
  venue.setCall(row, { bids: side(), asks: side() }, odd);
}

/** Runs an odd-lot auction, or the call auction that ends a volatility halt. */
export function holdCall(world: World): string {
  const { random, venue } = world;
  const odd = !random.once(4);
  for (const { row } of venue.instruments) fillCall(world, row, odd);
  const rows = odd ? null : [random.pick(venue.instruments).row];
  venue.call(odd ? "odd" : "resume", rows);
  return odd ? "of single shares" : `of row ${rows?.join()}`;
}

/** Longer than any break in a day. */
const NIGHT_MS = 2 * HOUR_MS;

/** The phase after each phase, and the call auction between them. */
const AFTER = {
  open: ["closingAuction", null],
  closingAuction: ["oddLot", "closing"],
  oddLot: ["fixedPrice", null],
  fixedPrice: ["closed", "fixed"],
  closed: ["preOpen", null],
  preOpen: ["open", "opening"],
  halted: ["open", null],
} as const;

/** A closed market opens with the next day: until then orders are reserved. */
function enterPhase(world: World, phase: SessionPhase): void {
  const { venue, clock } = world;
  venue.setPhase(phase, phase === "closed" && hasNights(world) ? (Math.floor(clock.now / DAY_MS) + 1) * DAY_MS : null);
}

export function nextPhase(world: World): string {
  const { venue, clock } = world;
  // Only the next day ends it.
  if (isNight(world)) return "the night goes on";
  const [phase, call] = AFTER[venue.phase(clock.now)];
  for (const { row } of venue.instruments) fillCall(world, row, false);
  if (call) venue.call(call);
  if (call === "fixed") venue.call("lateOdd");
  enterPhase(world, phase);
  return phase;
}

/** An ex-event of a new day and the price the day starts with. */
function drawAction({ random }: World, at: number, close: number): CorporateAction {
  const kind = random.pick(close > 60 * PRICE_ONE ? ACTION_KINDS : (["dividend", "stockDividend", "rights"] as const));
  const cash = kind === "dividend" ? Math.round((close * random.int(1, 6)) / 100 / 100) * 100 : 0;
  const free = kind === "split" ? random.pick([1_000_000, 3_000_000]) : kind === "stockDividend" ? random.int(1, 20) * 10_000 : 0;
  const rights = kind === "rights" ? random.int(1, 30) * 10_000 : 0;
  const rightsPrice = rights > 0 ? Math.round((close * random.int(60, 95)) / 100 / 100) * 100 : 0;
  const reference = Math.round((close - cash + (rightsPrice * rights) / MILLION) / (1 + (free + rights) / MILLION));
  return {
    at: epochMs(at),
    kind,
    cash: price(cash),
    ...(cash > 0 && random.once(2) ? { paysAt: epochMs(at + random.int(1, 5) * DAY_MS) } : {}),
    freeMillionths: free,
    rightsMillionths: rights,
    rightsPrice: price(rightsPrice),
    closeBefore: price(close),
    reference: price(reference),
  };
}

/** Starts a day on which a share trades ex-right after the announcement of a capital increase. */
function beginWithIncrease({ venue, primary, actions }: World, opensAt: number): string | null {
  const instrument = primary?.dueIncrease ? venue.instrument(primary.dueIncrease.code) : undefined;
  if (!primary || !instrument) return null;
  const taken = takeIncrease(primary, taipeiMidnight(taipeiDay(opensAt)), venue.quote(instrument.row).last);
  if (!taken) return null;
  actions.set(taken.code, [...(actions.get(taken.code) ?? []), taken.action]);
  const begins = units(toTick(instrument.kind, taken.action.reference));
  venue.set(instrument.row, { reference: begins, last: begins, bids: [], asks: [] });
  return `, with the increase of ${taken.code}`;
}

/** Starts a day with an ex-event of one instrument. */
function beginWithAction(world: World, opensAt: number): string {
  const { random, venue, actions } = world;
  const { row, code, kind } = random.pick(tradable(world).filter((instrument) => instrument.kind !== "crypto"));
  const action = drawAction(world, taipeiMidnight(taipeiDay(opensAt)), venue.quote(row).last);
  actions.set(code, [...(actions.get(code) ?? []), action]);
  const begins = units(toTick(kind, action.reference));
  venue.set(row, { reference: begins, last: begins, bids: [], asks: [] });
  return `, with ${action.kind} of ${code}`;
}

/** Starts a new day, half of them after a night; the last price becomes its reference. */
export function nextDay(world: World): string {
  const { random, venue, clock } = world;
  const night = isNight(world);
  if (!night && hasNights(world) && random.once(2)) {
    enterPhase(world, "closed");
    return "the night before";
  }
  // Offerings move from day to day; what comes late is another test's.
  const days = world.primary ? 1 : random.once(5) ? random.int(2, 6) : 1;
  clock.now += days * DAY_MS;
  const midnight = Math.floor(clock.now / DAY_MS) * DAY_MS;
  for (const { row } of venue.instruments) {
    const { last } = venue.quote(row);
    venue.set(row, { reference: units(last), bids: [], asks: [] });
  }
  // Nothing trades between the two days.
  const before = night ? "preOpen" : venue.phase(clock.now);
  venue.setPhase("closed");
  // The day before is paid for at its close, then ex-events follow.
  beginFeeDay(world, days);
  const said = beginWithIncrease(world, midnight) ?? (random.once(2) ? beginWithAction(world, midnight) : "");
  venue.setDay(midnight, midnight + DAY_MS - (hasNights(world) ? NIGHT_MS : 0));
  enterPhase(world, before);
  return `${days} days on${said}`;
}
