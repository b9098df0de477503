/** Tests the secrets of members: forgotten and changed sign-in passwords, and the life of the fund password. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Asked } from "#contract/endpoints.ts";
import { cents } from "#contract/kernel/money.ts";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { openCodes } from "#server/accounts/one-time-code.ts";
import { registrationHandlers } from "#server/api/registration.ts";
import { DEMO_INVITATION } from "#server/ops/seed.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { refusalOf } from "#tests/support/trading.ts";

const ID = "F131104093";
const PASSWORD = "violet-harbour";
const NEW = "amber-lighthouse";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

let made = 0;
interface Newcomer extends Headers {
  mobile: string;
  guaranteeCode: string;
}
async function newcomer(): Promise<Newcomer> {
  made += 1;
  const mobile = `09${String(20_000_000 + made)}`;
  const guaranteeCode = String(500_000 + made);
  const asked: Asked<"register"> = {
    mobile,
    idNumber: ID,
    birthDate: "1990-05-17",
    password: PASSWORD,
    confirmation: PASSWORD,
    guaranteeCode,
    invitationCode: DEMO_INVITATION,
    privacy: true,
    representative: null,
  };
  // Those of earlier tests claim it no more: only a few may.
  await server.db.kysely.updateTable("member").set({ id_number: "" }).where("id_number", "=", ID).execute();
  const reply = await server.call("register", asked);
  if (reply.status !== 1) throw new Error(reply.code);
  return { token: reply.data.token, account: reply.data.account, mobile, guaranteeCode };
}
const signIn = (password: string, guaranteeCode: string) => server.call("signIn", { idNumber: ID, password, guaranteeCode });
const restore = async (as: Headers): Promise<number> => (await server.post("restoreSession", "{}", as)).http;

describe("a forgotten password", () => {
  const ask = (mobile: string) => server.call("requestPasswordCode", { idNumber: ID, mobile });
  const reset = (mobile: string, oneTimeCode: string) =>
    server.call("resetPassword", {
      idNumber: ID,
      mobile,
      oneTimeCode,
      password: NEW,
      confirmation: NEW,
      guaranteeCode: "999000",
    });
  const codeOf = async (mobile: string): Promise<string> => {
    const reply = await ask(mobile);
    return (reply.status === 1 && reply.data.sandboxCode) || "";
  };
  /** Another six digits. */
  const other = (code: string): string => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

  it("is replaced with a code from the member's phone, together with the guarantee code, and every session ends", async () => {
    const me = await newcomer();
    const code = await codeOf(me.mobile);
    expect(code).toMatch(/^\d{6}$/);
    expect(await reset(me.mobile, other(code))).toMatchObject({ code: "ACC_CODE_WRONG", field: "oneTimeCode" });
    expect(await reset(me.mobile, code)).toMatchObject({ status: 1 });
    expect(await restore(me)).toBe(401);
    expect(await signIn(PASSWORD, me.guaranteeCode)).toMatchObject({ code: "ACC_BAD_CREDENTIALS" });
    expect(await signIn(NEW, "999000")).toMatchObject({ data: { account: me.account } });
    expect(await reset(me.mobile, code)).toMatchObject({ code: "ACC_CODE_WRONG" });
  });

  it("takes three tries of a code, and a new code ends the old one", async () => {
    const me = await newcomer();
    const first = await codeOf(me.mobile);
    const second = await codeOf(me.mobile);
    if (first !== second) expect(await reset(me.mobile, first)).toMatchObject({ code: "ACC_CODE_WRONG" });
    for (const code of [other(second), other(second)]) expect(await reset(me.mobile, code)).toMatchObject({ code: "ACC_CODE_WRONG" });
    expect(await reset(me.mobile, second)).toMatchObject({ code: "ACC_CODE_WRONG" });
  });

  it("answers for a number that nobody has as for one that somebody has", async () => {
    const [known, unknown] = [await ask((await newcomer()).mobile), await ask("0987654321")];
    if (known.status !== 1 || unknown.status !== 1) throw new Error("refused");
    expect(Object.keys(unknown.data)).toEqual(Object.keys(known.data));
    expect(unknown.data.sandboxCode).toMatch(/^\d{6}$/);
    expect(await reset("0987654321", unknown.data.sandboxCode ?? "")).toMatchObject({ code: "ACC_CODE_WRONG" });
  });

  it("sends five codes to a number and then no more for a while", async () => {
    const { mobile } = await newcomer();
    for (let n = 0; n < 5; n += 1) expect(await ask(mobile)).toMatchObject({ status: 1 });
    expect(await ask(mobile)).toMatchObject({ code: "GEN_TOO_FREQUENT" });
  });

  it("sends twenty codes to a number in a day, however they are spread", async () => {
    let at = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: at });
    try {
      const codes = openCodes(server.db, { kind: "sandbox" }, () => at);
      const send = (subject: string) => codes.send(null, "resetPassword", subject);
      for (let n = 0; n < 20; n += 1) {
        if (n % 5 === 0) vi.setSystemTime((at += 11 * MINUTE_MS));
        expect((await send("A")).sandboxCode).toMatch(/^\d{6}$/);
      }
      vi.setSystemTime((at += 11 * MINUTE_MS));
      expect(await refusalOf(send("A"))).toMatchObject({ code: "GEN_TOO_FREQUENT" });
      expect(await send("B")).toBeTruthy();
      vi.setSystemTime((at += DAY_MS));
      expect(await send("A")).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });

  it("counts the codes of one address in a day, for any members", async () => {
    const handlers = registrationHandlers({
      db: server.db,
      sessions: server.sessions,
      sequencer: {
        rules: {
          of: () => {
            throw new Error("not asked");
          },
        },
      },
      codes: { ...openCodes(server.db, { kind: "sandbox" }, Date.now), send: async () => ({ expiresAt: 0, sandboxCode: null }) },
      now: Date.now,
    });
    let at = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: at });
    try {
      const askFrom = (address: string, n: number) =>
        handlers.requestPasswordCode({ address } as never, { idNumber: "A123456789", mobile: `09${String(70_000_000 + n)}` });
      for (let n = 0; n < 200; n += 1) {
        if (n % 30 === 0) vi.setSystemTime((at += 11 * MINUTE_MS));
        await askFrom("203.0.113.9", n);
      }
      vi.setSystemTime((at += 11 * MINUTE_MS));
      expect(await refusalOf(askFrom("203.0.113.9", 200))).toMatchObject({ code: "GEN_TOO_FREQUENT" });
      await askFrom("203.0.113.10", 201);
      vi.setSystemTime((at += DAY_MS));
      await askFrom("203.0.113.9", 202);
    } finally {
      vi.useRealTimers();
    }
  });

  it("sends nothing where codes can neither be mailed nor shown, and a code is good for five minutes only", async () => {
    const { mobile } = await newcomer();
    const { id } = await server.db.kysely.selectFrom("member").select("id").where("mobile", "=", mobile).executeTakeFirstOrThrow();
    let now = Date.now();
    const none = openCodes(server.db, { kind: "none" }, () => now);
    expect(await refusalOf(none.send({ memberId: id, mobile }, "resetPassword", mobile))).toMatchObject({ code: "ACC_CODE_UNSENDABLE" });
    const codes = openCodes(server.db, { kind: "sandbox" }, () => now);
    const { sandboxCode, expiresAt } = await codes.send({ memberId: id, mobile }, "resetPassword", mobile);
    expect(expiresAt).toBe(now + 5 * MINUTE_MS);
    now += 5 * MINUTE_MS;
    expect(await refusalOf(codes.take(id, "resetPassword", sandboxCode ?? ""))).toMatchObject({ code: "ACC_CODE_WRONG" });
    now -= 1;
    await codes.take(id, "resetPassword", sandboxCode ?? "");
  });
});

