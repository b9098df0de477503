/** A database that loses its house at the worst moments: before a commit, or after it and before anybody is told. */
import type { Database, Tx } from "#server/db/database.ts";

/** What a house sees of its own end. */
export class Crashed extends Error {}

export interface Crashable extends Database {
  /** End with the next transaction: rolled back, or committed and not answered. */
  arm(when: "beforeCommit" | "afterCommit"): void;
  readonly crashed: boolean;
}

/** The same database behind a door that can fall shut for good; a new house gets a new door. */
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
      if (crashed) throw new Crashed("the house is gone");
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
