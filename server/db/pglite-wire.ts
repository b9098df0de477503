/** What the server and the embedded database's thread say to each other. */

export interface PgliteSetup {
  /** The data folder; null keeps everything in memory. */
  dir: string | null;
  /** A dump of an empty database to begin from in memory, instead of laying one down anew; null for none. */
  template: string | null;
}

export interface PgliteCall {
  id: number;
  sql: string;
  /** Without parameters `sql` may hold several statements; the last one's result counts. */
  parameters: readonly unknown[];
}

export type PgliteAnswer =
  | { id: number; rows: Record<string, unknown>[]; rowCount: number; command: string }
  | { id: number; error: { message: string; code: string | undefined; constraint: string | undefined; detail: string | undefined } };
