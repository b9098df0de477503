/** The type of an operator command. */
import type { Database } from "#server/db/database.ts";

export type Say = (line: string) => void;
/** Runs a command with its arguments and prints through `say`. @returns the exit code */
export type Command = (db: Database, words: readonly string[], say: Say) => Promise<number>;
