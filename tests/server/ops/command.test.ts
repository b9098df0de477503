/** Tests the operator's framework: every act leaves one row that nobody can change, personal data is masked, and decisions are applied. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { announcementIn, announcementOf, announcementWords } from "#contract/announcement.ts";
import { query } from "#server/db/database.ts";
import { COMMANDS } from "#server/ops/commands.ts";
import { describeCommands, findCommand, operatingUser, runCommand } from "#server/ops/run-command.ts";
import { availableOf, deposit, depositBecomes, newPayee, withdraw, withdrawalBecomes } from "#tests/server/funding/fixture.ts";
import { ROOT } from "#tests/support/tree.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const docs = readFileSync(join(ROOT, "docs", "operations.md"), "utf8");
let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

interface Ran {
  exit: number;
  lines: string[];
}
async function run(words: readonly string[], who = "operator"): Promise<Ran> {
  const lines: string[] = [];
  const exit = await runCommand(broker.db, words, (line) => lines.push(line), who);
  return { exit, lines };
}
interface Row {
  who: string;
  command: string;
  subject: string;
  before: unknown;
  after: unknown;
}
const audit = (): Promise<Row[]> =>
  query<Row>(broker.db.kysely, "SELECT who, command, subject, before, after FROM operator_act ORDER BY id");
/** Runs a command. @returns the rows it left in the audit as well */
async function watched(words: readonly string[]): Promise<Ran & { rows: Row[] }> {
  const { length } = await audit();
  const ran = await run(words);
  return { ...ran, rows: (await audit()).slice(length) };
}
async function accountOf(memberId: number): Promise<string> {
  const [row] = await query<{ account: string }>(broker.db.kysely, "SELECT account FROM member WHERE id = $1", [memberId]);
  return row?.account ?? "";
}
const restrictionsOf = async (memberId: number) =>
  (await query<{ restrictions: string[] }>(broker.db.kysely, "SELECT restrictions FROM member WHERE id = $1", [memberId]))[0]?.restrictions;

describe("the commands", () => {
  it("are named once, listed and documented", () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const shown = describeCommands();
    for (const name of names) {
      expect(shown).toContain(`  ${name}`);
      expect(docs, `docs/operations.md does not name ${name}`).toContain(`npm run ops -- ${name}`);
    }
  });

  it.each(["announcement", "audit", "config", "margin", "member", "review", "rule"])(
    "list with the noun %s alone, and leave no row",
    async (noun) => {
      expect(findCommand([noun])).not.toBeNull();
      expect(await watched([noun])).toMatchObject({ exit: 0, rows: [] });
    },
  );

  it.each([
    [["nothing"], "There is no command nothing"],
    [["member", "show"], "Give the member's account"],
    [["member", "show", "--account", "KS999999"], "There is no member KS999999"],
    [["member", "show", "--sideways"], "Usage: member show"],
    [["member", "list", "--restriction", "asleep"], "--restriction is one of loginBanned"],
    [["member", "list", "--limit", "0"], "--limit is a number"],
    [["member", "bar", "--account", "KS999999", "--restriction", "frozen", "--reason", "other"], "There is no member"],
    [["member", "bar", "--account", "KS999999", "--restriction", "frozen"], "--reason is one of request"],
    [["member", "bar", "--account", "KS999999", "--reason", "other"], "--restriction is one of"],
    [["member", "create", "KS300002"], "not a valid ID number"],
    [["review", "decide", "loan", "1", "approve"], "Name what is reviewed"],
    [["review", "decide", "deposit", "D999", "approve"], "No deposit D999 is under review"],
    [["review", "decide", "deposit", "D999"], "Give approve or reject"],
    [["review", "decide", "deposit", "D999", "return"], "Give approve or reject"],
    [["review", "decide", "deposit", "D999", "reject", "--words", "no"], "takes no --words"],
    [["margin", "KS999999", "approve"], "No margin KS999999"],
    [["config", "set", "colour", "red"], "There is no setting colour"],
    [["config", "set", "toString", "red"], "There is no setting toString"],
    [["config", "set", "customerService", "javascript:alert(1)"], "customerService is an https:"],
    [["config", "set", "commandsPerSecond", "0"], "commandsPerSecond is a whole number"],
    [["rule", "set", "trade", "colour=1"], "trade has no colour"],
    [["rule", "drop", "trade"], "can be changed, not removed"],
    [["order", "K000000000001", "lock"], "There is no open order"],
    [["announcement", "publish", "--title", "x"], "Give --text"],
    [["announcement", "withdraw", "x"], "There is no announcement x"],
    [["restore", "x"], "an empty database"],
    [["audit", "show", "--before", "x"], "--before is the number"],
  ])("refuse %j in one line, and leave no row", async (words, reason) => {
    const ran = await watched(words);
    expect(ran).toMatchObject({ exit: 2, rows: [] });
    expect(ran.lines).toHaveLength(1);
    expect(ran.lines[0]).toContain(reason);
  });
});

