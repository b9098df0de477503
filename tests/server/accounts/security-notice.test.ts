/** Tests that every change a thief would make is in the member's inbox and told about, once, and that one untellable message stops no other. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { Message } from "#contract/message.ts";
import type { SecurityNotice } from "#contract/notice.ts";
import { SECURITY_NOTICES } from "#contract/notice.ts";
import { tellUntold } from "#server/accounts/untold-messages.ts";
import { noteChange } from "#server/accounts/security-notice.ts";
import { query } from "#server/db/database.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { FUND_PASSWORD, newId, addCard } from "#tests/server/funding/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

const notices = async (member: number): Promise<NonNullable<Message["notice"]>[]> => {
  const { items } = await broker.call("listMessages", member, { cursor: null });
  return items.flatMap(({ notice }) => notice ?? []).toReversed();
};
const told = (member: number): Message[] =>
  broker.published.flatMap(({ memberId, fact }) => (memberId === member && fact.type === "message.arrived" ? [fact.message] : []));

it("each change is in the inbox, named and masked, and told about once", async () => {
  const member = await broker.newMember();
  const mobile = `09${String(10_000_000 + member)}`;
  await query(broker.db.kysely, "UPDATE member SET mobile = $2 WHERE id = $1", [member, mobile]);
  const { id_number: idNumber } = await broker.db.kysely
    .selectFrom("member")
    .select("id_number")
    .where("id", "=", member)
    .executeTakeFirstOrThrow();
  const fund = (fundPassword: string) => ({ fundPassword, confirmation: fundPassword });
  await broker.call("setFundPassword", member, { current: "secret", ...fund("246802") });
  await broker.call("changeFundPassword", member, { current: "246802", ...fund(FUND_PASSWORD) });
  await broker.call("setChannelPassword", member, { current: "secret", channelPassword: "letters99", confirmation: "letters99" });
  const card = await addCard(broker, member, { cardNumber: "12345678901234" });
  const address = "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW";
  await broker.call("addAddress", member, { requestId: newId(), network: "trc20", address, fundPassword: FUND_PASSWORD });
  await broker.call("changePassword", member, { current: "secret", password: "amber-lighthouse", confirmation: "amber-lighthouse" });
  await query(
    broker.db.kysely,
    `INSERT INTO passkey (member_id, credential_id, public_key, counter, rp_id, name, added_at, synced, transports)
     VALUES ($1, 'thief', '\\x00', 0, 'localhost', 'A thief''s', 0, false, '{}')`,
    [member],
  );
  const { sandboxCode } = await broker.call("requestPasswordCode", member, { idNumber, mobile });
  const secrets = { password: "violet-harbour", confirmation: "violet-harbour", guaranteeCode: "112233" };
  await broker.call("resetPassword", member, { idNumber, mobile, oneTimeCode: sandboxCode ?? "", ...secrets });
  // A passkey of somebody else would be a way in after the reset.
  expect(await query(broker.db.kysely, "SELECT FROM passkey WHERE member_id = $1", [member])).toEqual([]);

  const expected: [SecurityNotice, Record<string, string>][] = [
    ["fundPasswordSet", {}],
    ["fundPasswordChanged", {}],
    ["channelPasswordChanged", {}],
    ["cardAdded", { number: card.number }],
    ["addressAdded", { address: "TJCnKs…sxMW" }],
    ["passwordChanged", {}],
    ["passwordReset", {}],
  ];
  expect((await notices(member)).map(({ about, values }) => [about, values])).toEqual(expected);
  await vi.waitFor(() => expect(told(member).map(({ notice }) => notice?.about)).toHaveLength(expected.length), { timeout: 20_000 });
  const kinds = told(member).map(({ notice }) => notice?.about);
  expect(kinds).toEqual(expect.arrayContaining(expected.map(([about]) => about)));
  // Those of passkeys are tested where passkeys are made.
  expect(SECURITY_NOTICES.filter((about) => !expected.some(([one]) => one === about))).toEqual(["passkeyAdded", "passkeyRemoved"]);
});

it("a message that cannot be told is reported and waits, and the others are told", async () => {
  const own = await openTestBroker();
  // Only this test tells.
  await own.stop();
  const [bad, good] = [await own.newMember(), await own.newMember()];
  const failures: unknown[] = [];
  const told: number[] = [];
  let isBroken = true;
  const submit = async <Result>(command: QueuedCommand<Result>): Promise<Result> => {
    if (command.memberIds[0] === bad && isBroken) throw new Error("broken");
    told.push(...command.memberIds);
    return own.sequencer.submit(command);
  };
  await own.db.transaction(async (tx) => {
    for (const member of [bad, good]) await noteChange(tx, member, own.clock.now, "passwordChanged");
  });
  const waiting = new Map<number, number>();
  const tell = () =>
    tellUntold({ db: own.db, sequencer: { submit }, now: () => own.clock.now, report: (error: unknown) => failures.push(error) }, waiting);
  await tell();
  isBroken = false;
  await tell();
  expect([told, failures.length]).toEqual([[good], 1]);
  own.clock.now += MINUTE_MS;
  await tell();
  await tell();
  expect([told, failures.length]).toEqual([[good, bad], 1]);
  await own.shut();
});
