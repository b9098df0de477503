/** Tests that what is counted of wrong passwords, codes and exports goes on at the next leader, which counts in the same Redis. */
import process from "node:process";
import { createClient } from "@redis/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { EXPORTS_A_DAY } from "#contract/privacy.ts";
import { openDatabase } from "#server/db/database.ts";
import { hasRedis, startRedis } from "#tests/support/redis.ts";
import { schemaName } from "#tests/support/run.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";

const databaseUrl = process.env["DATABASE_URL"] ?? "";

describe.runIf(databaseUrl !== "" && hasRedis)("the next leader", () => {
  const databaseSchema = schemaName();
  let redis: Awaited<ReturnType<typeof startRedis>>;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
    const db = await openDatabase({ dataDir: null, databaseUrl, schema: databaseSchema, poolSize: 1 });
    await db.kysely.schema.dropSchema(databaseSchema).cascade().execute();
    await db.close();
  });

  /** Leads until `work` is done. */
  async function lead<Result>(work: (leader: TestServer) => Promise<Result>): Promise<Result> {
    const client = await createClient({ url: redis.url }).connect();
    const leader = await startTestServer({ databaseUrl, databaseSchema, redisUrl: redis.url, demo: "private" });
    try {
      let beats = 0;
      await client.pSubscribe("*", () => (beats += 1));
      // Before it reaches Redis it counts for itself.
      await vi.waitUntil(() => beats > 0, { timeout: 20_000, interval: 20 });
      return await work(leader);
    } finally {
      client.destroy();
      await leader.stop();
    }
  }

  it("goes on counting the codes that are asked for, and exports", async () => {
    const code = async (leader: TestServer) => {
      const { idNumber } = leader.credentials;
      const reply = await leader.call("requestPasswordCode", { idNumber, mobile: "0912345678" });
      return reply.status === 0 ? reply.code : "OK";
    };
    const exported = async (leader: TestServer, as: Headers) => {
      const reply = await leader.call("exportData", { current: leader.credentials.password }, as);
      return reply.status === 0 ? reply.code : "OK";
    };
    const session = await lead(async (leader) => {
      const one = await leader.enter();
      for (let nth = 0; nth < 5; nth += 1) expect(await code(leader)).toBe("OK");
      for (let nth = 0; nth < EXPORTS_A_DAY; nth += 1) expect(await exported(leader, one)).toBe("OK");
      return one;
    });
    await lead(async (leader) => {
      expect([await code(leader), await exported(leader, session)]).toEqual(["GEN_TOO_FREQUENT", "GEN_TOO_FREQUENT"]);
    });
  }, 180_000);

  it("goes on counting the sign-in passwords that a stolen session tries", async () => {
    const guess = async (leader: TestServer, current: string, as: Headers): Promise<string> => {
      const reply = await leader.call("changePassword", { current, password: "amber-lighthouse", confirmation: "amber-lighthouse" }, as);
      return reply.status === 0 ? reply.code : "OK";
    };
    const stolen = await lead(async (leader) => {
      const session = await leader.enter();
      for (let nth = 0; nth < 5; nth += 1) expect(await guess(leader, `wrong ${nth}`, session)).toBe("PWD_ORIGINAL_WRONG");
      return session;
    });
    await lead(async (leader) => {
      expect(await guess(leader, leader.credentials.password, stolen)).toBe("GEN_TOO_FREQUENT");
    });
  }, 180_000);
});