describe("the audit", () => {
  it("says who did what to whom, and what it was before and after", async () => {
    const member = await broker.newMember();
    const account = await accountOf(member);
    const on = ["--account", account, "--restriction"];
    expect(await watched(["member", "bar", ...on, "tradeBarred", "--reason", "review"])).toMatchObject({
      exit: 0,
      rows: [
        {
          who: "operator",
          command: "member bar",
          subject: account,
          before: { restrictions: [] },
          after: { restrictions: ["tradeBarred"], reason: "review", words: "" },
        },
      ],
    });
    expect(await restrictionsOf(member)).toEqual(["tradeBarred"]);
    expect(await watched(["member", "bar", ...on, "tradeBarred", "--reason", "other"])).toMatchObject({ exit: 2, rows: [] });
    await run(["member", "bar", ...on, "withdrawBarred", "--reason", "review"]);
    expect(await watched(["member", "unbar", ...on, "tradeBarred", "--reason", "resolved"])).toMatchObject({
      rows: [{ before: { restrictions: ["tradeBarred", "withdrawBarred"] }, after: { restrictions: ["withdrawBarred"] } }],
    });
    expect(await watched(["member", "unbar", ...on, "tradeBarred", "--reason", "resolved"])).toMatchObject({ exit: 2, rows: [] });
    const { lines } = await run(["audit", "show", "--subject", account, "--limit", "2"]);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(`operator: member unbar ${account} {"restrictions":["tradeBarred","withdrawBarred"]} -> `);
    const [id] = (lines[1] ?? "").split(" ");
    expect((await run(["audit", "show", "--subject", account, "--before", id ?? ""])).lines).toHaveLength(1);
  });

  it.each([
    [["config", "set", "title", "Harbour"], { subject: "title", before: { value: "Kuroshio" }, after: { value: "Harbour" } }],
    [["config", "set", "customerService", "tel:+886212345678"], { before: null, after: { value: "tel:+886212345678" } }],
    [["rule", "set", "trade", "code=2603", "maxLots=5"], { subject: "rule trade", before: null, after: { code: "2603", maxLots: 5 } }],
    [["rule", "set", "trade", "code=2603", "maxLots=6"], { before: { code: "2603", maxLots: 5 }, after: { code: "2603", maxLots: 6 } }],
    [["rule", "drop", "trade", "code=2603"], { before: { code: "2603", maxLots: 6 }, after: null }],
    [["rule", "set", "funding", "usualMinutes=90"], { subject: "rule funding", after: { usualMinutes: 90 } }],
    [["member", "create", "KS300001", "A223456781", "王小明", "deposit=10"], { subject: "KS300001", after: { depositCents: 1_000 } }],
  ])("has one row for %j", async (words, row) => {
    await query(broker.db.kysely, "INSERT INTO setting (name, value, open) VALUES ('title', 'Kuroshio', true) ON CONFLICT DO NOTHING");
    const { exit, rows } = await watched(words);
    expect(exit).toBe(0);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ who: "operator", command: `${words[0]} ${words[1]}`, ...row });
  });

  it.each(["UPDATE operator_act SET who = 'nobody'", "DELETE FROM operator_act", "TRUNCATE operator_act"])("refuses %s", async (sql) => {
    const before = await audit();
    await expect(query(broker.db.kysely, sql)).rejects.toThrow("only ever added to");
    expect(await audit()).toEqual(before);
  });

  it("is written with the act or not at all", async () => {
    const member = await broker.newMember();
    const words = ["member", "bar", "--account", await accountOf(member), "--restriction", "frozen", "--reason", "other"];
    // The table takes no row without a user.
    await expect(run(words, "")).rejects.toThrow();
    expect(await restrictionsOf(member)).toEqual([]);
  });

  it("names the user of the operating system", async () => {
    const { length } = await audit();
    await runCommand(broker.db, ["config", "set", "title", "Kuroshio"], () => undefined);
    expect((await audit())[length]?.who).toBe(operatingUser());
    expect(operatingUser()).not.toBe("");
  });
});

