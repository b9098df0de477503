/** Servers as separate processes, so that tests can kill them. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { endpoints } from "#contract/endpoints.ts";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { fillDataDir } from "./template.ts";
import { testMarket } from "./test-universe.ts";
import type { ServerOverrides } from "./test-universe.ts";

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

/** Starts a server process. Rejects when it ends before it listens. */
export async function spawnServer(overrides: ServerOverrides): Promise<ServerProcess> {
  if (overrides.dataDir && !overrides.databaseUrl) await fillDataDir(overrides.dataDir);
  const child = fork(join(import.meta.dirname, "server-child.ts"), [JSON.stringify({ ...overrides, venue: testMarket(overrides.venue) })], {
    execArgv: ["--liftoff-only"],
  });
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
