/** Tests that a program which a test process has started ends with it, however that ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";

const MODULE = join(import.meta.dirname, "ends-with-process.ts");
const STARTS = `
  import { spawn } from "node:child_process";
  import { endsWithProcess } from ${JSON.stringify(MODULE)};
  const child = endsWithProcess(spawn("sleep", ["60"], { stdio: ["ignore", "inherit", "ignore"] }), "SIGKILL");
  child.once("spawn", () => process.send("started"));
  setInterval(() => undefined, 1_000);
  process.on("message", () => process.exit(3));
`;

test.each([
  ["SIGTERM", [null, "SIGTERM"]],
  ["exit", [3, null]],
])("by %s", async (how, ending) => {
  const parent = spawn(process.execPath, ["--input-type=module", "-e", STARTS], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  await once(parent, "message");
  const [ended, closed] = [once(parent, "exit"), once(parent, "close")];
  if (how === "exit") parent.send("exit");
  else parent.kill("SIGTERM");
  // It ends as it would without, and what it had started holds its output no longer.
  expect(await ended).toEqual(ending);
  await closed;
});
