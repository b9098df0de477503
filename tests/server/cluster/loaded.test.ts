/** Tests that a server without Redis loads nothing of what followers need. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..");

/** Everything that a file loads when it is loaded itself, as it is imported. */
function loadedBy(first: string): Set<string> {
  const loaded = new Set<string>();
  const look = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    if (!name.startsWith("#")) return;
    const text = readFileSync(join(root, name.slice(1)), "utf8");
    const imports = text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^;"]*\sfrom\s)?"([^"]+)"/gm);
    for (const [, given = ""] of imports) look(given.startsWith(".") ? `#${join(name.slice(1), "..", given)}` : given);
  };
  look(first);
  return loaded;
}

test("the Redis client is loaded by followers and their leader alone", () => {
  const [always, following, leading] = ["main.ts", "cluster/follower.ts", "cluster/open-publisher.ts"].map((file) =>
    loadedBy(`#server/${file}`),
  );
  expect(always).toContain("#server/venue/simulated-venue.ts");
  expect(always).toContain("#server/cluster/has-followers.ts");
  expect(always).not.toContain("@redis/client");
  expect(always).not.toContain("#server/cluster/follower.ts");
  for (const loaded of [following, leading]) expect(loaded).toContain("@redis/client");
});
