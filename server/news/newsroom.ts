/** The newsroom: it follows the simulated market from edition to edition, and catches up on what it missed from the market's own history. */
import { DAY_MS, SECOND_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
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
  /** Told of faults; the next round tries again. */
  report?: ((error: unknown) => void) | undefined;
}

/** Sessions before the current one that are caught up on. */
const PAST_SESSIONS = 5;
/** How long an article is kept. */
const KEPT_MS = 60 * DAY_MS;
/** The server starts first; members may already be looking around when the past is written up. */
const START_AFTER_MS = 6 * SECOND_MS;
const EVERY_MS = 15 * SECOND_MS;

export class Newsroom {
  readonly #deps: NewsroomDeps;
  readonly #printed = new Set<string>();
  #universe: string | null = null;
  #stopped = false;
  #printing: Promise<void> = Promise.resolve();

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

  async #recall(universe: string, sessions: readonly Session[]): Promise<void> {
    if (this.#universe === universe) return;
    const oldest = Math.min(...sessions.map(({ opensAt }) => taipeiDay(opensAt)));
    for (const { day, nth } of await publishedSince(this.#deps.db, universe, oldest)) this.#printed.add(`${day} ${nth}`);
    this.#universe = universe;
  }

  /** Print every edition that is due and was not printed yet, the current session's first. Rejects when the past cannot be read. */
  async round(): Promise<void> {
    const { db, venue, now } = this.#deps;
    const { universe } = venue.state(now());
    const sessions = this.#sessions(now());
    await this.#recall(universe, sessions);
    for (const [nthSession, session] of sessions.entries()) {
      const day = taipeiDay(session.opensAt);
      for (const nth of dueAt(now(), session, nthSession > 0)) {
        if (this.#stopped) return;
        if (this.#printed.has(`${day} ${nth}`)) continue;
        const at = momentOf(nth, session);
        const review = await venue.review(session.opensAt, at);
        // A market that cannot look back is not written about.
        if (!review || this.#stopped) return;
        this.#printing = publishEdition(
          db,
          { universe, day, nth, at },
          reportsOf({ instruments: venue.instruments, categories: venue.categories, review }, nth),
        );
        await this.#printing;
        this.#printed.add(`${day} ${nth}`);
        if (nth === CLOSING) await discardBefore(db, now() - KEPT_MS);
      }
    }
  }

  /** Print nothing more; resolves when what is being printed is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#printing.catch(() => undefined);
  }
}

/** Open the newsroom, a while after the server. @returns how to close it; what is being printed is finished */
export function startNewsroom(deps: NewsroomDeps): () => Promise<void> {
  const newsroom = new Newsroom(deps);
  let timer: ReturnType<typeof setTimeout> | null = null;
  let stopped = false;
  const next = (delayMs: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      newsroom
        .round()
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
