/** Tests that a process that logs ends, and with its last lines written: also when nobody reads them any more. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";

async function start(): Promise<ChildProcess> {
  const child = fork(new URL("./log-writer.ts", import.meta.url), { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

test("every line is written before the process ends", async () => {
  const child = await start();
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.send(2_000);
  const [code] = await once(child, "close");
  const numbers = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).n as number);
  expect([code, numbers.length, new Set(numbers).size]).toEqual([3, 2_000, 2_000]);
});

test("a process whose log nobody reads any more ends", async () => {
  const child = await start();
  child.stdout?.destroy();
  await once(child.stdout ?? child, "close");
  child.send(3);
  expect(await once(child, "exit")).toEqual([3, null]);
}, 20_000);
