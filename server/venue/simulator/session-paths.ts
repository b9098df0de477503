/** The paths of the current session and, built a few at a time while it ends, of the next one; and what the exchange watches in that. */
import { isTradedIn } from "./daily-process.ts";
import { Path } from "./intraday-path.ts";
import { DailyProcessReader } from "./seeded-market.ts";
import type { SeededMarket } from "./seeded-market.ts";
import { UNWATCHED } from "./watch-list.ts";
import type { Watch } from "./watch-list.ts";

/** Rows prepared for the next session per update. */
const PREPARED_PER_UPDATE = 32;

export class SessionPaths {
  readonly #market: SeededMarket;
  readonly #count: number;
  /** By row: the reader that has read the latest path of it. */
  readonly #readers: (DailyProcessReader | null)[];
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
    const isNext = session === this.#session + 1;
    // Readers that have already advanced can only serve the session they advanced to.
    const ready = isNext ? this.#next : [];
    if (!isNext) this.#readers.fill(null);
    this.#next = [];
    this.#current = Array.from({ length: this.#count }, (_, row) =>
      row < ready.length ? (ready[row] ?? null) : this.#build(row, session, isNext),
    );
    this.#session = session;
  }

  /** Builds some more paths of the next session, so that its first update is not slow. */
  prepare(): void {
    const end = Math.min(this.#count, this.#next.length + PREPARED_PER_UPDATE);
    for (let row = this.#next.length; row < end; row += 1) this.#next.push(this.#build(row, this.#session + 1, true));
  }

  /** The row's reader must be positioned just before the session, or is replaced. */
  #build(row: number, session: number, isNext: boolean): Path | null {
    const model = this.#market.models[row];
    if (!model || !isTradedIn(model, session)) return null;
    const reader = (isNext ? this.#readers[row] : null) ?? new DailyProcessReader(model, session);
    this.#readers[row] = reader;
    return new Path(model, reader.next(), this.#market.sessionProfile(session));
  }

  /** What the exchange watches a row as in the current session or, as it follows from the closes of that, the next one. */
  watch(row: number, session: number): Watch {
    if (session === this.#session) return this.of(row)?.day.watch ?? UNWATCHED;
    if (row < this.#next.length) return this.#next[row]?.day.watch ?? UNWATCHED;
    return this.#readers[row]?.watchNext ?? UNWATCHED;
  }
}
