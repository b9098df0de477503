/** The capital increases of the simulated market: every rights issue after the anchor day is an offering to the holders of its share. */
import { epochMs } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { toTick } from "#contract/tick.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import type { Increase } from "#server/venue/issue.ts";
import { leadBroker } from "#server/venue/reference-data/issue-names.ts";
import type { ExEvent } from "./corporate-actions.ts";
import type { SeededMarket } from "./seeded-market.ts";

/** Sessions from the ex-date on to each moment: it is announced before, and the window opens in the session after. */
interface IncreaseRules {
  announced: number;
  opens: number;
  closes: number;
  allotted: number;
  listing: number;
}

const DAYS: IncreaseRules = { announced: -4, opens: 1, closes: 3, allotted: 5, listing: 6 };
const MINUTES: IncreaseRules = { announced: -1, opens: 1, closes: 2, allotted: 3, listing: 4 };
const RULES: Readonly<Record<Hours, IncreaseRules>> = { always: DAYS, taiwan: DAYS, compressed: MINUTES };

interface Planned {
  row: number;
  event: ExEvent;
}

export class IncreaseSchedule {
  readonly #market: SeededMarket;
  readonly #rules: IncreaseRules;
  /** Every one of them, the earliest first. */
  readonly #planned: readonly Planned[];

  constructor(market: SeededMarket) {
    const { models, calendar } = market;
    this.#market = market;
    this.#rules = RULES[calendar.hours];
    this.#planned = models
      .flatMap((model, row) =>
        (model?.events ?? [])
          .filter(({ kind, session }) => kind === "rights" && session > calendar.anchor)
          .map((event) => ({ row, event })),
      )
      .toSorted((a, b) => a.event.session - b.event.session || a.row - b.row);
  }

  /** Those that are announced and not listed at a moment; `priceOf`: what a row costs then, in price units. */
  announced(at: number, priceOf: (row: number) => number): Increase[] {
    const { session } = this.#market.calendar.at(at);
    const { announced, listing } = this.#rules;
    return this.#planned
      .filter(({ event }) => event.session + announced <= session && session < event.session + listing)
      .flatMap(({ row, event }) => this.#increase(row, event, priceOf(row)));
  }

  #increase(row: number, event: ExEvent, price: number): Increase[] {
    const { calendar, referenceData } = this.#market;
    const instrument = referenceData.listings[row]?.instrument;
    if (!instrument || price <= 0) return [];
    const { announced, opens, closes, allotted, listing } = this.#rules;
    const begins = (after: number): EpochMs => epochMs(calendar.acceptsOrdersAt(event.session + after));
    const closesAt = epochMs(calendar.closesAt(event.session + closes));
    return [
      {
        code: instrument.code,
        ratioPerMillion: event.rightsMillionths,
        provisionalPrice: toTick(instrument.kind, Math.round(event.rightsShare * price)),
        leadBroker: leadBroker(event.session % 64),
        announcedAt: begins(announced),
        exAt: begins(0),
        opensAt: epochMs(calendar.opensAt(event.session + opens)),
        closesAt,
        // It is paid with the application.
        payableUntil: closesAt,
        allottedAt: begins(allotted),
        tradesFrom: begins(listing),
      },
    ];
  }
}
