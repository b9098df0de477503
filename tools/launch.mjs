/** Starts a child process in our place: same terminal, our signals handed on, its exit code ours. */
import { spawn } from "node:child_process";
import process from "node:process";
import { ROOT } from "./install.mjs";

/**
 * Run a command until it ends. The channel lets the child notice when we vanish without a signal.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [environment] added to ours
 * @returns {import("node:child_process").ChildProcess}
 */
export function launch(command, args, environment = {}) {
  return spawn(command, args, { cwd: ROOT, stdio: ["inherit", "inherit", "inherit", "ipc"], env: { ...process.env, ...environment } });
}

/**
 * Hand signals on to the children, and leave when the first of them does, taking the others along.
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
