/** Servers as separate processes, so that tests can kill them. */
import { once } from "node:events";
import { endpoints } from "#contract/endpoints.ts";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { forkServer } from "./server-log.ts";
import { fillDataDir } from "./template.ts";
import { testMarket } from "./test-universe.ts";
import type { ServerOverrides } from "./test-universe.ts";

const BEGINS_AT_MS = 11 * HOUR_MS;
/**
 * What a server's clock has to be ahead of the real one, for tests that trade a market which is open round the clock: it begins late in the
 * morning, because right after midnight nothing was traded yet. The same for all servers of a test file: each goes on where the last was killed.
 */
export const LATE_MORNING_MS = taipeiMidnight(taipeiDay(Date.now())) + BEGINS_AT_MS - Date.now();

export interface ServerProcess {
  url: string;
  /** Calls an endpoint; null when the server died before it answered. */
  call<Name extends EndpointName>(
    name: Name,
    body: Asked<Name>,
    as?: { token: string; account: string },
  ): Promise<Reply<Answer<Name>> | null>;
  /** Sends SIGKILL and waits for the process to end. */
  kill(): Promise<void>;
  /** Stops the server gracefully. */
  stop(): Promise<void>;
}

/** Starts a server process whose clock is ahead of the real one. Rejects when it ends before it listens. */
export async function spawnServer(overrides: ServerOverrides, aheadMs = 0): Promise<ServerProcess> {
  if (overrides.dataDir && !overrides.databaseUrl) await fillDataDir(overrides.dataDir);
  const child = forkServer({ ...overrides, venue: testMarket(overrides.venue) }, aheadMs, ["--liftoff-only"]);
  const gone = once(child, "exit");
  const url = await new Promise<string>((done, fail) => {
    child.once("message", (said) => done((said as { url: string }).url));
    child.once("exit", (code) => fail(new Error(`the server ended with ${code} before it listened`)));
  });

  return {
    url,
    async call(name, body, as) {
      try {
        const answer = await fetch(url + BASE_PATH + endpoints[name].path, {
          method: "POST",
          headers: { "content-type": "application/json", ...as },
          body: JSON.stringify(body),
        });
        return (await answer.json()) as Reply<Answer<typeof name>>;
      } catch {
        return null;
      }
    },
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
    async stop() {
      child.send("stop");
      await gone;
    },
  };
}
