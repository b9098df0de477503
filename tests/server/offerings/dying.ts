/** A database whose process dies at a given statement, for tests of kills. */
import type { Database } from "#server/db/database.ts";
import { participants } from "#server/participants.ts";
import { openSequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { TestBroker } from "#tests/support/trading.ts";

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

/** What the clocks of a process are made of. */
export interface Process extends Pick<TestBroker, "db" | "venue"> {
  sequencer: Sequencer;
  now: () => number;
  report: (error: unknown) => void;
}

/** A process on a database: opens its sequencer and takes the steps of its clocks, until it dies. @returns whether it died */
export async function live(
  db: Database,
  { venue, clock }: TestBroker,
  steps: (process: Process) => AsyncGenerator<void>,
): Promise<boolean> {
  let isDead = false;
  const report = (error: unknown): void => {
    if (!(error instanceof Died)) throw error;
    isDead = true;
  };
  const now = (): number => clock.now;
  try {
    const sequencer = await openSequencer({ db, venue, participants, now, publish: () => undefined, report, commandsPerSecond: 1_000 });
    const taken = steps({ db, venue, sequencer, now, report });
    for (;;) {
      const { done } = await taken.next();
      if (done || isDead) break;
    }
  } catch (error) {
    report(error);
  }
  return isDead;
}
