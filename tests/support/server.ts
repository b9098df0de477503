/** A real server for a test, on a database of its own; and a caller that speaks the contract. */
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
import type { RunningServer } from "#server/server.ts";
import { fillDataDir } from "./template.ts";
import { testMarket } from "./test-universe.ts";
import type { ServerOverrides } from "./test-universe.ts";
import { openTestDatabase } from "./test-database.ts";

/** The two headers of a signed-in caller. */
export interface Headers {
  token: string;
  account: string;
}

export interface TestServer extends RunningServer {
  /** Call an endpoint as whoever the headers say. */
  call<Name extends EndpointName>(name: Name, body: Asked<Name>, as?: Headers): Promise<Reply<Answer<Name>>>;
  /** Post anything to an endpoint; the body is sent as it is. */
  post(name: EndpointName, body: string, as?: Headers): Promise<{ http: number; reply: Reply<unknown> }>;
  /** A new session of the demo member (verified, with money), or of the other one (neither), without asking for a password. */
  enter(which?: "verified" | "unverified"): Promise<Headers>;
  /** What the demo member signs in with. */
  credentials: Asked<"signIn">;
}

/** A test asks as fast as it can; those of the limits set their own. */
export const PATIENT: Limits = {
  ...LIMITS,
  readsPerMember: { points: 1_000_000, seconds: 5 },
  readsPerAddress: { points: 1_000_000, seconds: 5 },
  strangersPerAddress: { points: 1_000_000, seconds: 5 },
  readsWaiting: 1_000_000,
};

/** Start a server, silent and on any port, with a small market; in a folder if one is given, else on an empty database. Stop it when done. */
export async function startTestServer(overrides: ServerOverrides = {}): Promise<TestServer> {
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
  const server = await startServer(config, config.dataDir === null && config.databaseUrl === null ? await openTestDatabase() : undefined);

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