describe("personal data", () => {
  const PRIVATE = ["王大明", "A187654324", "0912345678", "1990-05-06", "3141592653589"];

  it("is masked unless it is asked for, which the audit keeps without the data", async () => {
    const member = await broker.newMember();
    await query(
      broker.db.kysely,
      "UPDATE member SET name = '王大明', id_number = 'A187654324', mobile = '0912345678', birth_date = '1990-05-06', fund_password_hash = $2 WHERE id = $1",
      [member, "none"],
    );
    await query(
      broker.db.kysely,
      "INSERT INTO bank_card (member_id, bank_code, branch, branch_code, number, added_at) VALUES ($1, '004', '台北', '0037', '3141592653589', 0)",
      [member],
    );
    const account = await accountOf(member);
    const show = ["member", "show", "--account", account];
    const list = ["member", "list", "--limit", "1000"];
    for (const words of [show, list]) {
      const { lines, rows } = await watched(words);
      for (const data of PRIVATE) expect(lines.join("\n")).not.toContain(data);
      expect(rows).toEqual([]);
    }
    expect((await run(show)).lines).toEqual(expect.arrayContaining([expect.stringContaining("A******324")]));
    const full = await watched([...show, "--unmasked"]);
    for (const data of PRIVATE) expect(full.lines.join("\n")).toContain(data);
    expect(full.rows).toMatchObject([{ command: "member show", subject: account }]);
    const all = await watched([...list, "--unmasked"]);
    expect(all.lines.join("\n")).toContain("A187654324");
    expect(all.rows).toMatchObject([{ command: "member list", subject: "members" }]);
    const kept = JSON.stringify(await audit());
    for (const data of PRIVATE) expect(kept).not.toContain(data);
  });
});

describe("an announcement", () => {
  it("is in every inbox until it is withdrawn", async () => {
    const ids = [await broker.newMember(), await broker.newMember()];
    const { lines, rows } = await watched(["announcement", "publish", "--title", "Closed on Friday", "--text", "A typhoon is coming."]);
    const no = /^Announcement (\d+) is in \d+ inboxes\.$/.exec(lines[0] ?? "")?.[1] ?? "";
    expect(rows).toMatchObject([{ command: "announcement publish", subject: `announcement ${no}`, after: { title: "Closed on Friday" } }]);
    const newest = async (id: number) => (await broker.call("listMessages", id, { cursor: null })).items[0];
    const notice = { about: "announcement", values: { no, title: "Closed on Friday", text: "A typhoon is coming." } };
    for (const id of ids) expect(await newest(id)).toMatchObject({ kind: "notice", read: false, notice });
    // And as a fact, so that a member whose app is closed gets it by push.
    const toldTo = () => broker.published.flatMap(({ memberId, fact }) => (announcementOf(fact)?.kind === "notice" ? [memberId] : []));
    await vi.waitFor(() => expect(toldTo()).toEqual(expect.arrayContaining(ids)), { timeout: 20_000 });
    const [message] = (await broker.call("listMessages", ids[0] ?? 0, { cursor: null })).items;
    const announcement = message && announcementIn(message);
    const t = (key: string, values?: object) => `${key} ${JSON.stringify(values)}`;
    const words = announcement && announcementWords(announcement, { language: "en", instrument: undefined, t });
    expect(words?.title).toContain("Closed on Friday");
    expect((await run(["announcement", "list"])).lines[0]).toContain("Closed on Friday");
    expect(await watched(["announcement", "withdraw", no])).toMatchObject({ exit: 0, rows: [{ before: { title: "Closed on Friday" } }] });
    for (const id of ids) expect(await newest(id)).toMatchObject({ kind: "welcome" });
    expect(await watched(["announcement", "withdraw", no])).toMatchObject({ exit: 2, rows: [] });
    expect((await run(["announcement", "list"])).lines[0]).toContain("(withdrawn)");
  });
});

