/** What the server is told to watch: made from what is on screen, sent at most once per 50 ms, one at a time, again after a gap. */
import { MAX_WATCHED } from "#contract/quote.ts";
import type { RankView } from "#contract/quote.ts";
import type { View, ViewSnapshot } from "#contract/kernel/push.ts";

/** Rows on screen up to which the faster beat is worth it. */
export const DETAIL_ROWS = 12;
/** How long changes of what is on screen are gathered. */
export const GATHER_MS = 50;
/** A view without an acknowledgement is sent again after this long. */
export const ACK_TIMEOUT_MS = 2_000;

export interface Shown {
  /** Rows, most important first. */
  rows: Iterable<number>;
  ranks: readonly RankView[];
  depth: number | null;
  tape: number | null;
  index: number | null;
  heat: boolean;
  slow: boolean;
  saving: boolean;
  hidden: boolean;
  all: boolean;
}

/** The view for what is shown. A hidden page watches nothing and only stays in touch. */
export function viewOf(shown: Shown): View {
  if (shown.hidden) return { rows: [], ranks: [], depth: null, tape: null, index: null, heat: false, beatMs: 1000, all: false };
  const rows = [...new Set(shown.rows)].slice(0, MAX_WATCHED);
  const detail = rows.length <= DETAIL_ROWS || shown.depth !== null || shown.all;
  const beatMs = shown.saving ? 1000 : detail && !shown.slow ? 100 : 250;
  const { depth, tape, index, heat, all } = shown;
  return { rows, ranks: shown.ranks.slice(0, 8), depth, tape, index, heat, beatMs, all };
}

/** Sends a view and resolves with its snapshot; rejects when the line is down or the answer does not come. */
export type SendView = (view: View) => Promise<ViewSnapshot>;

export class SubscriptionKeeper {
  readonly #make: () => View | null;
  readonly #taken: (snapshot: ViewSnapshot, view: View) => void;
  #send: SendView | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #inFlight = false;
  #again = false;
  #saidLast = "";
  /** The number the next batch must have; null while no snapshot was taken since the line opened. */
  #next: number | null = null;

  /** `make` says what is wanted now (null: not known yet); `taken` receives each snapshot. */
  constructor(make: () => View | null, taken: (snapshot: ViewSnapshot, view: View) => void) {
    this.#make = make;
    this.#taken = taken;
  }

  /** The line opened (or closed, with null): what was said over the one before is forgotten there. */
  line(send: SendView | null): void {
    this.#send = send;
    this.#next = null;
    this.#inFlight = false;
    this.#saidLast = "";
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (send) void this.#say();
  }

  /** Something on screen changed. */
  changed(): void {
    if (this.#send === null || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#say();
    }, GATHER_MS);
  }

  /** A batch came with number `n`. Returns whether it is the one after the last; if not, a snapshot is asked for. */
  arrived(n: number): boolean {
    const expected = this.#next;
    this.#next = n + 1;
    if (expected === null || n === expected) return true;
    this.again();
    return false;
  }

  /** Ask for a snapshot even though nothing changed. */
  again(): void {
    this.#saidLast = "";
    this.changed();
  }

  async #say(): Promise<void> {
    const send = this.#send;
    const view = this.#make();
    if (send === null || view === null) return;
    if (this.#inFlight) {
      this.#again = true;
      return;
    }
    const words = JSON.stringify(view);
    if (words === this.#saidLast) return;
    this.#saidLast = words;
    this.#inFlight = true;
    this.#again = false;
    let failed = false;
    let snapshot: ViewSnapshot | null = null;
    try {
      snapshot = await send(view);
    } catch {
      failed = true;
    }
    if (send !== this.#send) return;
    this.#inFlight = false;
    if (snapshot) {
      this.#next = snapshot.n + 1;
      this.#taken(snapshot, view);
    }
    if (failed) this.again();
    else if (this.#again) this.changed();
  }
}
