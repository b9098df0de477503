/** Servers as real processes, for what only a real process can show: being killed in the middle of its work. */
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
  /** Call an endpoint; null when no answer came, because the server died first. */
  call<Name extends EndpointName>(
    name: Name,
    body: Asked<Name>,
    as?: { token: string; account: string },
  ): Promise<Reply<Answer<Name>> | null>;
  /** kill -9, and wait until it is gone. */
  kill(): Promise<void>;
  /** An orderly end. */
  stop(): Promise<void>;
}

/** Start a server process. Rejects when it ends before it listens. */
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