describe("the sign-in password", () => {
  it("is changed with the old one, which ends the other sessions and slows withdrawals", async () => {
    const me = await newcomer();
    const elsewhere = await signIn(PASSWORD, me.guaranteeCode);
    if (elsewhere.status !== 1) throw new Error(elsewhere.code);
    const body = { current: PASSWORD, password: NEW, confirmation: NEW };
    expect(await server.call("changePassword", { ...body, current: "wrong" }, me)).toMatchObject({
      code: "PWD_ORIGINAL_WRONG",
      field: "current",
    });
    expect(await server.call("changePassword", body, me)).toMatchObject({ msg: "修改密码成功", data: { sessionsEnded: 1 } });
    expect([await restore(me), await restore(elsewhere.data)]).toEqual([200, 401]);
    expect(await signIn(PASSWORD, me.guaranteeCode)).toMatchObject({ code: "ACC_BAD_CREDENTIALS" });
    expect(await signIn(NEW, me.guaranteeCode)).toMatchObject({ status: 1 });
    const overview = await server.call("readMember", {}, me);
    expect(overview.status === 1 && overview.data.facts.slowedUntil).toBeGreaterThan(Date.now());
  });

  it("cannot be guessed with a stolen session", async () => {
    const me = await newcomer();
    const body = { password: NEW, confirmation: NEW };
    for (let n = 0; n < 5; n += 1) {
      expect(await server.call("changePassword", { ...body, current: `wrong ${n}` }, me)).toMatchObject({ code: "PWD_ORIGINAL_WRONG" });
    }
    expect(await server.call("changePassword", { ...body, current: PASSWORD }, me)).toMatchObject({ code: "GEN_TOO_FREQUENT" });
  });
});

