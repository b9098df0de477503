/**
 * The sellers of blocks: who offers how much, at which price and until when follows from the market's seed and the session. A price stands
 * a little below the market's at the moment the offer begins; nothing that happens later enters it.
 */
import type { Instrument } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { dayLimits } from "#contract/tick.ts";
import { blockWindowAt, blockWindows } from "#server/venue/calendar/block-hours.ts";
import type { BlockWindow } from "#server/venue/calendar/block-hours.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { BlockListing, BlockTrading } from "#server/venue/venue.ts";
import { Path } from "./intraday-path.ts";
import { DailyProcessReader } from "./seeded-market.ts";
import type { SeededMarket } from "./seeded-market.ts";
import type { Watch } from "./watch-list.ts";

/** Offers that begin with each slot, and how many slots one may last. */
const OFFERS_PER_SLOT = 10;
const MOST_SLOTS = 3;
const LOT_SHARES = 1_000;
const LEAST_LOTS = 10;
const MOST_LOTS = 100;
/** The discount when an offer begins, in millionths. */
const LEAST_DISCOUNT = 300;
const MOST_DISCOUNT = 4_000;
/** A block's price is a multiple of this, whatever the price band. */
const CENT = PRICE_ONE / 100;
/** Every other offer is of a stock that once cost less than this, so that a small account finds some. */
const CHEAP = 60 * PRICE_ONE;

/** What a draw decides. */
const DRAW = { row: 1, lots: 2, discount: 3, slots: 4 } as const;

export class BlockSellers implements BlockTrading {
  readonly #market: SeededMarket;
  readonly #instruments: readonly Instrument[];
  readonly #isHalted: (row: number, at: number) => boolean;
  readonly #watchOf: (row: number, session: number) => Watch;
  readonly #taken = new Map<string, number>();
  readonly #slots = new Map<string, readonly BlockListing[]>();
  /** Paths of the latest session asked for. */
  readonly #paths = new Map<number, Path>();
  #session = -1;
  #rows: readonly number[] = [];
  #cheapRows: readonly number[] = [];

  constructor(
    market: SeededMarket,
    instruments: readonly Instrument[],
    isHalted: (row: number, at: number) => boolean,
    watchOf: (row: number, session: number) => Watch,
  ) {
    this.#watchOf = watchOf;
    this.#market = market;
    this.#instruments = instruments;
    this.#isHalted = isHalted;
  }

