/** A database whose process dies at a given statement, for tests of kills. */
import type { Database } from "#server/db/database.ts";

/** What a dead process says. */
export class Died extends Error {}

/** The database of a process that dies at the statement after so many, inside a transaction or outside, and never comes back. */
export function dyingAt(db: Database, statements: number): Database {
  let left = statements;
  const mortal = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(inner, name) {
        const value: unknown = Reflect.get(inner, name, inner);
        if (typeof value !== "function") return value;
        return (...given: unknown[]): unknown => {
          if (name === "executeQuery" || name === "insertInto" || name === "updateTable") {
            left -= 1;
            if (left < 0) throw new Died();
          }
          return Reflect.apply(value, inner, given);
        };
      },
    });
  return {
    ...db,
    kysely: mortal(db.kysely),
    writable: () => db.writable(),
    close: () => Promise.resolve(),
    transaction: (work) => db.transaction((tx) => work(mortal(tx))),
  };
}
