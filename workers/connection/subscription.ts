/** Keeps the server's view of this client up to date: derived from the screen, sent at most every 50 ms, one at a time, resent after a gap. */
import type { ChannelRequests } from "#contract/channel.ts";
import { MAX_WATCHED } from "#contract/quote.ts";
import type { RankView } from "#contract/quote.ts";
import type { View, ViewSnapshot } from "#contract/kernel/push.ts";

/** Maximum number of rows that get the fast batch interval. */
export const DETAIL_ROWS = 12;
/** How long screen changes are collected before a view is sent. */
export const GATHER_MS = 50;
/** An unacknowledged view is resent after this long. */
export const ACK_TIMEOUT_MS = 2_000;

export interface Shown {
  /** Rows, most important first. */
  rows: Iterable<number>;
  ranks: readonly RankView[];
  channels: ChannelRequests;
  slow: boolean;
  saving: boolean;
  hidden: boolean;
  all: boolean;
}

/** The view for what is shown. A hidden page watches nothing and only receives heartbeats. */
export function viewOf(shown: Shown): View {
  if (shown.hidden) return { rows: [], ranks: [], channels: {}, beatMs: 1000, all: false };
  const rows = [...new Set(shown.rows)].slice(0, MAX_WATCHED);
  const detail = rows.length <= DETAIL_ROWS || shown.channels.depth !== undefined || shown.all;
  const beatMs = shown.saving ? 1000 : detail && !shown.slow ? 100 : 250;
  return { rows, ranks: shown.ranks.slice(0, 8), channels: shown.channels, beatMs, all: shown.all };
}

/** Sends a view and resolves with its snapshot; rejects when the connection is down or the acknowledgement times out. */
export type SendView = (view: View) => Promise<ViewSnapshot>;

export class SubscriptionKeeper {
  readonly #makeView: () => View | null;
  readonly #onSnapshot: (snapshot: ViewSnapshot, view: View) => void;
  #send: SendView | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #inFlight = false;
  #changedInFlight = false;
  #lastSent = "";
  /** The expected number of the next batch; null until a snapshot has arrived since the connection opened. */
  #nextNumber: number | null = null;

  /** `makeView` returns the wanted view (null: not known yet); `onSnapshot` receives each snapshot. */
  constructor(makeView: () => View | null, onSnapshot: (snapshot: ViewSnapshot, view: View) => void) {
    this.#makeView = makeView;
    this.#onSnapshot = onSnapshot;
  }

  /** The connection opened (or closed, with null); the server has no view for a new connection. */
  onConnection(send: SendView | null): void {
    this.#send = send;
    this.#nextNumber = null;
    this.#inFlight = false;
    this.#lastSent = "";
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (send) void this.#sendView();
  }

  /** Something on screen changed. */
  changed(): void {
    if (this.#send === null || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#sendView();
    }, GATHER_MS);
  }

  /** Takes the number of an arrived batch. Returns whether it was the expected one; otherwise a snapshot is requested. */
  arrived(n: number): boolean {
    const expected = this.#nextNumber;
    this.#nextNumber = n + 1;
    if (expected === null || n === expected) return true;
    this.requestSnapshot();
    return false;
  }

  /** Requests a snapshot even though nothing changed. */
  requestSnapshot(): void {
    this.#lastSent = "";
    this.changed();
  }

  async #sendView(): Promise<void> {
    const send = this.#send;
    const view = this.#makeView();
    if (send === null || view === null) return;
    if (this.#inFlight) {
      this.#changedInFlight = true;
      return;
    }
    const serialized = JSON.stringify(view);
    if (serialized === this.#lastSent) return;
    this.#lastSent = serialized;
    this.#inFlight = true;
    this.#changedInFlight = false;
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
      this.#nextNumber = snapshot.n + 1;
      this.#onSnapshot(snapshot, view);
    }
    if (failed) this.requestSnapshot();
    else if (this.#changedInFlight) this.changed();
  }
}
