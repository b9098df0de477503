/** What options on an index are priced by in the simulated market, at a moment or at the close before a day: the same on every server that runs it. */
import type { IndexOutlook, OptionExpiry, OptionOutlook } from "#server/venue/venue.ts";
import { DAYS_A_YEAR } from "#contract/option-price.ts";
import { GAP_PART } from "./component.ts";
import type { Component } from "./component.ts";
import { clockOf } from "./day-clock.ts";
import { constituentsOf, basketsOf } from "./index-basket.ts";
import type { Baskets } from "./index-basket.ts";
import { Outlook, jumpVariance } from "./index-outlook.ts";
import type { Exposures } from "./index-outlook.ts";
import type { MarketState } from "./market-state.ts";
import { processAt } from "./seeded-market.ts";

/** A share of this part of the index or more is looked at alone. */
const LARGE = 0.02;
/** Answers that are kept: all days that were missed are asked for again for each position, and one takes tens of milliseconds. */
const KEPT = 100;

/** Keeps something in place of what was kept first. */
function keep<Value>(kept: Map<string, Value>, name: string, value: Value): void {
  kept.delete(name);
  kept.set(name, value);
  const oldest = kept.keys().next().value;
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

type State = Pick<MarketState, "market" | "session" | "path">;

interface Moment {
  /** The last session that is known. */
  session: number;
  /** The part of it, from open to close, that is to come. */
  left: number;
}

export class OptionOutlooks implements IndexOutlook {
  readonly #state: State;
  readonly #baskets: Baskets;
  readonly #outlooks = new Map<string, Outlook>();
  /** By expiry, the last answer: chains and accounts ask for the same many times in a moment. */
  readonly #latest = new Map<string, { session: number; left: number; outlook: OptionOutlook }>();

  constructor(state: State) {
    this.#state = state;
    this.#baskets = basketsOf(state.market);
  }

  now(row: number, at: number, expiry: OptionExpiry): OptionOutlook | null {
    return this.#at(row, this.#momentOf(at), expiry);
  }

  before(row: number, day: number, expiry: OptionExpiry): OptionOutlook | null {
    const { calendar } = this.#state.market;
    const session = calendar.hours === "compressed" ? day : calendar.sessionOn(day);
    return this.#at(row, { session: session - 1, left: 0 }, expiry);
  }

  /** How much of its day's variance has passed at a moment of a session. */
  #passed(session: number, at: number): number {
    const { calendar } = this.#state.market;
    const { passed, minutes } = clockOf(calendar);
    const place = Math.min(minutes, Math.max(0, (at - calendar.opensAt(session)) / calendar.minuteMs));
    const mark = Math.min(minutes - 1, Math.floor(place));
    const [from, to] = [passed[mark] ?? 0, passed[mark + 1] ?? 1];
    return from + (to - from) * (place - mark);
  }

  #momentOf(at: number): Moment {
    const { calendar } = this.#state.market;
    const { session, minute } = calendar.at(at);
    return minute < 0 ? { session: session - 1, left: 0 } : { session, left: 1 - this.#passed(session, at) };
  }

  /**
   * The part of an expiry's session, from its open, that its settlement price varies by: of the minutes that it is the average of, the later
   * ones count less and less.
   */
  #settledPart(session: number, averagedFrom: number): number {
    const { calendar } = this.#state.market;
    const count = Math.max(1, Math.round((calendar.closesAt(session) - averagedFrom) / calendar.minuteMs));
    let part = this.#passed(session, averagedFrom);
    for (let nth = 0; nth < count; nth += 1) {
      const [from, to] = [averagedFrom + nth * calendar.minuteMs, averagedFrom + (nth + 1) * calendar.minuteMs];
      part += (1 - nth / count) ** 2 * (this.#passed(session, to) - this.#passed(session, from));
    }
    return part;
  }

  #at(row: number, { session, left }: Moment, { opensAt, averagedFrom }: OptionExpiry): OptionOutlook | null {
    const { calendar } = this.#state.market;
    const name = `${row} ${averagedFrom} ${this.#weighedIn(session)}`;
    const latest = this.#latest.get(name);
    if (latest?.session === session && latest.left === left) return latest.outlook;
    const last = calendar.at(opensAt).session;
    const sessions = last - session;
    if (sessions < 0) return null;
    const settled = this.#settledPart(last, averagedFrom);
    const open = sessions === 0 ? Math.max(0, left + settled - 1) : left;
    const days = (1 - GAP_PART) * open + (sessions === 0 ? 0 : sessions - (1 - GAP_PART) * (1 - settled));
    const { variance, curve } = this.#outlook(row, session).smile(open, sessions, settled);
    const level = days > 0 ? Math.sqrt((variance * DAYS_A_YEAR) / days) : 0;
    const outlook = { days, smile: { level, lean: 0, curve } };
    keep(this.#latest, name, { session, left, outlook });
    return outlook;
  }

  #outlook(row: number, session: number): Outlook {
    const name = `${row} ${session} ${this.#weighedIn(session)}`;
    const known = this.#outlooks.get(name);
    if (known) return known;
    const outlook = new Outlook(session, this.#exposures(row, session));
    keep(this.#outlooks, name, outlook);
    return outlook;
  }

  /** The session that shares are weighed in: a market of minutes is too far from its first day to be run again, and marks only the day that begins. */
  #weighedIn(session: number): number {
    const { market, session: current } = this.#state;
    return market.calendar.hours === "compressed" ? current : session;
  }

  /** What a share is worth in the index as a session begins. */
  #valueOf(row: number, session: number): number {
    const { market, session: current } = this.#state;
    const issued = this.#baskets.shares[row] ?? 0;
    if (session === current) {
      const day = this.#state.path(row)?.day;
      return day ? day.base * day.shares * issued : 0;
    }
    const model = market.models[row];
    if (!model) return 0;
    const process = processAt(model, session);
    return process.base * process.shares * issued;
  }

  /** What moves the index in the sessions after one, by what its shares were worth as it began. */
  #exposures(row: number, session: number): Exposures {
    const shares = constituentsOf(this.#baskets, row).map((one) => ({ one, value: this.#valueOf(one, this.#weighedIn(session)) }));
    const total = shares.reduce((sum, { value }) => sum + value, 0);
    const parts = new Map<Component, number>();
    const add = (component: Component, part: number): void => void parts.set(component, (parts.get(component) ?? 0) + part);
    let rest = 0;
    for (const { one, value } of shares) {
      const model = this.#state.market.models[one];
      if (!model || value === 0) continue;
      const { beta, gamma, group, own } = model.parameters;
      const weight = value / total;
      add(model.market.component, weight * beta);
      add(group.component, weight * gamma);
      if (weight >= LARGE) add(own, weight);
      else rest += weight * weight * (own.deviation ** 2 + (own.jumps ? own.jumps.chance(1) * jumpVariance(own.jumps) : 0));
    }
    return { components: [...parts].map(([component, part]) => ({ component, part })), rest };
  }
}
