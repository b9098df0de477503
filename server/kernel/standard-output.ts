/**
 * Standard output for the log: nobody waits for its lines, the last ones are written before the process ends, and one whose reader has gone ends all
 * the same. The destination that comes with pino tries without end to write its last lines to a reader that has gone, and `process.stdout` loses them.
 */
import { write, writeSync } from "node:fs";
import process from "node:process";

const FD = 1;
/** Its reader is slow. */
const BUSY = new Set(["EAGAIN", "EBUSY"]);
const AGAIN_MS = 100;
/** How often a slow reader is tried at the end. */
const TRIES = 10;

const isBusy = (error: unknown): boolean => error instanceof Error && "code" in error && BUSY.has(String(error.code));

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

let lines: string[] = [];
/** What is being written. */
let current: Buffer | null = null;
let isGone = false;
let isDue = false;

function pass(): void {
  if (!current) return;
  write(FD, current, (error, written) => {
    if (!current) return;
    if (error && !isBusy(error)) {
      // Nobody reads it any more.
      [isGone, lines, current] = [true, [], null];
      return;
    }
    const rest: Buffer = current.subarray(error ? 0 : written);
    if (rest.length > 0) {
      current = rest;
      setTimeout(pass, error ? AGAIN_MS : 0).unref();
      return;
    }
    current = null;
    begin();
  });
}

function begin(): void {
  isDue = false;
  if (current || lines.length === 0) return;
  current = Buffer.from(lines.join(""));
  lines = [];
  pass();
}

/** Writes at once what is left. */
function finish(): void {
  let rest = Buffer.concat([current ?? Buffer.alloc(0), Buffer.from(lines.join(""))]);
  [lines, current] = [[], null];
  for (let tries = 0; rest.length > 0 && tries < TRIES;) {
    try {
      rest = rest.subarray(writeSync(FD, rest));
    } catch (error) {
      if (!isBusy(error)) return;
      tries += 1;
      pause(AGAIN_MS);
    }
  }
}
process.on("exit", finish);

export const standardOutput = {
  write(line: string): void {
    if (isGone) return;
    lines.push(line);
    if (current || isDue) return;
    isDue = true;
    // With all other lines of this turn.
    setImmediate(begin);
  },
};