describe("the fund password", () => {
  const pair = (fundPassword: string) => ({ fundPassword, confirmation: fundPassword });
  const set = (as: Headers, fundPassword: string, current = PASSWORD) =>
    server.call("setFundPassword", { current, ...pair(fundPassword) }, as);
  const change = (as: Headers, current: string, fundPassword: string) =>
    server.call("changeFundPassword", { current, ...pair(fundPassword) }, as);
  const facts = async (as: Headers) => {
    const reply = await server.call("readMember", {}, as);
    if (reply.status !== 1) throw new Error(reply.code);
    return reply.data.facts;
  };

  it("is set once with the sign-in password; a new account's first one slows nothing", async () => {
    const me = await newcomer();
    expect(await change(me, "111222", "246810")).toMatchObject({ code: "PWD_FUND_NOT_SET", field: "current" });
    expect(await set(me, "246810", "wrong")).toMatchObject({ code: "PWD_ORIGINAL_WRONG", field: "current" });
    expect(await set(me, "24681")).toMatchObject({ code: "VAL_FUND_DIGITS", field: "fundPassword" });
    expect(await set(me, "246810")).toMatchObject({ msg: "设置资金密码成功" });
    expect(await facts(me)).toMatchObject({ fundPassword: true, slowedUntil: null });
    expect(await set(me, "135791")).toMatchObject({ code: "PWD_FUND_EXISTS" });
  });

  it("is changed with the old one, and tells how many tries are left", async () => {
    const me = await newcomer();
    await set(me, "246810");
    expect(await change(me, "000000", "135791")).toMatchObject({ code: "PWD_FUND_WRONG", params: { n: 4 }, field: "current" });
    expect(await change(me, "246810", "135791")).toMatchObject({ status: 1 });
    expect(await change(me, "246810", "135791")).toMatchObject({ code: "PWD_FUND_WRONG" });
    expect((await facts(me)).slowedUntil).toBeGreaterThan(Date.now());
  });

  it("is reset with a code for it, not with one for the sign-in password", async () => {
    const me = await newcomer();
    expect(await server.call("requestFundCode", {}, me)).toMatchObject({ code: "PWD_FUND_NOT_SET" });
    await set(me, "246810");
    const fund = await server.call("requestFundCode", {}, me);
    const signInCode = await server.call("requestPasswordCode", { idNumber: ID, mobile: me.mobile });
    if (fund.status !== 1 || signInCode.status !== 1) throw new Error("refused");
    const reset = (oneTimeCode: string | null) =>
      server.call("resetFundPassword", { oneTimeCode: oneTimeCode ?? "", ...pair("975310") }, me);
    if (fund.data.sandboxCode !== signInCode.data.sandboxCode) {
      expect(await reset(signInCode.data.sandboxCode)).toMatchObject({ code: "PWD_SECRET_MISMATCH", field: "oneTimeCode" });
    }
    expect(await reset(fund.data.sandboxCode)).toMatchObject({ status: 1 });
    expect(await change(me, "975310", "246810")).toMatchObject({ status: 1 });
  });
});

describe("closing the account", () => {
  it("ends every session at once, frees the ID number, and no secret opens it again", async () => {
    const secrets = { idNumber: "B200000004", password: PASSWORD, guaranteeCode: "246810" };
    const account = "KS900007";
    const member = { account, ...secrets, name: "林海", identity: "verified", depositCents: cents(0), at: Date.now() } as const;
    const id = await createMember(server.db, member);
    const enter = async (): Promise<Headers> => ({ token: (await server.sessions.open(id, "test")).token, account });
    const [me, elsewhere] = [await enter(), await enter()];
    expect(await restore(elsewhere)).toBe(200);
    expect(await server.call("closeAccount", { current: `${PASSWORD}!` }, me)).toMatchObject({
      code: "PWD_ORIGINAL_WRONG",
      field: "current",
    });
    expect(await server.call("closeAccount", { current: PASSWORD }, me)).toMatchObject({ status: 1 });
    expect([await restore(me), await restore(elsewhere)]).toEqual([401, 401]);
    expect(await server.call("signIn", secrets)).toMatchObject({ code: "ACC_BAD_CREDENTIALS" });
    const claimed = await server.db.kysely
      .selectFrom("member")
      .select("id")
      .where("id", "=", id)
      .where("id_number", "=", secrets.idNumber)
      .execute();
    expect(claimed).toEqual([]);
  });
});
