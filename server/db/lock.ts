/** Lock file of the data folder: PGlite silently loses rows with two processes, so the second is refused; a dead owner's lock is taken over. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

/** An empty lock file is still being written, unless it is older than this. */
const WRITING_MS = 1_000;
const WAIT_MS = 10;
const MAX_WAITS = (2 * WRITING_MS) / WAIT_MS;

/** Thrown when another running process has the folder open. */
export class DataDirInUse extends Error {
  constructor(dataDir: string, owner: string) {
    super(
      `The data folder ${dataDir} is in use by process ${owner.split(" ")[0] ?? "?"}. Stop that server first, or set DATA_DIR to another folder.`,
    );
    this.name = "DataDirInUse";
  }
}

/** Folders held by this process, because the lock file cannot distinguish two opens by one process. */
const held = new Set<string>();

/** Start time of a process in kernel ticks, so that a reused process id is not mistaken for the old owner. */
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

/** Owner of a lock file; null when the owner is dead, "" when the file is being written or has just been removed. */
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
 * Removes the lock of a dead process. Serialised by a second lock file and checked again under it: otherwise a process acting on an
 * earlier check could remove the lock that another process has taken in between.
 */
function removeStale(path: string): void {
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
 * Takes the folder for this process and creates it if necessary.
 * @returns a function that releases it
 * @throws DataDirInUse when a running process, this one included, holds it
 */
export function lockDataDir(dataDir: string): () => void {
  // It holds password hashes and the market's secret, so only the owner may read it.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, "lock");
  if (held.has(path)) throw new DataDirInUse(dataDir, String(process.pid));
  for (let waits = 0; !claim(path); waits += 1) {
    const owner = ownerOf(path);
    if (owner || waits > MAX_WAITS) throw new DataDirInUse(dataDir, owner || "?");
    if (owner === null) removeStale(path);
    if (waits > 0) pause();
  }
  held.add(path);
  return () => {
    held.delete(path);
    rmSync(path, { force: true });
  };
}
