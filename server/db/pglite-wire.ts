/** Messages between the server and the embedded database's worker thread. */
import type { Statement, StatementResult } from "./statement.ts";

export interface PgliteSetup {
  /** The data folder; null keeps everything in memory. */
  dir: string | null;
  /** Dump of an empty database to load into memory instead of creating one; null for none. */
  template: string | null;
}

/** Statements that run in order until one fails. */
export interface PgliteCall {
  id: number;
  /** One without parameters may hold several statements; the last one's result is returned. */
  statements: readonly Statement[];
}

export type PgliteAnswer =
  | { id: number; results: StatementResult[] }
  | { id: number; error: { message: string; code: string | undefined; constraint: string | undefined; detail: string | undefined } };
