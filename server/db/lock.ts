/** One process per data folder: two on one folder silently lose rows, so the second is refused; a dead owner's lock is taken over. */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

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

function readOwner(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/**
 * Take the folder for this process, creating it if need be.
 * @returns how to give it back
 * @throws DataDirInUse when a living process, this one included, has it
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, "lock");
  if (held.has(path)) throw new DataDirInUse(dataDir, String(process.pid));
  for (let attempt = 0; !claim(path); attempt += 1) {
    const owner = readOwner(path);
    if (attempt > 5 || (owner !== null && alive(owner))) throw new DataDirInUse(dataDir, owner ?? "?");
    // Of several that find the same dead lock, the rename lets exactly one move it out of the way.
    const grave = `${path}.${process.pid}`;
    try {
      renameSync(path, grave);
      rmSync(grave, { force: true });
    } catch {
      continue;
    }
  }
  held.add(path);
  return () => {
    held.delete(path);
    rmSync(path, { force: true });
  };
}
