/** Tests registration: a newcomer with an invitation gets an account and a session; each refusal is at its field and creates nobody. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Asked } from "#contract/endpoints.ts";
import type { Strokes } from "#contract/signature.ts";
import { query } from "#server/db/database.ts";
import { DEMO_INVITATION } from "#server/ops/seed.ts";
import { STROKES } from "#tests/support/signature.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

let made = 0;
/** A complete form of somebody new. */
function form(over: Partial<Asked<"register">> = {}): Asked<"register"> {
  made += 1;
  return {
    mobile: `09${String(10_000_000 + made)}`,
    idNumber: "F131104093",
    birthDate: "1990-05-17",
    password: "violet-harbour",
    confirmation: "violet-harbour",
    guaranteeCode: "135790",
    invitationCode: DEMO_INVITATION,
    privacy: true,
    representative: null,
    ...over,
  };
}
const register = (over: Partial<Asked<"register">> = {}) => server.call("register", form(over));
const members = async (): Promise<number> =>
  (await query<{ n: number }>(server.db.kysely, "SELECT count(*)::integer AS n FROM member"))[0]?.n ?? 0;

describe("registering", () => {
  it("opens an account, signs in, and the same secrets sign in again", async () => {
    const reply = await register({
      mobile: "+886 955-123-456",
      idNumber: "a100537307",
      invitationCode: ` ${DEMO_INVITATION.toLowerCase()} `,
    });
    if (reply.status !== 1) throw new Error(reply.code);
    expect(reply).toMatchObject({ msg: "注册成功", data: { account: expect.stringMatching(/^KS5\d{5}$/) } });
    const overview = await server.call("readMember", {}, reply.data);
    expect(overview).toMatchObject({ data: { identity: "unverified", totalCents: 0, facts: { fundPassword: false, restrictions: [] } } });
    const row = await server.db.kysely.selectFrom("member").selectAll().where("account", "=", reply.data.account).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ mobile: "0955123456", id_number: "A100537307", birth_date: "1990-05-17", name: "" });
    expect(row.invited_by).not.toBeNull();
    expect(JSON.stringify(row)).not.toMatch(/violet-harbour|135790/);
    const again = await server.call("signIn", { idNumber: "A100537307", password: "violet-harbour", guaranteeCode: "135790" });
    expect(again).toMatchObject({ status: 1, data: { account: reply.data.account } });
  });

  it.each([
    [{ mobile: "0212345678" }, "VAL_MOBILE_INVALID", "mobile"],
    [{ idNumber: "A123456780" }, "VAL_ID_INVALID", "idNumber"],
    [{ birthDate: "1990-02-30" }, "VAL_BIRTH_DATE", "birthDate"],
    [{ birthDate: "2999-01-01" }, "VAL_BIRTH_DATE", "birthDate"],
    [{ birthDate: "1880-01-01" }, "VAL_BIRTH_DATE", "birthDate"],
    [{ password: "" }, "VAL_PASSWORD_EMPTY", "password"],
    [{ password: "seven 7", confirmation: "seven 7" }, "VAL_PASSWORD_LENGTH", "password"],
    [{ password: "password1", confirmation: "password1" }, "VAL_PASSWORD_COMMON", "password"],
    [{ confirmation: "" }, "VAL_CONFIRM_EMPTY", "confirmation"],
    [{ confirmation: "violet-harbor" }, "PWD_CONFIRM_MISMATCH", "confirmation"],
    [{ guaranteeCode: "12345" }, "VAL_GUARANTEE_DIGITS", "guaranteeCode"],
    [{ invitationCode: " " }, "VAL_INVITE_EMPTY", "invitationCode"],
    [{ invitationCode: "NOBODY22" }, "ACC_INVITER_NOT_FOUND", "invitationCode"],
    [{ privacy: false as unknown as true }, "VAL_PRIVACY_REQUIRED", "privacy"],
    [{ idNumber: "A123456789" }, "ACC_EXISTS", "idNumber"],
  ] as const)("%j is refused with %s at %s", async (over, code, field) => {
    const before = await members();
    expect(await register(over)).toMatchObject({ status: 0, code, field });
    expect(await members()).toBe(before);
  });

  it("refuses a mobile number twice, even at the same moment", async () => {
    const mobile = "0999888777";
    const replies = await Promise.all([register({ mobile }), register({ mobile }), register({ mobile: "0999 888 777" })]);
    expect(replies.map((reply) => (reply.status === 1 ? "OK" : `${reply.code} ${reply.field}`)).toSorted()).toEqual([
      "ACC_NUMBER_REGISTERED mobile",
      "ACC_NUMBER_REGISTERED mobile",
      "OK",
    ]);
  });

  it("asks a minor for a representative, and keeps who agreed", async () => {
    const birthDate = `${new Date().getUTCFullYear() - 12}-01-01`;
    expect(await register({ birthDate })).toMatchObject({ code: "VAL_REPRESENTATIVE", field: "representative" });
    const unsigned = { name: " 王大明 ", idNumber: "A800000014", consents: true as const, strokes: [[[10, 10]]] as Strokes };
    expect(await register({ birthDate, representative: unsigned })).toMatchObject({ code: "VAL_REPRESENTATIVE", field: "representative" });
    const representative = { ...unsigned, strokes: STROKES };
    const reply = await register({ birthDate, representative });
    if (reply.status !== 1) throw new Error(reply.code);
    const rows = await query(
      server.db.kysely,
      "SELECT representative.name, representative.id_number, strokes FROM representative JOIN member ON id = member_id WHERE account = $1",
      [reply.data.account],
    );
    expect(rows).toEqual([{ name: "王大明", id_number: "A800000014", strokes: STROKES }]);
    const overview = await server.call("readMember", {}, reply.data);
    expect(overview.status === 1 && overview.data.facts.minor).toBe(true);
  });

  it("takes no invitation of a member who is not verified or may not sign in", async () => {
    const { kysely } = server.db;
    const reply = await register({ idNumber: "Z123456780" });
    if (reply.status !== 1) throw new Error(reply.code);
    const { id, invitation_code: code } = await kysely
      .selectFrom("member")
      .select(["id", "invitation_code"])
      .where("account", "=", reply.data.account)
      .executeTakeFirstOrThrow();
    const invitationCode = code ?? "";
    expect(await register({ invitationCode })).toMatchObject({ code: "ACC_INVITER_NOT_FOUND" });
    await kysely.updateTable("member").set({ identity: "verified" }).where("id", "=", id).execute();
    expect(await register({ invitationCode })).toMatchObject({ status: 1 });
    await kysely
      .updateTable("member")
      .set({ restrictions: ["disabled"] })
      .where("id", "=", id)
      .execute();
    expect(await register({ invitationCode })).toMatchObject({ code: "ACC_INVITER_NOT_FOUND" });
  });

  it("lets several unverified members claim an ID number, each with their own secrets", async () => {
    const idNumber = "B200000004";
    const accounts = [];
    for (const guaranteeCode of ["111222", "333444"]) {
      const reply = await register({ idNumber, guaranteeCode });
      if (reply.status !== 1) throw new Error(reply.code);
      accounts.push(reply.data.account);
    }
    const signIn = async (guaranteeCode: string) => server.call("signIn", { idNumber, password: "violet-harbour", guaranteeCode });
    expect(await signIn("111222")).toMatchObject({ data: { account: accounts[0] } });
    expect(await signIn("333444")).toMatchObject({ data: { account: accounts[1] } });
    expect(await signIn("555666")).toMatchObject({ code: "ACC_BAD_CREDENTIALS" });
  });

  it("lets eight claim an ID number and nobody more, even at the same moment", async () => {
    const idNumber = "A223456781";
    const codes = [];
    for (let n = 0; n < 7; n += 1) codes.push((await register({ idNumber })).status);
    expect(codes).toEqual(Array.from({ length: 7 }, () => 1));
    const last = await Promise.all([register({ idNumber }), register({ idNumber })]);
    expect(last.map((reply) => (reply.status === 0 ? `${reply.code} ${reply.field}` : "OK")).toSorted()).toEqual([
      "ACC_EXISTS idNumber",
      "OK",
    ]);
  });
});
