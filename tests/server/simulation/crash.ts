/** A database wrapper that simulates a crash before a commit, or after a commit and before its facts are published. */
import type { Database, Tx } from "#server/db/database.ts";

/** The error that a crashed broker gets. */
export class Crashed extends Error {}

export interface Crashable extends Database {
  /** Crashes at the next transaction: rolled back, or committed but not acknowledged. */
  arm(when: "beforeCommit" | "afterCommit"): void;
  readonly crashed: boolean;
}

/** Wraps a database so that it can fail permanently; each broker gets a new wrapper. */
export function crashable(db: Database): Crashable {
  let armed: "beforeCommit" | "afterCommit" | null = null;
  let crashed = false;
  return {
    ...db,
    get crashed() {
      return crashed;
    },
    arm: (when) => {
      armed = when;
    },
    async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
      if (crashed) throw new Crashed("the broker has crashed");
      const when = armed;
      if (when === null) return db.transaction(work);
      crashed = true;
      await db.transaction(async (tx) => {
        await work(tx);
        if (when === "beforeCommit") throw new Crashed("before the commit");
      });
      throw new Crashed("after the commit");
    },
  };
}
