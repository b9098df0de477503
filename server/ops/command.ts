/** The shape of an operator's command: one row of `commands.ts`. */
import type { Database, Tx } from "#server/db/database.ts";

export type Say = (line: string) => void;

/** Exit codes: done and refused; 1 means that a check found inconsistencies. */
export const DONE = 0;
export const INCONSISTENT = 1;
export const REFUSED = 2;

/** Thrown when a command cannot be carried out; the message is for the operator, and nothing was changed. */
export class NotDone extends Error {}

/** What was typed after the command's name. */
export interface Args {
  words: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
  /** Shows personal data in full. */
  unmasked: boolean;
}

/** What an act changed, for its row in the audit. No personal data: a row can never be erased. */
export interface Act {
  /** The account or the number that it is about. */
  subject: string;
  before: object | null;
  after: object | null;
  /** Printed after the commit. */
  lines: readonly string[];
}

export interface Context {
  db: Database;
  say: Say;
  /** Time of the command in epoch milliseconds. */
  at: number;
  /** Carries out an act and writes its row of the audit in the same transaction. */
  act(work: (tx: Tx) => Promise<Act>): Promise<void>;
}

export interface Command {
  /** One or two words. */
  name: string;
  /** What follows the name. */
  usage: string;
  what: string;
  /** Names of options with a value, such as `account` for `--account KS000001`. */
  options?: readonly string[];
  /** Tells whether it changes something, or shows personal data in full, with these arguments. Then it must call `act`. */
  audited: (args: Args) => boolean;
  /** @returns the exit code; nothing for done. @throws NotDone */
  run(context: Context, args: Args): Promise<number | void>;
}

export const always = (): boolean => true;
export const never = (): boolean => false;
export const ifUnmasked = ({ unmasked }: Args): boolean => unmasked;
