/** Reads the instrument table: retries until it arrives, reloads it when the reference data changes, and keeps the phase up to date. */
import { tableOf } from "#contract/instrument.ts";
import type { Instrument, SessionPhase, VenueState } from "#contract/instrument.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { failedBecause } from "#workers/connection/http-client.ts";
import type { InstrumentTable } from "#workers/protocol.ts";
import { QuoteTable } from "./quote-table.ts";

const RETRY_MS = 1_000;

/** The instruments and their latest quotes. */
export interface ListedMarket {
  table: QuoteTable;
  instruments: readonly Instrument[];
  byCode: ReadonlyMap<string, Instrument>;
}

/** Builds the market of an instrument table; `table` is that of the same rows before some were appended, and keeps its quotes. */
export function marketOf({ instruments }: InstrumentTable, table = new QuoteTable(0)): ListedMarket {
  const byCode = new Map(instruments.map((instrument) => [String(instrument.code), instrument]));
  table.grow(instruments.length);
  return { table, instruments, byCode };
}

/** Whether a table begins with the rows of another. */
const continues = (table: InstrumentTable, before: InstrumentTable): boolean =>
  tableOf(table.venue.universe) === tableOf(before.venue.universe) && table.instruments.length >= before.instruments.length;

export interface InstrumentTableListener {
  /** `grown`: the table begins with the rows of the one before. */
  listed(table: InstrumentTable, grown: boolean): void;
  phased(venue: VenueState): void;
  expired(): void;
}

export class InstrumentTableReader {
  readonly #read: () => Promise<InstrumentTable>;
  readonly #listener: InstrumentTableListener;
  /** Counts sessions, so that replies of an earlier one are dropped. */
  #session = 0;
  #table: InstrumentTable | null = null;
  /** The reference data id of the reload in progress. */
  #loading: string | null = null;

  constructor(read: () => Promise<InstrumentTable>, listener: InstrumentTableListener) {
    this.#read = read;
    this.#listener = listener;
  }

  /** Starts reading the table, with retries. */
  begin(): void {
    void this.#list(this.#session);
  }

  /** Ends the session; pending replies are dropped. */
  end(): void {
    this.#session++;
    this.#table = null;
    this.#loading = null;
  }

  /** Updates the venue's phase; `endsAt` undefined keeps the known end. */
  phase(phase: SessionPhase, endsAt?: number | null): void {
    const table = this.#table;
    if (!table) return;
    const until = (endsAt === undefined ? table.venue.phaseEndsAt : endsAt) as EpochMs | null;
    if (table.venue.phase === phase && table.venue.phaseEndsAt === until) return;
    this.#table = { ...table, venue: { ...table.venue, phase, phaseEndsAt: until } };
    this.#listener.phased(this.#table.venue);
  }

  /** Reloads the table if the venue's reference data id changed. */
  universe(universe: string): void {
    if (!this.#table || this.#table.venue.universe === universe || this.#loading === universe) return;
    const busy = this.#loading !== null;
    this.#loading = universe;
    if (!busy) void this.#list(this.#session);
  }

  async #list(session: number): Promise<void> {
    while (session === this.#session) {
      const wanted = this.#loading;
      try {
        const table = await this.#read();
        if (session !== this.#session) return;
        const before = this.#table;
        this.#table = table;
        this.#listener.listed(table, before !== null && continues(table, before));
        // It may have grown again while it was read.
        if (this.#loading !== wanted) continue;
        this.#loading = null;
        return;
      } catch (error) {
        if (session !== this.#session) return;
        if (failedBecause(error, "expired")) return this.#listener.expired();
      }
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}
