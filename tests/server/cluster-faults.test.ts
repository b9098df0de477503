/**
 * Tests a cluster under mixed load while its parts fail: the leader is killed and stands still, links to Redis and PostgreSQL are cut, slow
 * or hold everything back, Redis is away, PostgreSQL restarts and fails over to its synchronous replica. After each fault everything that was
 * acknowledged is stored once, the books are right, every socket has brought each fact in order, and every server shows the leader's market.
 * `TEST_SIZE=full` repeats the faults.
 */
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareMembers } from "#tests/support/cluster-members.ts";
import { ClusterProof } from "#tests/support/cluster-proof.ts";
import type { ClusterServer } from "#tests/support/cluster.ts";
import { startFaultyCluster } from "#tests/support/faulty-cluster.ts";
import type { FaultyCluster } from "#tests/support/faulty-cluster.ts";
import { hasOwnPostgres } from "#tests/support/own-postgres.ts";
import { hasOwnRedis } from "#tests/support/redis.ts";
import { isFull, sized } from "#tests/support/size.ts";
import { openStreamSpy } from "#tests/support/stream-spy.ts";

/** Faults to cause instead, and how often, each as long as in the full size: `FAULTS=kill:5,stop:2`. */
const given = process.env["FAULTS"];
const times = (name: string, everyday: number, full: number): number => {
  if (given === undefined) return sized(everyday, full);
  const found = given.split(",").find((each) => each.startsWith(`${name}:`));
  return Number(found?.slice(name.length + 1) ?? 0);
};
/** How long a link fails, and how long Redis is away. */
const isLong = isFull || given !== undefined;
const FAULT_MS = isLong ? 8_000 : 2_000;
const REDIS_AWAY_MS = isLong ? 60_000 : 2_500;
const LATE_MS = 300;
/** One fault under load, and the proof after it. */
const LIMIT_MS = 600_000;

describe.runIf(process.env["DATABASE_URL"] && hasOwnPostgres && hasOwnRedis)("a cluster whose parts fail", () => {
  let cluster: FaultyCluster;
  let proof: ClusterProof;

  const follower = (): ClusterServer => {
    const [one] = cluster.followers();
    if (!one) throw new Error("nobody follows");
    return one;
  };

  const replaced = (leader: ClusterServer): Promise<void> =>
    proof.until(() => cluster.servers.some((each) => each !== leader && each.isLeading));

  beforeAll(async () => {
    let credentials: Awaited<ReturnType<typeof prepareMembers>> = [];
    cluster = await startFaultyCluster(async (url) => {
      credentials = await prepareMembers(url);
    });
    await cluster.settled();
    proof = await ClusterProof.open(cluster, credentials);
  }, LIMIT_MS);
  afterAll(async () => {
    await proof?.close();
    await cluster?.end();
  }, LIMIT_MS);

  /** Causes a fault some times, each under load; `fault` resolves when it is over. */
  const repeated = (name: string, count: number, title: string, fault: () => Promise<void>): void => {
    for (let nth = 1; nth <= count; nth += 1)
      it(count > 1 ? `${title}, ${nth} of ${count}` : title, () => proof.during(name, fault), LIMIT_MS);
  };

  repeated("kill", times("kill", 1, 20), "the leader is killed", async () => {
    const leader = cluster.leader();
    await leader.kill();
    proof.failed();
    await proof.until(() => cluster.servers.some(({ isLeading }) => isLeading));
    await proof.resumed();
  });

  repeated("stop", times("stop", 1, 10), "the leader stands still, and wakes when another one leads", async () => {
    const leader = cluster.leader();
    const spy = await openStreamSpy(cluster.redis.port);
    try {
      await proof.until(() => spy.epochs().length > 0);
      const { ends } = leader;
      leader.pause();
      proof.failed();
      await replaced(leader);
      await proof.resumed();
      const newest = proof.newestOrder();
      leader.resume();
      const answers: (string | undefined)[] = [];
      while (leader.ends === ends) answers.push(...(await proof.newestOf(leader)));
      // What it was asked before it had ended.
      expect(answers.filter((answer) => answer === undefined || answer < newest)).toEqual([]);
      expect(spy.disordered()).toEqual([]);
      expect(spy.epochs().length).toBeGreaterThan(1);
    } finally {
      leader.resume();
      await spy.close();
    }
  });

  repeated("pause", times("pause", 1, 5), "the leader stands still for a moment, and goes on", async () => {
    const leader = cluster.leader();
    leader.pause();
    proof.failed();
    await wait(1_500);
    leader.resume();
    leader.isLeading = true;
    await proof.resumed();
    // Orders may go on before its next batch of quotes is due.
    await proof.sends(leader);
  });

  repeated("followerRedis", times("followerRedis", 1, 5), "nothing comes from Redis to a follower, and all of it late", async () => {
    const link = cluster.toRedis(follower());
    link.hold();
    proof.failed();
    await wait(FAULT_MS);
    link.heal();
    await proof.resumed();
  });

  repeated("leaderRedis", times("leaderRedis", 1, 5), "the leader's link to Redis is cut", async () => {
    const link = cluster.toRedis(cluster.leader());
    link.cut();
    proof.failed();
    await wait(FAULT_MS);
    link.heal();
    await proof.resumed();
  });

  repeated(
    "leaderPostgres",
    times("leaderPostgres", 1, 5),
    "the leader does not reach PostgreSQL, and what it sent arrives when another one leads",
    async () => {
      const leader = cluster.leader();
      const link = cluster.toPostgres(leader);
      const { ends } = leader;
      link.hold();
      proof.failed();
      await replaced(leader);
      await proof.resumed();
      link.heal();
      await proof.until(() => leader.ends > ends);
    },
  );

  repeated("followerPostgres", times("followerPostgres", 1, 5), "a follower does not reach PostgreSQL", async () => {
    const link = cluster.toPostgres(follower());
    link.cut();
    proof.failed();
    await wait(FAULT_MS);
    link.heal();
    await proof.resumed();
  });

  repeated("late", times("late", 1, 5), "links are slow", async () => {
    const links = [cluster.toRedis(cluster.leader()), cluster.toRedis(follower()), cluster.toPostgres(follower())];
    for (const link of links) link.delay(LATE_MS);
    proof.failed();
    await wait(FAULT_MS);
    for (const link of links) link.heal();
    await proof.resumed();
  });

  repeated("redis", times("redis", 1, 2), "Redis stands still, goes on, and is then replaced by an empty one", async () => {
    cluster.redis.pause();
    proof.failed();
    await proof.resumed();
    await wait(REDIS_AWAY_MS);
    cluster.redis.resume();
    await wait(FAULT_MS);
    await cluster.redis.stop();
    await wait(isLong ? REDIS_AWAY_MS : 500);
    await cluster.redis.start();
  });

  repeated("restart", times("restart", 1, 3), "PostgreSQL restarts", async () => {
    proof.failed();
    await cluster.postgres.restart(500);
    await proof.resumed();
  });

  repeated("failOver", times("failOver", 1, 3), "PostgreSQL crashes, and its synchronous replica goes on", async () => {
    proof.failed();
    await cluster.postgres.failOver();
    cluster.lead();
    await proof.resumed();
    await cluster.postgres.replicate();
  });
});
