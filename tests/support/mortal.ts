/** A database whose server dies at a given transaction, before or after its commit, for tests of kills. */
import type { Database, Tx } from "#server/db/database.ts";

/** What a dead server says. */
class Killed extends Error {}
export type When = "before" | "after";

export interface Mortal extends Database {
  /** Kills the server at its nth transaction from now on; null for never. */
  killAt(transaction: number | null, when: When): void;
  readonly dead: boolean;
}

export function mortal(db: Database): Mortal {
  let left: number | null = null;
  let dying: When = "before";
  let dead = false;
  return {
    ...db,
    get kysely() {
      return db.kysely;
    },
    get dead() {
      return dead;
    },
    killAt: (transaction, when) => {
      left = transaction;
      dying = when;
    },
    async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
      if (dead) throw new Killed();
      if (left === null || left > 0) {
        if (left !== null) left -= 1;
        return db.transaction(work);
      }
      dead = true;
      await db.transaction(async (tx) => {
        await work(tx);
        if (dying === "before") throw new Killed();
      });
      throw new Killed();
    },
  };
}
