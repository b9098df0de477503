/** Tests the fund password: wrong tries are counted whatever becomes of the command, lock it for a while, and say how many are left. */
import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { checkFundPassword } from "#server/accounts/fund-password.ts";
import { readMemberFacts } from "#server/accounts/member-facts.ts";
import type { FactSources } from "#server/accounts/member-facts.ts";
import { query } from "#server/db/database.ts";
import { hashSecret } from "#server/kernel/secret-hash.ts";
import { openRules } from "#server/rules/rules.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const RIGHT = "246810";

let broker: TestBroker;
let sources: FactSources;
let secret: string;
const clock = { now: Date.UTC(2026, 6, 1, 2) };
beforeAll(async () => {
  broker = await openTestBroker({ clock });
  sources = { rules: await openRules(broker.db.kysely), now: () => clock.now };
  secret = await hash(RIGHT);
});
afterAll(() => broker.shut());

async function withPassword(): Promise<number> {
  const member = await broker.newMember();
  await query(broker.db.kysely, "UPDATE member SET fund_password_hash = $2 WHERE id = $1", [member, secret]);
  return member;
}
const check = (member: number, typed: string) => checkFundPassword(broker.db, member, typed, sources);
const wrong = (left: number) => ({ code: "PWD_FUND_WRONG", params: { n: left }, field: "fundPassword" });
const LOCKED = { code: "PWD_FUND_LOCKED", params: { n: 15 }, field: "fundPassword" };

describe("the fund password", () => {
  it("is refused where none is set", async () => {
    const member = await broker.newMember();
    expect(await refusalOf(check(member, RIGHT))).toMatchObject({ code: "PWD_FUND_NOT_SET" });
    expect(await readMemberFacts(broker.db.kysely, member, sources)).toMatchObject({ fundPassword: false });
  });

  it("is taken when right, and the tries start again after it", async () => {
    const member = await withPassword();
    expect(await readMemberFacts(broker.db.kysely, member, sources)).toMatchObject({ fundPassword: true });
    await check(member, RIGHT);
    expect(await refusalOf(check(member, "000000"))).toEqual(wrong(4));
    expect(await refusalOf(check(member, "000000"))).toEqual(wrong(3));
    await check(member, RIGHT);
    expect(await refusalOf(check(member, "000000"))).toEqual(wrong(4));
  });

  it("loses no try when it is too busy to be verified", async () => {
    const member = await withPassword();
    expect(await refusalOf(check(member, "000000"))).toEqual(wrong(4));
    // More than run and wait at once; who finishes queues again in the same turn, so that no place is ever free.
    const state = { isOver: false };
    const keepBusy = async (): Promise<void> => {
      while (!state.isOver) await hashSecret("another");
    };
    const others = Promise.allSettled(Array.from({ length: 80 }, keepBusy));
    expect(await refusalOf(check(member, RIGHT))).toMatchObject({ code: "GEN_SYSTEM_BUSY" });
    state.isOver = true;
    await others;
    expect(await refusalOf(check(member, "000000"))).toEqual(wrong(3));
  });

  it("is checked one at a time: right ones at once are all right, and a flood is refused", async () => {
    const member = await withPassword();
    const checks = await Promise.allSettled(Array.from({ length: 12 }, () => check(member, RIGHT)));
    expect(checks.slice(0, 9).map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => "fulfilled"));
    expect(checks.slice(9)).toMatchObject([1, 2, 3].map(() => ({ status: "rejected", reason: { code: "GEN_TOO_FREQUENT" } })));
  });

  it("is locked after five wrong tries, even for the right one, until the time is over", async () => {
    const member = await withPassword();
    for (const left of [4, 3, 2, 1]) expect(await refusalOf(check(member, "000000"))).toEqual(wrong(left));
    expect(await refusalOf(check(member, "000000"))).toEqual(LOCKED);
    expect(await refusalOf(check(member, RIGHT))).toEqual(LOCKED);
    clock.now += 14 * MINUTE_MS + 1;
    expect(await refusalOf(check(member, RIGHT))).toEqual({ ...LOCKED, params: { n: 1 } });
    clock.now += MINUTE_MS;
    expect(await refusalOf(check(member, "000000"))).toEqual(wrong(4));
    await check(member, RIGHT);
  });

  it("counts parallel tries one by one", async () => {
    const member = await withPassword();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refusalOf(check(member, "000000"))));
    const left = answers.map(({ code, params }) => (code === "PWD_FUND_WRONG" ? String(params.n) : code)).toSorted();
    expect(left).toEqual(["1", "2", "3", "4", ...Array<string>(4).fill("PWD_FUND_LOCKED")]);
  });
});
