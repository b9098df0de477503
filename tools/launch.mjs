/** Runs child processes on the same terminal, forwards signals to them and takes over their exit code. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { ROOT } from "./install.mjs";

/**
 * Node's flags for the server. The embedded database is one large WebAssembly module. With the default budget its optimising compiler
 * takes the first second; with ten times the budget that second keeps its speed, and later seconds are as fast as with the default.
 * The young generation has semi-spaces of 16 MB: with the default it grows to 134 MB at the start and keeps them while the server rests.
 */
export const SERVER_FLAGS = ["--wasm-tiering-budget=130000000", "--max-semi-space-size=16"];

/**
 * Node's environment for the server, where none is given: compiled modules are kept for the next start, and the C library's heap has one
 * arena instead of eight a core, of which each keeps what the compiler of the database's code once needed.
 */
export const SERVER_ENVIRONMENT = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, ".cache", "compiled"),
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "1",
};

/**
 * Starts a command. The IPC channel lets the child notice when this process is killed.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [environment] added to this process's environment
 * @returns {import("node:child_process").ChildProcess}
 */
export function launch(command, args, environment = {}) {
  return spawn(command, args, { cwd: ROOT, stdio: ["inherit", "inherit", "inherit", "ipc"], env: { ...process.env, ...environment } });
}

/**
 * Forwards signals to the children; when one exits, stops the others and exits too.
 * @param {import("node:child_process").ChildProcess[]} children
 */
export function follow(children) {
  const signal = (name) => {
    for (const child of children) child.kill(name);
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => signal(name));
  for (const child of children) {
    child.on("exit", (code) => {
      process.exitCode ??= code ?? 1;
      signal("SIGTERM");
    });
  }
}
