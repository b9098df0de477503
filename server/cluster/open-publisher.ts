/** Opens the leader's side of a cluster: what is published to followers, and where they find the leader. */
import type { ServerConfig } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import type { LogFailure } from "#server/kernel/failure-log.ts";
import type { OpenLimiter } from "#server/kernel/limiter.ts";
import type { SessionStore } from "#server/api/session-store.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Publisher } from "./publisher.ts";
import { beginRow, writeAddress } from "./leader-row.ts";
import { channelsOf } from "./message.ts";
import type { LeaderItem } from "./message.ts";
import { openRedisLink } from "./redis-link.ts";

export interface OpenPublisherDeps {
  db: Database;
  venue: Venue;
  sequencer: Pick<Sequencer, "onOrders" | "orderBook">;
  sessions: Pick<SessionStore, "onEnd">;
  logFailure: LogFailure;
}

export interface LeaderPublisher {
  /** By this key the leader knows that a call was forwarded by a follower. */
  forwardKey: string;
  publish(item: LeaderItem): void;
  /** Opens limiters that go on where the leader before left off. */
  openLimiter: OpenLimiter;
  /** Writes down where the leader is reached. */
  listens(port: number): Promise<void>;
  stop(): void;
}

/** Begins to publish to followers. */
export async function openPublisher(config: ServerConfig, deps: OpenPublisherDeps): Promise<LeaderPublisher> {
  const { db, venue, sequencer, sessions, logFailure } = deps;
  const { epoch, key } = await beginRow(db);
  const link = openRedisLink(config.redisUrl ?? "", (error) => logFailure(error, "Redis does not answer"));
  const rowsWithOrders = (): Iterable<number> => sequencer.orderBook.rows("board");
  const channels = await channelsOf(db.kysely);
  const publisher = new Publisher({ link, channels, epoch, key, leads: () => db.writable(), venue, rowsWithOrders });
  const offs = [
    sessions.onEnd((hash, why) => publisher.publish({ ended: [hash, why] })),
    sequencer.onOrders((orders) => {
      for (const { code } of orders) {
        const row = venue.instrument(code)?.row;
        if (row !== undefined) publisher.ordersChanged(row);
      }
    }),
  ];
  publisher.start();
  return {
    forwardKey: key,
    publish: (item) => publisher.publish(item),
    openLimiter: link.limitersOf(channels.limits),
    listens: (port) => writeAddress(db, { ...config, epoch }, port),
    stop() {
      for (const off of offs) off();
      publisher.stop();
      link.close();
    },
  };
}
