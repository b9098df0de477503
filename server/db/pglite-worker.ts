/** The embedded database's thread: PGlite computes on the thread it lives on, so it gets its own and the server's event loop stays free. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openAsBlob, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import type { PGliteOptions } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { closeToOthers, databaseFolder, holdsDatabase, unfinishedFolder } from "./data-folder.ts";
import type { PgliteAnswer, PgliteCall, PgliteSetup } from "./pglite-wire.ts";

/** The part of Emscripten's node file system that is patched. */
interface NodeStreams {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd?: number }) => number } };
}

/**
 * PGlite's file system answers fsync without doing it: a power cut would lose acknowledged commits. This one does it, and
 * together with `wal_sync_method=fsync` (the one method that reaches this call) makes it one fsync of the log per commit.
 */
class DurableFS extends NodeFS {
  override async init(...[pg, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(pg, options);
    const patch = (module: unknown): void => {
      (module as NodeStreams).NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fsyncSync(stream.nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), patch] } };
  }
}

/** Like PGlite's own, without `-F` (which turns fsync off), and small: the house's hot rows fit in 16 MB. */
const START = ["--single", "-O", "-j"];
const CONFIGURATION = {
  search_path: "public",
  exit_on_error: "false",
  log_checkpoints: "false",
  max_worker_processes: "0",
  max_parallel_workers: "0",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  io_method: "sync",
  shared_buffers: "16MB",
  wal_sync_method: "fsync",
};

const safe = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer in the database: ${text}`);
  return value;
};

async function open(setup: PgliteSetup): Promise<PGlite> {
  const configuration = { ...CONFIGURATION, fsync: setup.dir === null ? "off" : "on" };
  const options: PGliteOptions = {
    startParams: [...START, ...Object.entries(configuration).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    parsers: { 20: safe },
  };
  if (setup.dir === null) {
    return PGlite.create(setup.template === null ? options : { ...options, loadDataDir: await openAsBlob(setup.template) });
  }
  if (!holdsDatabase(setup.dir)) await layDown(setup.dir, options);
  closeToOthers(databaseFolder(setup.dir));
  const pg = await PGlite.create({ ...options, fs: new DurableFS(databaseFolder(setup.dir)) });
  // Earlier versions remove a database without this mark.
  const made = join(setup.dir, "pg.made");
  if (!existsSync(made)) writeFileSync(made, "");
  return pg;
}

/** Make an empty database beside its place, and move it there when it is whole: what is in its place is always one that opens. */
async function layDown(dataDir: string, options: PGliteOptions): Promise<void> {
  const unfinished = unfinishedFolder(dataDir);
  // Left by a process that was killed over it: nobody was ever told of anything in it.
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  closeToOthers(unfinished);
  const pg = await PGlite.create({ ...options, fs: new DurableFS(unfinished) });
  await pg.exec("CHECKPOINT");
  await pg.close();
  renameSync(unfinished, databaseFolder(dataDir));
  const folder = openSync(dataDir, "r");
  fsyncSync(folder);
  closeSync(folder);
}

async function answer(pg: PGlite, call: PgliteCall): Promise<PgliteAnswer> {
  try {
    if (call.parameters.length > 0) {
      const result = await pg.query<Record<string, unknown>>(call.sql, [...call.parameters]);
      return { id: call.id, rows: result.rows, rowCount: result.affectedRows ?? result.rows.length, command: result.command ?? "" };
    }
    const results = await pg.exec(call.sql);
    const last = results.at(-1);
    return { id: call.id, rows: last?.rows ?? [], rowCount: last?.affectedRows ?? last?.rows.length ?? 0, command: last?.command ?? "" };
  } catch (error) {
    const { code, constraint, detail } = error as { code?: string; constraint?: string; detail?: string };
    return { id: call.id, error: { message: error instanceof Error ? error.message : String(error), code, constraint, detail } };
  }
}

const port = parentPort;
if (!port) throw new Error("pglite-worker is a thread of the server, not a program");
const pg = await open(workerData as PgliteSetup);
// One call after the other: the client holds its own line, so there is nothing to reorder.
let line: Promise<unknown> = Promise.resolve();
port.on("message", (call: PgliteCall | "close") => {
  line = line.then(async () => {
    if (call === "close") {
      await pg.close();
      port.close();
      return;
    }
    port.postMessage(await answer(pg, call));
  });
});
port.postMessage("open");
