/** Worker thread of the embedded database: PGlite runs synchronously on its thread, so a separate one keeps the server's event loop free. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openAsBlob, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import type { PGliteOptions } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { closeToOthers, databaseFolder, holdsDatabase, unfinishedFolder } from "./data-folder.ts";
import type { PgliteAnswer, PgliteCall, PgliteSetup } from "./pglite-wire.ts";
import type { Statement, StatementResult } from "./statement.ts";

/** The part of Emscripten's Node file system that is patched. */
interface NodeStreams {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd?: number }) => number } };
}

/**
 * PGlite's file system acknowledges fsync without doing it, so a power cut would lose acknowledged commits. This one calls fsync;
 * together with `wal_sync_method=fsync` (the only method that reaches this call) each commit does one fsync of the log.
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

/** PGlite's own start parameters without `-F` (which turns fsync off). Buffers are small: the hot rows fit in 16 MB. */
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

const readInt8 = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer in the database: ${text}`);
  return value;
};

async function open(setup: PgliteSetup): Promise<PGlite> {
  const configuration = { ...CONFIGURATION, fsync: setup.dir === null ? "off" : "on" };
  const options: PGliteOptions = {
    startParams: [...START, ...Object.entries(configuration).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    parsers: { 20: readInt8 },
  };
  if (setup.dir === null) {
    return PGlite.create(setup.template === null ? options : { ...options, loadDataDir: await openAsBlob(setup.template) });
  }
  if (!holdsDatabase(setup.dir)) await createDatabase(setup.dir, options);
  closeToOthers(databaseFolder(setup.dir));
  const pg = await PGlite.create({ ...options, fs: new DurableFS(databaseFolder(setup.dir)) });
  // Earlier versions of the server delete a database without this marker file.
  const marker = join(setup.dir, "pg.made");
  if (!existsSync(marker)) writeFileSync(marker, "");
  return pg;
}

/** Creates an empty database in a temporary folder and renames it when complete, so that the final folder always opens. */
async function createDatabase(dataDir: string, options: PGliteOptions): Promise<void> {
  const unfinished = unfinishedFolder(dataDir);
  // Left by a process killed during creation; nothing in it was ever acknowledged.
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

async function run(pg: PGlite, { sql, parameters }: Statement): Promise<StatementResult> {
  if (parameters.length > 0) {
    const result = await pg.query(sql, [...parameters]);
    return { rows: result.rows, rowCount: result.affectedRows ?? result.rows.length, command: result.command ?? "" };
  }
  const last = (await pg.exec(sql)).at(-1);
  return { rows: last?.rows ?? [], rowCount: last?.affectedRows ?? last?.rows.length ?? 0, command: last?.command ?? "" };
}

async function answer(pg: PGlite, { id, statements }: PgliteCall): Promise<PgliteAnswer> {
  try {
    const results: StatementResult[] = [];
    for (const statement of statements) results.push(await run(pg, statement));
    return { id, results };
  } catch (error) {
    const { code, constraint, detail } = error as { code?: string; constraint?: string; detail?: string };
    return { id, error: { message: error instanceof Error ? error.message : String(error), code, constraint, detail } };
  }
}

const port = parentPort;
if (!port) throw new Error("pglite-worker must run as a worker thread");
const pg = await open(workerData as PgliteSetup);
// Calls run one after the other; the pool already queues its callers.
let queue: Promise<unknown> = Promise.resolve();
port.on("message", (call: PgliteCall | "close") => {
  queue = queue.then(async () => {
    if (call === "close") {
      await pg.close();
      port.close();
      return;
    }
    port.postMessage(await answer(pg, call));
  });
});
port.postMessage("open");
