/**
 * The borrowers of shares: what they ask for follows from the market's seed and the session, one demand an instrument at most. Rates are
 * parts of the highest one, which the broker's rule sets.
 */
import { LENDING_DAYS, LENDING_NOTICES } from "#contract/lending.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import type { DemandListing, LendingMarket } from "#server/venue/venue.ts";

/** Per thousand instruments, those somebody wants to borrow on a day. */
const ASKED_PER_MILLE = 450;
const MOST_LOTS = 200;
/** What a demand pays, in thousandths of the highest rate. */
const LEAST_PART = 300;
const MOST_PART = 1_000;
/** Least amounts in cents. */
const MINIMUMS = [2_000_000, 5_000_000, 10_000_000] as const;
/** The market closes this long after the session: 15:30 after a close at 13:30, in minutes of its clock. */
const OPEN_AFTER_CLOSE_MINUTES = 120;

/** What a draw decides. */
const DRAW = { asked: 1, lots: 2, days: 3, notice: 4, part: 5, minimum: 6 } as const;

export class LendingBorrowers implements LendingMarket {
  readonly #key: Key;
  readonly #calendar: Calendar;
  readonly #instruments: readonly Instrument[];

  constructor({ key, calendar }: { key: Key; calendar: Calendar }, instruments: readonly Instrument[]) {
    this.#key = key;
    this.#calendar = calendar;
    this.#instruments = instruments;
  }

  isOpen(at: number): boolean {
    const { session } = this.#calendar.at(at);
    const { hours, minuteMs } = this.#calendar;
    if (hours === "always") return true;
    const closesAt = this.#calendar.closesAt(session) + OPEN_AFTER_CLOSE_MINUTES * minuteMs;
    return at >= this.#calendar.acceptsOrdersAt(session) && at < closesAt;
  }

  demands(at: number): DemandListing[] {
    if (!this.isOpen(at)) return [];
    const { session } = this.#calendar.at(at);
    return this.#instruments.flatMap((instrument) => this.#demandOf(instrument, session, at) ?? []);
  }

  demand(demandId: string, at: number): DemandListing | null {
    const [session, row] = demandId.split("-").map(Number);
    const instrument = this.#instruments[row ?? -1];
    if (!instrument || session !== this.#calendar.at(at).session || !this.isOpen(at)) return null;
    return this.#demandOf(instrument, session, at);
  }

  #demandOf({ row, kind, tradable, shortable, tradesFrom }: Instrument, session: number, at: number): DemandListing | null {
    if (!tradable || !shortable || (kind !== "stock" && kind !== "etf") || at < tradesFrom) return null;
    const draw = (what: number, below: number): number => (this.#key.draw(PURPOSE.lending, session, row, what) >>> 0) % below;
    if (draw(DRAW.asked, 1_000) >= ASKED_PER_MILLE) return null;
    return {
      demandId: `${session}-${row}`,
      row,
      lots: 1 + draw(DRAW.lots, MOST_LOTS),
      days: LENDING_DAYS[draw(DRAW.days, LENDING_DAYS.length)] ?? LENDING_DAYS[0],
      noticeDays: LENDING_NOTICES[draw(DRAW.notice, LENDING_NOTICES.length)] ?? LENDING_NOTICES[0],
      partPerMille: LEAST_PART + draw(DRAW.part, MOST_PART - LEAST_PART + 1),
      minimumCents: MINIMUMS[draw(DRAW.minimum, MINIMUMS.length)] ?? MINIMUMS[0],
    };
  }
}
