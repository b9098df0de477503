/** Tests that a failed statement is logged with its cause but without the rows and keys that the database quotes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import { openFailureLog } from "#server/kernel/failure-log.ts";
import { openLog } from "#server/kernel/log.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(() => broker.shut());

const lines: string[] = [];
const logFailure = openFailureLog(openLog("trace", { write: (line) => void lines.push(line) }));

/** Runs a statement that the database refuses, and logs its error. @returns the line, and what the database quoted */
async function logged(statement: string, wrap = (error: Error): Error => error): Promise<{ line: string; quoted: string }> {
  const error = await query(broker.db.kysely, statement).then(
    () => expect.unreachable("it was accepted"),
    (cause: Error & { detail: string }) => cause,
  );
  logFailure(wrap(error), "a batch failed");
  return { line: lines.at(-1) ?? "", quoted: error.detail };
}

it("names the constraint and the place, not the row or the key", async () => {
  const [member, other] = [await broker.newMember(), await broker.newMember()];
  const row = await logged(`UPDATE member SET identity = 'nobody', name = '李祕密' WHERE id = ${member}`);
  expect(row.quoted).toContain("李祕密");
  const key = await logged(
    `UPDATE member SET account = (SELECT account FROM member WHERE id = ${other}) WHERE id = ${member}`,
    (cause) => new Error("registration failed", { cause }),
  );
  const { account } = await broker.db.kysely.selectFrom("member").select("account").where("id", "=", other).executeTakeFirstOrThrow();
  expect(key.quoted).toContain(account);
  for (const { line } of [row, key]) {
    expect(line).toContain('"constraint":"member_');
    expect(line).toContain("log.test.ts");
    for (const secret of ["李祕密", account]) expect(line).not.toContain(secret);
  }
});
