/** An in-process server on its own database, and a typed client for it. */
import { endpoints } from "#contract/endpoints.ts";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import type { Limits } from "#server/kernel/limits.ts";
import { DEMO_GUARANTEE_CODE, DEMO_MEMBER, DEMO_PASSWORD, DEMO_UNVERIFIED } from "#server/ops/seed.ts";
import { startServer } from "#server/server.ts";
import type { Given, RunningServer } from "#server/server.ts";
import { fillDataDir } from "./template.ts";
import { testMarket } from "./test-universe.ts";
import type { ServerOverrides } from "./test-universe.ts";
import { openTestDatabase } from "./test-database.ts";

/** Headers of a signed-in caller. */
export interface Headers {
  token: string;
  account: string;
}

export interface TestServer extends RunningServer {
  /** Calls an endpoint with the session of the given headers. */
  call<Name extends EndpointName>(name: Name, body: Asked<Name>, as?: Headers): Promise<Reply<Answer<Name>>>;
  /** Posts a raw body to an endpoint. */
  post(name: EndpointName, body: string, as?: Headers): Promise<{ http: number; reply: Reply<unknown> }>;
  /** Opens a session of the demo member (verified, with money) or of the unverified one (no money), without a password. */
  enter(which?: "verified" | "unverified"): Promise<Headers>;
  /** Credentials of the demo member. */
  credentials: Asked<"signIn">;
}

/** Limits high enough for tests that send as fast as they can; tests of the limits set their own. */
export const PATIENT: Limits = {
  ...LIMITS,
  readsPerMember: { points: 1_000_000, seconds: 5 },
  readsPerAddress: { points: 1_000_000, seconds: 5 },
  unknownTokensPerAddress: { points: 1_000_000, seconds: 5 },
  readsWaiting: 1_000_000,
};

/** Starts a silent server on a free port with a small market, in the given folder or on an empty database. The caller stops it. */
export async function startTestServer(overrides: ServerOverrides = {}, given: Given = {}): Promise<TestServer> {
  const config: ServerConfig = {
    ...readConfig({}),
    limits: PATIENT,
    port: 0,
    dataDir: null,
    logLevel: "silent",
    ...overrides,
    venue: testMarket(overrides.venue),
  };
  if (config.dataDir !== null && config.databaseUrl === null) await fillDataDir(config.dataDir);
  const isInMemory = config.dataDir === null && config.databaseUrl === null;
  const server = await startServer(config, isInMemory ? { ...given, database: given.database ?? (await openTestDatabase()) } : given);

  const post = async (name: EndpointName, body: string, as?: Headers): Promise<{ http: number; reply: Reply<unknown> }> => {
    const answer = await fetch(`${server.url}${BASE_PATH}${endpoints[name].path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...as },
      body,
    });
    return { http: answer.status, reply: (await answer.json()) as Reply<unknown> };
  };

  return {
    ...server,
    post,
    credentials: { idNumber: DEMO_MEMBER.idNumber, password: DEMO_PASSWORD, guaranteeCode: DEMO_GUARANTEE_CODE },
    call: async (name, body, as) => (await post(name, JSON.stringify(body), as)).reply as Reply<Answer<typeof name>>,
    async enter(which = "verified") {
      const { account } = which === "verified" ? DEMO_MEMBER : DEMO_UNVERIFIED;
      const { id } = await server.db.kysely.selectFrom("member").select("id").where("account", "=", account).executeTakeFirstOrThrow();
      const { token } = await server.sessions.open(id, "test");
      return { token, account };
    },
  };
}
