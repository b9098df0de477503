/** What lies where the embedded database is to be: nothing, a database, or something that is neither and is left alone. */
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Thrown when a data folder holds something that cannot be opened. Nothing of it is ever removed. */
export class DataDirUnusable extends Error {
  constructor(dataDir: string, why: string, options?: ErrorOptions) {
    super(
      `The data folder ${dataDir} cannot be used: ${why}. Nothing was removed. Restore a backup into an empty folder, or set DATA_DIR to another one.`,
      options,
    );
    this.name = "DataDirUnusable";
  }
}

/** Thrown when a database should be there and is not. */
export class NoDatabase extends Error {
  constructor(where: string) {
    super(`There is no database in ${where}.`);
    this.name = "NoDatabase";
  }
}

/** The database's own folder, and the one it is laid down in until it is whole. */
export const databaseFolder = (dataDir: string): string => join(dataDir, "pg");
export const unfinishedFolder = (dataDir: string): string => join(dataDir, "pg.new");

/** The embedded database makes files that every user may write, whatever the umask says: its folder is its owner's alone, as PostgreSQL asks. */
export function closeToOthers(folder: string): void {
  try {
    chmodSync(folder, 0o700);
  } catch {
    // A volume without permissions, or another user's folder: the operator decided who may enter it.
  }
}

/** Whether a data folder has a database. @throws DataDirUnusable when what is in its place is none */
export function holdsDatabase(dataDir: string): boolean {
  const folder = databaseFolder(dataDir);
  if (!existsSync(folder) || readdirSync(folder).length === 0) return false;
  if (!existsSync(join(folder, "PG_VERSION")) || !existsSync(join(folder, "base"))) {
    throw new DataDirUnusable(dataDir, "its folder pg holds files, but no database");
  }
  return true;
}
