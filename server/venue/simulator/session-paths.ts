/** The paths of the current session and, built a few at a time while it ends, of the next one; and what the exchange watches in that. */
import { isTradedIn } from "./daily-process.ts";
import type { InstrumentModel } from "./daily-process.ts";
import { Path } from "./intraday-path.ts";
import { DailyProcessReader } from "./seeded-market.ts";
import type { SeededMarket } from "./seeded-market.ts";
import { UNWATCHED } from "./watch-list.ts";
import type { Watch } from "./watch-list.ts";

/** Rows prepared for the next session per update. */
const PREPARED_PER_UPDATE = 32;

/** A reader, and the latest session that it has read. */
interface Read {
  readonly reader: DailyProcessReader;
  read: number;
}

export class SessionPaths {
  readonly #market: SeededMarket;
  readonly #count: number;
  /** By row: the reader of its latest path. */
  readonly #readers: (Read | null)[];
  #session = -1;
  #current: (Path | null)[];
  #next: (Path | null)[] = [];

  constructor(market: SeededMarket, count: number) {
    this.#market = market;
    this.#count = count;
    this.#readers = Array.from({ length: count }, () => null);
    this.#current = Array.from({ length: count }, () => null);
  }

  /** The path of a row; null where it has none. */
  of(row: number): Path | null {
    return this.#current[row] ?? null;
  }

  all(): readonly (Path | null)[] {
    return this.#current;
  }

  begin(session: number): void {
    const ready = session === this.#session + 1 ? this.#next : [];
    this.#next = [];
    this.#current = Array.from({ length: this.#count }, (_, row) =>
      row < ready.length ? (ready[row] ?? null) : this.#build(row, session),
    );
    this.#session = session;
  }

  /** Builds some more paths of the next session, so that its first update is not slow. */
  prepare(): void {
    const end = Math.min(this.#count, this.#next.length + PREPARED_PER_UPDATE);
    for (let row = this.#next.length; row < end; row += 1) this.#next.push(this.#build(row, this.#session + 1));
  }

  #build(row: number, session: number): Path | null {
    const model = this.#market.models[row];
    const known = model && isTradedIn(model, session) ? this.#readerBefore(row, model, session) : null;
    this.#readers[row] = known;
    if (!known || !model) return null;
    known.read = session;
    return new Path(model, known.reader.next(), this.#market.sessionProfile(session));
  }

  /**
   * A row's reader that has read all before a session. One that is behind goes on: a new one would begin at the first session ever, which after a
   * night's sleep of the process is far behind where days are short.
   */
  #readerBefore(row: number, model: InstrumentModel, session: number): Read {
    const known = this.#readers[row];
    if (!known || known.read >= session) return { reader: new DailyProcessReader(model, session), read: session - 1 };
    for (; known.read < session - 1; known.read += 1) known.reader.skip();
    return known;
  }

  /** What the exchange watches a row as in the current session or, as it follows from the closes of that, the next one. */
  watch(row: number, session: number): Watch {
    if (session === this.#session) return this.of(row)?.day.watch ?? UNWATCHED;
    if (row < this.#next.length) return this.#next[row]?.day.watch ?? UNWATCHED;
    return this.#readers[row]?.reader.watchNext ?? UNWATCHED;
  }
}
