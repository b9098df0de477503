/** The prices of the simulation's orders, and when they are reserved. */
import type { Instrument } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { toTick } from "#contract/tick.ts";
import { hasNights, isNight } from "./world.ts";
import type { World } from "./world.ts";

/** A price near the market, usually on a tick and within the daily limits. */
export function near({ random, venue }: World, instrument: Instrument): number {
  const { last } = venue.quote(instrument.row);
  const wanted = Math.round((last * (1000 + random.int(-30, 30))) / 1000);
  return random.once(60) ? wanted + 1 : toTick(instrument.kind, wanted);
}

export function pricing(world: World, instrument: Instrument): { pricing: "market" | "limit"; price: number | null } {
  const { random, venue, clock } = world;
  return venue.phase(clock.now) !== "closed" && random.once(3)
    ? { pricing: "market", price: null }
    : { pricing: "limit", price: near(world, instrument) };
}

export function exits(world: World, instrument: Instrument): { kind: string; price: number }[] {
  const { random } = world;
  const kinds = ["stop", "takeProfit", "trailing"].filter(() => random.once(2));
  return kinds.map((kind) => ({
    kind,
    price: kind === "trailing" ? toTick(instrument.kind, random.int(1, 5) * PRICE_ONE) : near(world, instrument),
  }));
}

/** Mostly what can be reserved, at night: nothing else is accepted then. */
export function reserving(world: World): { reserve?: boolean; validity?: "rod"; fixed?: boolean } {
  if (!hasNights(world)) return {};
  if (!isNight(world) || world.random.once(5)) return { reserve: world.random.once(2) };
  return { reserve: true, validity: "rod", fixed: false };
}
