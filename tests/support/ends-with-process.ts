/** Ends the programs that a test process has started when it ends itself, also by the signal that ends the test runner. */
import type { ChildProcess } from "node:child_process";
import process from "node:process";

const running = new Map<ChildProcess, NodeJS.Signals>();
let isListening = false;

function endAll(): void {
  for (const [child, signal] of running) child.kill(signal);
}

function listen(): void {
  isListening = true;
  process.on("exit", endAll);
  // The test runner has been killed.
  process.once("disconnect", endAll);
  process.once("SIGTERM", () => {
    endAll();
    // What it does by default: this listener is gone, and `process.exit` is the test runner's while a test runs.
    process.kill(process.pid, "SIGTERM");
  });
}

/** Ends a program by this signal with this process, unless it has ended before. @returns it */
export function endsWithProcess(child: ChildProcess, signal: NodeJS.Signals): ChildProcess {
  if (!isListening) listen();
  running.set(child, signal);
  child.once("exit", () => running.delete(child));
  return child;
}
