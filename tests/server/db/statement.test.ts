/** Statements that are sent together: which message they go with, and what an error of one does to the transaction. */
import { afterAll, describe, expect, it } from "vitest";
import { defer, query, queryAll } from "#server/db/database.ts";
import { CommitUnknown } from "#server/db/outage.ts";
import { DEFERRED, NotCommitted, SEVERAL, groupStatements } from "#server/db/statement.ts";
import type { Statement } from "#server/db/statement.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

/** A connection that only notes its messages; a statement `bad` fails, and a commit answers with `outcome`. */
function noting(outcome = "COMMIT") {
  const messages: string[][] = [];
  const ask = groupStatements(async (statements) => {
    messages.push(statements.map(({ sql }) => sql));
    if (statements.some(({ sql }) => sql.endsWith("bad"))) throw new Error("bad");
    return statements.map(({ sql }) => ({ rows: [sql], rowCount: 1, command: sql === "commit" ? outcome : "SELECT" }));
  });
  return { messages, ask };
}

describe("messages of a connection", () => {
  it("send BEGIN and deferred statements with the next one, and with the commit", async () => {
    const { messages, ask } = noting();
    await ask("begin", []);
    await ask("read", []);
    await ask(`${DEFERRED}one`, []);
    await ask(`${DEFERRED}two`, []);
    await ask("read again", []);
    await ask(`${DEFERRED}three`, []);
    await ask("commit", []);
    expect(messages).toEqual([
      ["begin", "read"],
      [`${DEFERRED}one`, `${DEFERRED}two`, "read again"],
      [`${DEFERRED}three`, "commit"],
    ]);
  });

  it("send nothing of a transaction in which nothing was asked", async () => {
    const { messages, ask } = noting();
    await ask("begin", []);
    await ask("commit", []);
    await ask("begin", []);
    await ask(`${DEFERRED}one`, []);
    await ask("rollback", []);
    expect(messages).toEqual([]);
    await ask("begin", []);
    await ask(`${DEFERRED}two`, []);
    await ask("commit", []);
    expect(messages).toEqual([["begin", `${DEFERRED}two`, "commit"]]);
  });

  it("give several statements the rows of each, without those that went before", async () => {
    const { ask } = noting();
    await ask("begin", []);
    await ask(`${DEFERRED}one`, []);
    const both: Statement[] = [
      { sql: "a", parameters: [] },
      { sql: "b", parameters: [] },
    ];
    expect((await ask(SEVERAL, both)).rows).toEqual([["a"], ["b"]]);
  });

  it("drop what was deferred when the transaction is rolled back, and roll back what was begun", async () => {
    const { messages, ask } = noting();
    await ask("begin", []);
    await ask(`${DEFERRED}bad`, []);
    await expect(ask("read", [])).rejects.toThrow("bad");
    await ask(`${DEFERRED}one`, []);
    await ask("rollback", []);
    expect(messages).toEqual([["begin", `${DEFERRED}bad`, "read"], ["rollback"]]);
  });

  it("tell that a commit was a rollback", async () => {
    const { ask } = noting("ROLLBACK");
    await ask("begin", []);
    await ask("read", []);
    await expect(ask("commit", [])).rejects.toThrow(NotCommitted);
  });
});

describe("deferred statements", async () => {
  const db = await openTestDatabase({ own: true });
  afterAll(() => db.close());
  await query(db.kysely, "CREATE TABLE deferred (n integer PRIMARY KEY CHECK (n > 0))");
  const numbers = async (): Promise<number[]> =>
    (await query<{ n: number }>(db.kysely, "SELECT n FROM deferred ORDER BY n")).map(({ n }) => n);
  const insert = "INSERT INTO deferred VALUES ($1)";

  it("are written with the commit, and seen by what is asked before it", async () => {
    const seen = await db.transaction(async (tx) => {
      await defer(tx, insert, [1]);
      const rows = await query(tx, "SELECT n FROM deferred");
      await defer(tx, insert, [2]);
      return rows;
    });
    expect(seen).toEqual([{ n: 1 }]);
    expect(await numbers()).toEqual([1, 2]);
  });

  it("undo the transaction when one of them fails, wherever it stands in its message", async () => {
    for (const wrong of [
      [3, -1, 4],
      [-1, 3],
      [3, -1],
    ]) {
      const failed = db.transaction(async (tx) => {
        for (const n of wrong) await defer(tx, insert, [n]);
      });
      await expect(failed).rejects.toMatchObject({ constraint: "deferred_n_check" });
      expect(await numbers()).toEqual([1, 2]);
    }
  });

  it("undo the transaction when the error of what was asked was ignored", async () => {
    const ignored = db.transaction(async (tx) => {
      await defer(tx, insert, [5]);
      await query(tx, insert, [-1]).catch(() => undefined);
    });
    await expect(ignored).rejects.toThrow(NotCommitted);
    expect(await numbers()).toEqual([1, 2]);
  });

  it.runIf(db.kind === "postgres")("have an unknown outcome when the driver fails at one that the database never saw", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["itself"] = cyclic;
    const failed = db.transaction(async (tx) => {
      await defer(tx, insert, [6]);
      await defer(tx, insert, [cyclic]);
    });
    await expect(failed).rejects.toThrow(CommitUnknown);
    await query(db.kysely, "DELETE FROM deferred WHERE n = 6");
  });

  it("leave a connection that goes on working, and several answers in their order", async () => {
    const [one, none, two] = await db.transaction((tx) =>
      queryAll(tx, [
        { sql: "SELECT n FROM deferred WHERE n = $1", parameters: [1] },
        { sql: "SELECT n FROM deferred WHERE n = $1", parameters: [9] },
        { sql: "SELECT n FROM deferred WHERE n = $1", parameters: [2] },
      ]),
    );
    expect([one, none, two]).toEqual([[{ n: 1 }], [], [{ n: 2 }]]);
  });
});
