/** Messages between the server and the embedded database's worker thread. */

export interface PgliteSetup {
  /** The data folder; null keeps everything in memory. */
  dir: string | null;
  /** Dump of an empty database to load into memory instead of creating one; null for none. */
  template: string | null;
}

export interface PgliteCall {
  id: number;
  sql: string;
  /** Without parameters `sql` may hold several statements; the last one's result is returned. */
  parameters: readonly unknown[];
}

export type PgliteAnswer =
  | { id: number; rows: Record<string, unknown>[]; rowCount: number; command: string }
  | { id: number; error: { message: string; code: string | undefined; constraint: string | undefined; detail: string | undefined } };
