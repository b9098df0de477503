/** Publishes the news editions of the simulated market as they fall due, and makes up for missed ones from the market's history. */
import { DAY_MS, SECOND_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { Venue } from "#server/venue/venue.ts";
import { CLOSING, dueAt, momentOf } from "./edition.ts";
import type { Session } from "./edition.ts";
import { discardBefore, publishEdition, publishedSince } from "./publish.ts";
import { reportsOf } from "./report.ts";

export interface NewsroomDeps {
  db: Database;
  venue: Venue;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called with errors; the next run tries again. */
  report?: ((error: unknown) => void) | undefined;
}

/** Number of sessions before the current one to make up for. */
const PAST_SESSIONS = 5;
/** How long an article is kept. */
const RETENTION_MS = 60 * DAY_MS;
/** Delay after the start of the server, so that catching up does not slow it down. */
const START_AFTER_MS = 6 * SECOND_MS;
const EVERY_MS = 15 * SECOND_MS;

export class Newsroom {
  readonly #deps: NewsroomDeps;
  readonly #published = new Set<string>();
  #universe: string | null = null;
  #stopped = false;
  #publishing: Promise<void> = Promise.resolve();

  constructor(deps: NewsroomDeps) {
    this.#deps = deps;
  }

  /** The current session and those before it, the newest first. */
  #sessions(now: number): Session[] {
    const sessions: Session[] = [];
    let at = now;
    for (let nth = 0; nth <= PAST_SESSIONS; nth += 1) {
      const { opensAt, closesAt } = this.#deps.venue.state(at);
      sessions.push({ opensAt, closesAt });
      at = taipeiMidnight(taipeiDay(opensAt)) - 1;
    }
    return sessions;
  }

  async #loadPublished(universe: string, sessions: readonly Session[]): Promise<void> {
    if (this.#universe === universe) return;
    const oldest = Math.min(...sessions.map(({ opensAt }) => taipeiDay(opensAt)));
    for (const { day, nth } of await publishedSince(this.#deps.db, universe, oldest)) this.#published.add(`${day} ${nth}`);
    this.#universe = universe;
  }

  /** Publishes every due edition not published yet, the current session's first. Rejects when the past cannot be read. */
  async publishDue(): Promise<void> {
    const { db, venue, now } = this.#deps;
    const universe = marketName(venue.state(now()));
    const sessions = this.#sessions(now());
    await this.#loadPublished(universe, sessions);
    for (const [nthSession, session] of sessions.entries()) {
      const day = taipeiDay(session.opensAt);
      for (const nth of dueAt(now(), session, nthSession > 0)) {
        if (this.#stopped) return;
        if (this.#published.has(`${day} ${nth}`)) continue;
        const at = momentOf(nth, session);
        // The report of the close waits for those that are put off.
        if (nth === CLOSING && venue.instruments.some(({ row }) => venue.lateClose(row, now()))) continue;
        const replay = await venue.replaySession(session.opensAt, at === session.closesAt ? now() : at);
        // A market that cannot replay its sessions gets no news.
        if (!replay || this.#stopped) return;
        this.#publishing = publishEdition(
          db,
          { universe, day, nth, at },
          reportsOf({ instruments: venue.instruments, categories: venue.categories, replay }, nth),
        );
        await this.#publishing;
        this.#published.add(`${day} ${nth}`);
        if (nth === CLOSING) await discardBefore(db, now() - RETENTION_MS);
      }
    }
  }

  /** Stops publishing; resolves when the edition in progress is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#publishing.catch(() => undefined);
  }
}

/** Starts the newsroom, a while after the server. @returns a function that stops it after the edition in progress */
export function startNewsroom(deps: NewsroomDeps): () => Promise<void> {
  const newsroom = new Newsroom(deps);
  let timer: ReturnType<typeof setTimeout> | null = null;
  let stopped = false;
  const next = (delayMs: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      newsroom
        .publishDue()
        .catch((error: unknown) => (stopped ? undefined : deps.report?.(error)))
        .finally(() => next(EVERY_MS));
    }, delayMs);
    timer.unref();
  };
  next(START_AFTER_MS);
  return () => {
    stopped = true;
    if (timer) clearTimeout(timer);
    return newsroom.stop();
  };
}
