/** One process per data folder: two on one folder silently lose rows, so the second is refused; a dead owner's lock is taken over. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A lock without a name in it is being written, unless it stays so for longer than this. */
const WRITING_MS = 1_000;
const WAIT_MS = 10;
const MOST_WAITS = (2 * WRITING_MS) / WAIT_MS;

/** Thrown when another living process has the folder open. */
export class DataDirInUse extends Error {
  constructor(dataDir: string, owner: string) {
    super(
      `The data folder ${dataDir} is in use by process ${owner.split(" ")[0] ?? "?"}. Stop that server first, or set DATA_DIR to another folder.`,
    );
    this.name = "DataDirInUse";
  }
}

/** Folders this process holds: the lock file cannot tell two openings by one process apart. */
const held = new Set<string>();

/** When a process started, in kernel ticks, so that a process id used again after a restart is not taken for the old owner. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function alive(owner: string): boolean {
  const [pidText = "", start = ""] = owner.trim().split(" ");
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const now = startOf(pid);
  return start === "" || now === "" || start === now;
}

function claim(path: string): boolean {
  try {
    const file = openSync(path, "wx");
    writeSync(file, `${process.pid} ${startOf(process.pid)}`);
    closeSync(file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Who has a lock; null when its owner is dead, nameless when it is being written or has just gone. */
function ownerOf(path: string): string | null {
  try {
    const owner = readFileSync(path, "utf8");
    if (owner === "") return Date.now() - statSync(path).mtimeMs < WRITING_MS ? owner : null;
    return alive(owner) ? owner : null;
  } catch {
    return "";
  }
}

/**
 * Remove the lock of a dead process. One at a time, and looked at again when it is one's turn: whoever removes what it judged
 * a moment ago may remove the lock of a process that came in between.
 */
function bury(path: string): void {
  const turn = `${path}.turn`;
  if (!claim(turn)) {
    if (ownerOf(turn) === null) rmSync(turn, { force: true });
    return;
  }
  if (ownerOf(path) === null) rmSync(path, { force: true });
  rmSync(turn, { force: true });
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
}

/**
 * Take the folder for this process, creating it if need be.
 * @returns how to give it back
 * @throws DataDirInUse when a living process, this one included, has it
 */
export function lockDataDir(dataDir: string): () => void {
  // Password hashes and the market's secret lie in it: nobody else's to read.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, "lock");
  if (held.has(path)) throw new DataDirInUse(dataDir, String(process.pid));
  for (let waits = 0; !claim(path); waits += 1) {
    const owner = ownerOf(path);
    if (owner || waits > MOST_WAITS) throw new DataDirInUse(dataDir, owner || "?");
    if (owner === null) bury(path);
    if (waits > 0) pause();
  }
  held.add(path);
  return () => {
    held.delete(path);
    rmSync(path, { force: true });
  };
}
