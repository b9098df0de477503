/** Turns expected start-up errors into one line for the operator; unexpected errors keep their stack. */
import type { ServerConfig } from "#server/config.ts";
import { BadEnvironment } from "#server/config.ts";
import { DataDirUnusable } from "#server/db/data-folder.ts";
import { DatabaseInUse } from "#server/db/leadership.ts";
import { DataDirInUse } from "#server/db/lock.ts";
import { DataOfLaterVersion } from "#server/db/migrate.ts";
import { PortInUse } from "#server/http-server.ts";
import { FeedFailed } from "#server/venue/feed/port.ts";

const REASONS: Record<string, string> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "part of the path is a file",
  EISDIR: "it is a folder",
  EEXIST: "there is a file of that name",
  ENOENT: "it does not exist",
  EMFILE: "too many files are open",
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name cannot be resolved",
  EAI_AGAIN: "the host name cannot be resolved",
  ETIMEDOUT: "it does not answer",
  EHOSTUNREACH: "there is no route to the host",
};

/** SQLSTATE classes of login, database and server-state errors, whose messages contain no secret. */
const DATABASE_REFUSALS = /^(?:28|3D|53|57P)/;

/** Errors whose own message is shown. */
const SELF_EXPLANATORY = [BadEnvironment, PortInUse, DataDirInUse, DataDirUnusable, DatabaseInUse, DataOfLaterVersion, FeedFailed];

interface SystemError extends Error {
  code: string;
  syscall?: string;
  path?: string;
}

const isSystemError = (error: unknown): error is SystemError => error instanceof Error && "code" in error && typeof error.code === "string";

function listening({ code }: SystemError, { host, port }: ServerConfig): string {
  if (code === "EACCES") return `Port ${port} cannot be opened: permission is denied. Set PORT to one above 1023.`;
  return `Cannot listen on HOST ${host}: it is not an address of this machine.`;
}

function placeOf(path: string, { dataDir, clientDir }: ServerConfig): string {
  if (path.startsWith(clientDir)) return `The built client in ${clientDir} cannot be read`;
  if (dataDir !== null && (path.startsWith(dataDir) || dataDir.startsWith(path))) return `The data folder ${dataDir} cannot be used`;
  return `${path} cannot be opened`;
}

/** The line for an error; null for an unexpected one. `config` is null when the environment could not be read. */
export function startFailure(error: unknown, config: ServerConfig | null): string | null {
  if (error instanceof Error && SELF_EXPLANATORY.some((kind) => error instanceof kind)) return error.message;
  if (config === null || !isSystemError(error)) return null;
  if (error.syscall === "listen" || (error.syscall === "getaddrinfo" && config.databaseUrl === null)) return listening(error, config);
  if (config.databaseUrl !== null && DATABASE_REFUSALS.test(error.code)) return `The database refused the connection: ${error.message}.`;
  const reason = REASONS[error.code];
  if (reason === undefined) return null;
  if (error.path !== undefined) return `${placeOf(error.path, config)}: ${reason}.`;
  if (config.databaseUrl !== null) return `The database at ${new URL(config.databaseUrl).host} cannot be reached: ${reason}.`;
  return null;
}
