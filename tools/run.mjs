/** Runs a tool of node_modules on the pinned Node with live output, and stops it when this process stops. */
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import process from "node:process";
import { ROOT } from "./install.mjs";

const BIN = join(ROOT, "node_modules", ".bin");
/** Time for a stopped tool to clean up. */
const GRACE_MS = 60_000;

/**
 * @param {Record<string, string | null>} environment added to this process's environment; null removes a variable
 * @returns {Promise<boolean>} whether it succeeded
 */
export function run(tool, args, environment = {}) {
  const env = { ...process.env, ...environment, PATH: BIN + delimiter + (process.env.PATH ?? "") };
  for (const [name, value] of Object.entries(environment)) if (value === null) delete env[name];
  const windows = process.platform === "win32";
  return new Promise((answer) => {
    // The IPC channel closes when this process is killed, which makes the test runner stop.
    const stdio = tool === "vitest" ? ["inherit", "inherit", "inherit", "ipc"] : "inherit";
    const child = spawn(join(BIN, windows ? `${tool}.cmd` : tool), args, { cwd: ROOT, stdio, env, shell: windows });
    const stop = () => {
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
      child.once("exit", () => process.exit(1));
    };
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.once(signal, stop);
    const done = (succeeded) => {
      for (const signal of signals) process.off(signal, stop);
      answer(succeeded);
    };
    child.on("error", () => done(false));
    child.on("exit", (code) => done(code === 0));
  });
}
