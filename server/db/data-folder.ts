/** Inspects the data folder of the embedded database: empty, a database, or something else, which is left untouched. */
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Thrown when a data folder contains something that cannot be opened. Nothing in it is ever removed. */
export class DataDirUnusable extends Error {
  constructor(dataDir: string, why: string, options?: ErrorOptions) {
    super(
      `The data folder ${dataDir} cannot be used: ${why}. Nothing was removed. Restore a backup into an empty folder, or set DATA_DIR to another one.`,
      options,
    );
    this.name = "DataDirUnusable";
  }
}

/** Thrown when an existing database was expected. */
export class NoDatabase extends Error {
  constructor(where: string) {
    super(`There is no database in ${where}.`);
    this.name = "NoDatabase";
  }
}

/** The database's folder, and the one it is created in until it is complete. */
export const databaseFolder = (dataDir: string): string => join(dataDir, "pg");
export const unfinishedFolder = (dataDir: string): string => join(dataDir, "pg.new");

/** Closes a folder to other users: the embedded database creates world-writable files regardless of the umask. */
export function closeToOthers(folder: string): void {
  try {
    chmodSync(folder, 0o700);
  } catch {
    // A volume without permissions, or another user's folder: the operator decided who may enter it.
  }
}

/** Tells whether a data folder has a database. @throws DataDirUnusable when its place is taken by something else */
export function holdsDatabase(dataDir: string): boolean {
  const folder = databaseFolder(dataDir);
  if (!existsSync(folder) || readdirSync(folder).length === 0) return false;
  if (!existsSync(join(folder, "PG_VERSION")) || !existsSync(join(folder, "base"))) {
    throw new DataDirUnusable(dataDir, "its folder pg holds files, but no database");
  }
  return true;
}
