/** The leader's side: publishes to the followers what happens, in numbered messages and heartbeats. It never keeps an order waiting. */
import type { Venue } from "#server/venue/venue.ts";
import { BEAT_MS, byCode, sealMessage } from "./message.ts";
import type { Channels, CodedJoined, LeaderItem } from "./message.ts";
import type { RedisLink } from "./redis-link.ts";

/** How often the orders in calls are published: trial prices change every few seconds. */
const JOINED_MS = 250;
/** Followers that missed the same message ask at the same time, and are answered together. */
const ASKED_MS = 50;

export interface PublisherDeps {
  link: RedisLink;
  channels: Channels;
  /** The epoch of this leader: followers ignore one of an earlier epoch. */
  epoch: number;
  /** Seals its messages. */
  key: string;
  /** Whether this server still leads: one that may have been replaced tells nothing more. */
  leads: () => boolean;
  venue: Venue;
  /** Rows with members' orders on the board. */
  rowsWithOrders: () => Iterable<number>;
}

export class Publisher {
  readonly #deps: PublisherDeps;
  #n = 0;
  #sent = 0;
  #items: LeaderItem[] = [];
  /** Rows whose orders have changed since they were published. */
  readonly #changed = new Set<number>();
  readonly #timers: NodeJS.Timeout[] = [];
  #asked: NodeJS.Timeout | null = null;
  #off: (() => void) | undefined;

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
  }

  /** Starts heartbeats, and publishing what members do to the market. */
  start(): void {
    const { link, channels, venue } = this.#deps;
    this.#off = venue.effects?.onEffect((effect) => {
      if ("taken" in effect) return this.publish({ taken: byCode(venue, effect.taken) });
      const { trades, fills, stored } = effect.reported;
      this.publish({
        reported: { trades: trades.map((each) => byCode(venue, each)), fills: fills.map((each) => byCode(venue, each)), stored },
      });
    });
    link.subscribe(channels.ask, () => {
      this.#asked ??= setTimeout(() => {
        this.#asked = null;
        this.#publishBooks();
      }, ASKED_MS);
    });
    this.#timers.push(
      setInterval(() => this.#send(this.#n, []), BEAT_MS),
      setInterval(() => this.#publishJoined(), JOINED_MS),
    );
  }

  /** Publishes something together with all else of this turn of the event loop. */
  publish(item: LeaderItem): void {
    if (this.#items.length === 0) setImmediate(() => this.#flush());
    this.#items.push(item);
  }

  /** Members' orders on the board of a row have changed. */
  ordersChanged(row: number): void {
    this.#changed.add(row);
  }

  stop(): void {
    this.#off?.();
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#asked) clearTimeout(this.#asked);
    this.#flush();
  }

  #flush(): void {
    if (this.#items.length === 0) return;
    this.#n += 1;
    this.#send(this.#n, this.#items.splice(0));
  }

  #send(n: number, items: LeaderItem[]): void {
    const { link, channels, epoch, key, leads } = this.#deps;
    if (!leads()) return;
    this.#sent += 1;
    link.publish(channels.leader, sealMessage({ epoch, n, sent: this.#sent, items }, key));
  }

  #joinedOf(rows: Iterable<number>): CodedJoined[] {
    const { instruments, effects } = this.#deps.venue;
    return [...rows].map((row): CodedJoined => [instruments[row]?.code ?? "", effects?.joined(row) ?? null]);
  }

  #publishJoined(): void {
    if (this.#changed.size === 0) return;
    const joined = this.#joinedOf(this.#changed);
    this.#changed.clear();
    this.publish({ joined });
  }

  #publishBooks(): void {
    const { venue, rowsWithOrders } = this.#deps;
    const taken = (venue.effects?.taken() ?? []).map((each) => byCode(venue, each));
    this.publish({ books: { taken, joined: this.#joinedOf(rowsWithOrders()) } });
  }
}
