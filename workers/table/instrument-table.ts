/** What the venue lists: read until it comes, read again when it lists another universe, its phase kept up to date. */
import type { Instrument, SessionPhase, VenueState } from "#contract/instrument.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { failedBecause } from "#workers/connection/http-client.ts";
import type { InstrumentTable } from "#workers/protocol.ts";
import { QuoteTable } from "./quote-table.ts";

const RETRY_MS = 1_000;

/** The instruments and their quotes, as far as they are known. */
export interface ListedMarket {
  table: QuoteTable;
  instruments: readonly Instrument[];
  byCode: ReadonlyMap<string, Instrument>;
}

/** The market of a listing, before any quote has come. */
export function marketOf({ instruments }: InstrumentTable): ListedMarket {
  const byCode = new Map(instruments.map((instrument) => [String(instrument.code), instrument]));
  return { table: new QuoteTable(instruments.length), instruments, byCode };
}

export interface InstrumentTableListener {
  listed(table: InstrumentTable): void;
  phased(venue: VenueState): void;
  expired(): void;
}

export class InstrumentTableReader {
  readonly #read: () => Promise<InstrumentTable>;
  readonly #hearer: InstrumentTableListener;
  /** Counts sessions: an answer that belongs to an earlier one is nobody's. */
  #session = 0;
  #table: InstrumentTable | null = null;

  constructor(read: () => Promise<InstrumentTable>, hearer: InstrumentTableListener) {
    this.#read = read;
    this.#hearer = hearer;
  }

  /** Begin: read the table until it comes. */
  begin(): void {
    void this.#list(this.#session);
  }

  /** End of the session: nothing that is still on its way counts. */
  end(): void {
    this.#session++;
    this.#table = null;
  }

  /** The venue's phase as somebody just said it; `endsAt` undefined when they did not say until when. */
  phase(phase: SessionPhase, endsAt?: number | null): void {
    const table = this.#table;
    if (!table) return;
    const until = (endsAt === undefined ? table.venue.phaseEndsAt : endsAt) as EpochMs | null;
    if (table.venue.phase === phase && table.venue.phaseEndsAt === until) return;
    this.#table = { ...table, venue: { ...table.venue, phase, phaseEndsAt: until } };
    this.#hearer.phased(this.#table.venue);
  }

  /** The venue said which universe it lists. */
  universe(universe: string): void {
    if (this.#table && this.#table.venue.universe !== universe) void this.#list(this.#session);
  }

  async #list(session: number): Promise<void> {
    while (session === this.#session) {
      try {
        const table = await this.#read();
        if (session !== this.#session) return;
        this.#table = table;
        this.#hearer.listed(table);
        return;
      } catch (error) {
        if (session !== this.#session) return;
        if (failedBecause(error, "expired")) return this.#hearer.expired();
      }
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}
