/** Tests the operator's commands on members and positions: a first member without a known password, and the lock of a position. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "#server/ops/run-command.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";

const ID_NUMBER = "A223456781";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ demo: "off" });
});
afterAll(() => server.stop());

async function run(...words: string[]): Promise<{ exit: number; lines: string[] }> {
  const lines: string[] = [];
  const exit = await runCommand(server.db, words, (line) => lines.push(line));
  return { exit, lines };
}
const wordAfter = (label: string, lines: readonly string[]): string =>
  lines
    .find((line) => line.startsWith(label))
    ?.slice(label.length)
    .trim() ?? "";

describe("ops member create", () => {
  it("creates the first member of a public host, who can sign in with the printed secrets", async () => {
    const { exit, lines } = await run("member", "create", "KS300001", ID_NUMBER.toLowerCase(), "王小明", "deposit=1000000");
    expect(exit).toBe(0);
    const [password, guaranteeCode] = [wordAfter("password", lines), wordAfter("guarantee code", lines)];
    expect(password).toMatch(/^[\w-]{16}$/);
    expect(guaranteeCode).toMatch(/^\d{6}$/);
    const reply = await server.call("signIn", { idNumber: ID_NUMBER, password, guaranteeCode });
    if (reply.status !== 1) throw new Error(reply.code);
    expect(await server.call("readMember", {}, reply.data)).toMatchObject({
      data: { account: "KS300001", identity: "verified", availableCents: 100_000_000 },
    });
  });

  it.each([
    [["KS300001", "A123456770", "王小明"], "There is a member"],
    [["KS300002", ID_NUMBER, "王小明"], "There is a member"],
    [["KS300002", "A123456788", "王小明"], "not a valid ID number"],
    [["KS300002", "A123456770", " "], "A name has"],
    [["KS300002", "A123456770", "王小明", "deposit=1.5"], "Give an account"],
    [["KS300002", "A123456770", "王小明", "deposit=1", "more"], "Give an account"],
    [["KS300002"], "not a valid ID number"],
    [[], "Give an account"],
  ])("refuses %j and creates nobody", async (words, reason) => {
    const { exit, lines } = await run("member", "create", ...words);
    expect([exit, lines.length]).toEqual([2, 1]);
    expect(lines[0]).toContain(reason);
    const others = server.db.kysely.selectFrom("member").select("account").where("account", "not like", "mentor-%");
    expect(await others.execute()).toEqual([{ account: "KS300001" }]);
  });

  it("rejects other verbs", async () => {
    expect((await run("member", "drop", "KS300001")).exit).toBe(2);
  });
});

describe("ops order", () => {
  it("rejects orders that are not open and unknown verbs", async () => {
    expect(await run("order", "K000000000001", "lock")).toEqual({ exit: 2, lines: ["There is no open order K000000000001."] });
    expect((await run("order", "K000000000001")).exit).toBe(2);
  });
});
