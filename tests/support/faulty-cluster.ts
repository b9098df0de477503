/** Three servers with a PostgreSQL and a Redis of their own, and a link to each of these that can fail. */
import { ClusterServer, serversOf } from "./cluster.ts";
import type { Servers } from "./cluster.ts";
import { openFaultyLink } from "./faulty-link.ts";
import type { FaultyLink } from "./faulty-link.ts";
import { startOwnPostgres } from "./own-postgres.ts";
import type { OwnPostgres } from "./own-postgres.ts";
import { freePort, startOwnRedis } from "./redis.ts";
import type { OwnRedis } from "./redis.ts";
import { testMarket } from "./test-universe.ts";

const SERVERS = 3;

export interface FaultyCluster extends Servers {
  postgres: OwnPostgres;
  redis: OwnRedis;
  /** Of a server. */
  toPostgres(server: ClusterServer): FaultyLink;
  toRedis(server: ClusterServer): FaultyLink;
  /** Leads every server to the primary of now. */
  lead(): void;
  end(): Promise<void>;
}

/** Starts them; `prepare` fills the database before. */
export async function startFaultyCluster(prepare: (databaseUrl: string) => Promise<void>): Promise<FaultyCluster> {
  const [postgres, redis] = [await startOwnPostgres(), await startOwnRedis()];
  await prepare(postgres.url());
  const servers: ClusterServer[] = [];
  const links = new Map<ClusterServer, { postgres: FaultyLink; redis: FaultyLink }>();
  const venue = testMarket({ seed: 1, rate: 50, hours: "always" });
  for (let nth = 0; nth < SERVERS; nth += 1) {
    const link = { postgres: await openFaultyLink(postgres.port(), "database"), redis: await openFaultyLink(redis.port, "redis") };
    const databaseUrl = `postgres://postgres@127.0.0.1:${link.postgres.port}/postgres`;
    const place = { dataDir: null, databaseUrl, redisUrl: `redis://127.0.0.1:${link.redis.port}`, standby: true };
    const server = new ClusterServer(await freePort(), { ...place, commandsPerSecond: 100_000, venue });
    servers.push(server);
    links.set(server, link);
  }
  const linkOf = (server: ClusterServer): { postgres: FaultyLink; redis: FaultyLink } => {
    const link = links.get(server);
    if (!link) throw new Error("not a server of this cluster");
    return link;
  };
  return {
    ...serversOf(servers),
    postgres,
    redis,
    toPostgres: (server) => linkOf(server).postgres,
    toRedis: (server) => linkOf(server).redis,
    lead() {
      for (const link of links.values()) link.postgres.lead(postgres.port());
    },
    async end() {
      for (const server of servers) await server.end();
      for (const link of links.values()) await Promise.all([link.postgres.close(), link.redis.close()]);
      await redis.stop();
      await postgres.close();
    },
  };
}