  hours(at: number): { open: boolean; changesAt: number | null } {
    const { window, changesAt } = blockWindowAt(this.#market.calendar, at);
    return { open: window !== null, changesAt };
  }

  offers(at: number): BlockListing[] {
    const { session, window } = blockWindowAt(this.#market.calendar, at);
    if (!window) return [];
    this.#begin(session);
    const slot = Math.floor((at - window.from) / window.slotMs);
    const first = Math.max(0, slot - MOST_SLOTS + 1);
    return Array.from({ length: slot - first + 1 }, (_, nth) => this.#slot(session, window, first + nth))
      .flat()
      .filter(({ row, closesAt }) => at < closesAt && !this.#isHalted(row, at))
      .map((offer) => ({ ...offer, left: offer.shares - (this.#taken.get(offer.offerId) ?? 0) }))
      .toSorted((a, b) => a.closesAt - b.closesAt);
  }

  setTaken(offerId: string, shares: number): void {
    this.#taken.set(offerId, shares);
  }

  /** Prepares a session: which stocks may be offered on its day. */
  #begin(session: number): void {
    if (session === this.#session) return;
    this.#session = session;
    this.#slots.clear();
    this.#paths.clear();
    for (const offerId of this.#taken.keys()) if (!offerId.startsWith(`${session}-`)) this.#taken.delete(offerId);
    const { referenceData } = this.#market;
    const rows = this.#instruments.filter((instrument) => this.#mayOffer(instrument, session)).map(({ row }) => row);
    this.#rows = rows;
    this.#cheapRows = rows.filter((row) => (referenceData.listings[row]?.anchor ?? 0) <= CHEAP);
  }

  /** Not on ex-dates and the day after, nor without price limits, nor under disposition. */
  #mayOffer({ row, kind, tradable, lotShares, limitPercent, tradesFrom, freeUntil }: Instrument, session: number): boolean {
    const model = this.#market.models[row];
    if (!model || kind !== "stock" || !tradable || lotShares !== LOT_SHARES) return false;
    if (limitPercent === null || this.#watchOf(row, session).level === "disposition" || session <= model.listed) return false;
    // New issues come and go with the table; what others draw must not depend on them.
    if (tradesFrom > 0 || freeUntil > 0) return false;
    return !model.events.some((event) => event.session === session || event.session === session - 1);
  }

  #slot(session: number, window: BlockWindow, slot: number): readonly BlockListing[] {
    const id = `${session}-${window.from}-${slot}`;
    let offers = this.#slots.get(id);
    if (!offers) this.#slots.set(id, (offers = this.#drawSlot(session, window, slot)));
    return offers;
  }

  #drawSlot(session: number, window: BlockWindow, slot: number): readonly BlockListing[] {
    const place = blockWindows(this.#market.calendar, session).findIndex(({ from }) => from === window.from);
    const rows = new Set<number>();
    const offers: BlockListing[] = [];
    for (let nth = 0; nth < OFFERS_PER_SLOT; nth += 1) {
      const position = (place * 256 + slot) * OFFERS_PER_SLOT + nth;
      const draw = (what: number, below: number): number =>
        (this.#market.key.draw(PURPOSE.block, session, position, what) >>> 0) % Math.max(1, below);
      const from = nth % 2 === 1 && this.#cheapRows.length > 0 ? this.#cheapRows : this.#rows;
      const row = from[draw(DRAW.row, from.length)];
      if (row === undefined || rows.has(row)) continue;
      rows.add(row);
      const opensAt = window.from + slot * window.slotMs;
      const discount = LEAST_DISCOUNT + draw(DRAW.discount, MOST_DISCOUNT - LEAST_DISCOUNT);
      const price = this.#priceOf(row, session, opensAt, discount);
      if (price === null) continue;
      const shares = (LEAST_LOTS + draw(DRAW.lots, MOST_LOTS - LEAST_LOTS + 1)) * LOT_SHARES;
      const closesAt = Math.min(window.until, opensAt + (1 + draw(DRAW.slots, MOST_SLOTS)) * window.slotMs);
      const unlocksAt = this.#market.calendar.acceptsOrdersAt(session + 1);
      offers.push({ offerId: `${session}-${place}-${slot}-${nth}`, row, price, shares, left: shares, opensAt, closesAt, unlocksAt });
    }
    return offers;
  }

  /** The price of an offer: the market's at its beginning, less the discount, rounded up to a cent and within the day's limits. */
  #priceOf(row: number, session: number, at: number, discount: number): number | null {
    const path = this.#pathOf(row, session);
    const instrument = this.#instruments[row];
    const limits = instrument && path ? dayLimits(instrument, path.day.reference) : null;
    if (!path || !limits) return null;
    const { calendar } = this.#market;
    const minute = Math.floor((at - calendar.opensAt(session)) / calendar.minuteMs);
    // Before the open nobody knows the opening price; from the closing auction on, the close counts.
    const market = minute < 0 ? path.day.reference : path.mark(minute >= calendar.continuous ? calendar.minutes : minute);
    const price = Math.ceil((market * (1_000_000 - discount)) / 1_000_000 / CENT) * CENT;
    return Math.min(limits.up, Math.max(limits.down, price));
  }

  #pathOf(row: number, session: number): Path | null {
    const known = this.#paths.get(row);
    const model = this.#market.models[row];
    if (known || !model) return known ?? null;
    const path = new Path(model, new DailyProcessReader(model, session).next(), this.#market.sessionProfile(session));
    this.#paths.set(row, path);
    return path;
  }
}
