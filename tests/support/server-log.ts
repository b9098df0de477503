/** What the servers that tests start as processes log as errors: a test fails by each that no fault it has caused explains. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { ServerOverrides } from "./test-universe.ts";

/** The level of errors; above it are fatal ones. */
const ERROR = 50;
/** Characters of standard error that are kept. */
const KEPT = 4_000;

/** A server that may have been replaced ends. */
const REPLACED = [/^ended with 1: Another server has taken over this database/, /^ended with 1: The lock on the database was lost/];
const UNANSWERED = /^the database does not answer: /;

/** What servers may log because of each fault, as `described` words it. */
const EXPLAINED = {
  /** PostgreSQL is away, or the link to it fails. */
  database: [...REPLACED, UNANSWERED],
  /** Redis is away, or the link to it fails. */
  redis: [/^Redis does not answer: /],
  /** A server stands still: another one may lead, and it ends. Or it notices that it was answered too late. */
  silence: [...REPLACED, UNANSWERED, /^Redis does not answer: (?:SocketTimeoutError |Error Redis does not answer a ping$)/],
} satisfies Record<string, RegExp[]>;

export type ExplainedFault = keyof typeof EXPLAINED;

interface LogLine {
  level: number;
  time: number;
  msg?: string;
  reason?: string;
  job?: string;
  endpoint?: string;
  /** Of a line by which the process says that it stood still. */
  stalledMs?: number;
  err?: { type?: string; message?: string; stack?: string };
}

interface Logged {
  at: number;
  text: string;
  /** With its stack, for the reader of the failure. */
  line: string;
}

/** A fault explains what is logged from its beginning to the end of the test that caused it. */
interface Occurred {
  fault: ExplainedFault;
  from: number;
  to: number;
}

let logged: Logged[] = [];
const occurred: Occurred[] = [];
/** Servers that have ended, and whose output is read still. */
const ending = new Set<Promise<void>>();

const explains = (fault: ExplainedFault, text: string): boolean => EXPLAINED[fault].some((pattern) => pattern.test(text));

/** Says that a test causes a fault now. */
export function occurs(fault: ExplainedFault): void {
  occurred.push({ fault, from: Date.now(), to: Number.POSITIVE_INFINITY });
}

function described({ msg = "", reason, job, endpoint, err }: LogLine): string {
  const why = reason ?? (err && `${err.type ?? ""} ${err.message ?? ""}`.trim()) ?? job;
  return [endpoint === undefined ? msg : `${msg} (${endpoint})`, why].filter(Boolean).join(": ");
}

/** A line of the log; null for other output. */
function parsed(line: string): LogLine | null {
  if (!line.startsWith("{")) return null;
  try {
    const value = JSON.parse(line) as Partial<LogLine>;
    return typeof value.level === "number" && typeof value.time === "number" ? (value as LogLine) : null;
  } catch {
    return null;
  }
}

/** Collects the errors in a server's output, and passes all of it on. `aheadMs`: how far its clock is ahead of the real one. */
export function watchOutput(output: Readable, aheadMs: number): void {
  output.on("data", (chunk: Buffer) => process.stdout.write(chunk));
  createInterface({ input: output }).on("line", (line) => {
    const found = parsed(line);
    // On a machine with too much to do it stood still as by a signal.
    if (found?.stalledMs) occurred.push({ fault: "silence", from: found.time - aheadMs - found.stalledMs, to: Number.POSITIVE_INFINITY });
    if (found && found.level >= ERROR) logged.push({ at: found.time - aheadMs, text: described(found), line });
  });
}

/** Starts a server as a process whose clock is ahead of the real one. What it logs as errors is collected, and that it failed. */
export function forkServer(config: ServerOverrides, aheadMs: number, execArgv: string[] = process.execArgv): ChildProcess {
  const child = fork(join(import.meta.dirname, "server-child.ts"), [String(aheadMs), JSON.stringify(config)], {
    execArgv,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  if (child.stdout) watchOutput(child.stdout, aheadMs);
  let last = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    last = (last + chunk.toString()).slice(-KEPT);
  });
  // Its last lines are read after its end.
  const closed = once(child, "close");
  child.once("exit", (code) => {
    const at = Date.now();
    const read = closed.then(() => {
      if (code) logged.push({ at, text: `ended with ${code}: ${last.trim()}`, line: "" });
      ending.delete(read);
    });
    ending.add(read);
  });
  return child;
}

/** To be called after each test. @throws when a server has logged what no fault explains */
export async function checkServerLogs(): Promise<void> {
  await Promise.all(ending);
  const now = Date.now();
  const unexplained = logged.filter(
    ({ at, text }) => !occurred.some(({ fault, from, to }) => from <= at && at <= to && explains(fault, text)),
  );
  logged = [];
  // What was logged before, and is read later, is still explained.
  for (const each of occurred) each.to = Math.min(each.to, now);
  if (unexplained.length === 0) return;
  const known = new Map(unexplained.map((each) => [each.text, each]));
  const lines = [...known.values()].map(({ text, line }) => `${text}\n  ${line}`);
  throw new Error(`The servers logged ${unexplained.length} errors that no fault explains:\n${lines.join("\n")}`);
}