describe("a review", () => {
  const decide = async (kind: string, subject: string, verdict: string) => {
    const ran = await watched(["review", "decide", kind, subject, verdict]);
    expect(ran).toMatchObject({ exit: 0, rows: [{ command: "review decide", subject: `${kind} ${subject}` }] });
  };
  async function submitIdentity(member: number): Promise<string> {
    await query(broker.db.kysely, "UPDATE member SET identity = 'underReview' WHERE id = $1", [member]);
    const [row] = await query<{ id: string }>(
      broker.db.kysely,
      `INSERT INTO identity_submission (member_id, name, id_number, front, back, submitted_at)
      VALUES ($1, '王小明', $2, 'none', 'none', $3) RETURNING id::text`,
      [member, `ID${member}`, broker.clock.now],
    );
    return row?.id ?? "";
  }

  it.each([
    ["approve", { status: "verified", reason: null }],
    ["reject", { status: "rejected", reason: "operator" }],
  ])("of an identity: %s", async (verdict, expected) => {
    const member = await broker.newMember({ identity: "unverified" });
    const id = await submitIdentity(member);
    expect((await run(["review", "list", "identity"])).lines.join()).toContain(`identity ${id} ${await accountOf(member)}`);
    await decide("identity", id, verdict);
    await vi.waitFor(async () => expect(await broker.call("readIdentity", member, {})).toMatchObject(expected), { timeout: 30_000 });
    expect((await run(["review", "list", "identity"])).lines).toEqual(["Nothing is under review."]);
  });

  it("is decided once", async () => {
    const member = await broker.newMember({ depositCents: 0 });
    const { depositNo } = await deposit(broker, member);
    await decide("deposit", depositNo, "reject");
    expect(await watched(["review", "decide", "deposit", depositNo, "approve"])).toMatchObject({ exit: 2, rows: [] });
    broker.clock.now += 6_000;
    expect(await depositBecomes(broker, member, depositNo, "rejected")).toMatchObject({ reason: "operator" });
    expect(await availableOf(broker, member)).toBe(0);
  });

  it("of a deposit: approved, it is credited at once", async () => {
    const member = await broker.newMember({ depositCents: 0 });
    const { depositNo } = await deposit(broker, member);
    await decide("deposit", depositNo, "approve");
    await depositBecomes(broker, member, depositNo, "credited");
    expect(await availableOf(broker, member)).toBe(1_000_000);
  });

  it("of a withdrawal: approved, it is under way at once; rejected, the money returns", async () => {
    const [payee, other] = [await newPayee(broker), await newPayee(broker)];
    const approved = await withdraw(broker, payee);
    await decide("withdrawal", approved.withdrawalNo, "approve");
    await withdrawalBecomes(broker, payee.member, approved.withdrawalNo, "processing");
    const rejected = await withdraw(broker, other);
    await decide("withdrawal", rejected.withdrawalNo, "reject");
    expect(await withdrawalBecomes(broker, other.member, rejected.withdrawalNo, "failed")).toMatchObject({ reason: "operator" });
    expect(await availableOf(broker, other.member)).toBe(100_000_000);
  });

  it.each([
    ["agent", "approve", "approved"],
    ["seat", "return", "returned"],
  ])("of an application: %s, %s", async (kind, verb, expected) => {
    const member = await broker.newMember();
    const no = `${kind}-${member}`;
    const values = [no, member, kind, broker.clock.now];
    await query(
      broker.db.kysely,
      `INSERT INTO application (application_no, id, member_id, kind, status, statement, submitted_at, changed_at)
      VALUES ($1, $2, $2, $3, 'pendingReview', 'I bring many friends here.', $4, $4)`,
      values,
    );
    expect((await run(["review", "list", kind])).lines.join()).toContain(`${kind} ${no} ${await accountOf(member)}`);
    await decide(kind, no, verb);
    const status = async () =>
      (await query<{ status: string }>(broker.db.kysely, "SELECT status FROM application WHERE application_no = $1", [no]))[0]?.status;
    await vi.waitFor(
      async () => expect(expected === "returned" ? ["waiting"] : ["approved", "processing", "success"]).toContain(await status()),
      { timeout: 30_000 },
    );
  });

  it("of an application for margin", async () => {
    const member = await broker.newMember();
    const account = await accountOf(member);
    const applied = "UPDATE trader SET margin_status = 'pendingReview', margin_applied_at = $2 WHERE member_id = $1";
    await query(broker.db.kysely, applied, [member, broker.clock.now]);
    await decide("margin", account, "reject");
    const status = async () =>
      (await query<{ margin_status: string }>(broker.db.kysely, "SELECT margin_status FROM trader WHERE member_id = $1", [member]))[0];
    await vi.waitFor(async () => expect(await status()).toEqual({ margin_status: "rejected" }), { timeout: 30_000 });
  });
});
