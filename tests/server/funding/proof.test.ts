/** Proofs and channel passwords of deposits on a real broker: stored re-encoded, counted once; wrong passwords counted and made to wait. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { depositStep, prepareDeposit, submit } from "#server/accounts/deposit.ts";
import type { DepositsInBatch } from "#server/accounts/deposit.ts";
import { sweepPhotos } from "#server/accounts/identity-review.ts";
import { query } from "#server/db/database.ts";
import { runCommand } from "#server/ops/run-command.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { availableOf, deposit, depositBecomes, depositCredited, expectCleanBooks, newId, newProof, pass, setFunding } from "./fixture.ts";

const DAY = 86_400;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const newMember = () => broker.newMember({ depositCents: 0 });
const PHOTO = { content: Buffer.from("the same receipt"), width: 600, height: 800 };
const sameProof = (member: number): Promise<string> => broker.photos.put(member, PHOTO);
const photosOf = async (member: number): Promise<number> =>
  (await query(broker.db.kysely, "SELECT FROM photo WHERE member_id = $1", [member])).length;

describe("a proof", () => {
  it("is stored re-encoded, and only its member reads it", async () => {
    const member = await newMember();
    const image = await sharp({ create: { width: 700, height: 900, channels: 3, background: "#884422" } })
      .withExif({ IFD0: { Model: "Harbour Camera" } })
      .jpeg()
      .toBuffer();
    const { id } = await broker.call("uploadPhoto", member, { content: image.toString("base64") });
    const { proofId, depositNo } = await deposit(broker, member, { proofId: id });
    expect(proofId).toBe(id);
    const { content } = await broker.call("readPhoto", member, { id });
    expect((await sharp(Buffer.from(content, "base64")).metadata()).exif).toBeUndefined();
    expect(await refusalOf(broker.call("readPhoto", await newMember(), { id }))).toMatchObject({ code: "GEN_NOT_FOUND" });
    expect(await broker.call("readDeposit", member, { depositNo })).toMatchObject({ proofId: id });
  });

  it("counts for one deposit, of whichever member, also when the operator approves both in one batch", async () => {
    const [first, second] = [await newMember(), await newMember()];
    for (const member of [first, second]) await setFunding(broker, member, { bookSeconds: 1_000 });
    const one = await deposit(broker, first, { proofId: await sameProof(first) });
    const two = await deposit(broker, second, { proofId: await sameProof(second) });
    pass(broker, 6);
    await depositBecomes(broker, first, one.depositNo, "processing");
    await depositBecomes(broker, second, two.depositNo, "processing");
    for (const { depositNo } of [two, one]) {
      expect(await runCommand(broker.db, ["review", "decide", "deposit", depositNo, "approve"], () => undefined)).toBe(0);
    }
    await Promise.all([broker.sequencer.submit(depositStep(second)), broker.sequencer.submit(depositStep(first))]);
    await depositBecomes(broker, first, one.depositNo, "credited");
    expect(await depositBecomes(broker, second, two.depositNo, "rejected")).toMatchObject({ reason: "proofReused" });
    expect([await availableOf(broker, first), await availableOf(broker, second)]).toEqual([1_000_000, 0]);
  });

  it("of a credited deposit rejects a later one, and of a rejected one can be used again", async () => {
    const member = await newMember();
    const proofId = await newProof(broker, member);
    const ends = async (status: "credited" | "rejected") => {
      const { depositNo } = await deposit(broker, member, { proofId });
      pass(broker, 6);
      await depositBecomes(broker, member, depositNo, "processing");
      if (status === "rejected" && (await availableOf(broker, member)) === 0) {
        await runCommand(broker.db, ["review", "decide", "deposit", depositNo, "reject"], () => undefined);
      } else pass(broker, 4);
      return depositBecomes(broker, member, depositNo, status);
    };
    expect((await ends("rejected")).reason).toBe("operator");
    await ends("credited");
    expect((await ends("rejected")).reason).toBe("proofReused");
    expect(await availableOf(broker, member)).toBe(1_000_000);
  });

  it("is deleted some days after the end of its deposit, and not before", async () => {
    const member = await newMember();
    await depositCredited(broker, member, 10_000);
    const { photoDays } = broker.sequencer.rules.of(member).account;
    const deps = { db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now };
    pass(broker, photoDays * DAY - 60);
    await sweepPhotos(deps);
    expect(await photosOf(member)).toBe(1);
    pass(broker, 120);
    await sweepPhotos(deps);
    expect(await photosOf(member)).toBe(0);
  });
});

describe("in one batch with", () => {
  /** Submits a deposit within the batch that is being gathered. */
  function submitNow(member: number): Promise<string | null> {
    let read: DepositsInBatch | null = null;
    return broker.sequencer.submit({
      memberIds: [member],
      prepare: async (tx, batch) => {
        read = await prepareDeposit(tx, batch, member, "transfer");
      },
      decide: (batch) => {
        const typed = { amount: 10_000, proof: { id: "p".repeat(22), hash: newId() }, provenPassword: false };
        return read && submit(batch, member, typed, read).deposit_no;
      },
    });
  }

  it("a second deposit, it is refused, and the commands of others stay in their batch", async () => {
    const [member, other] = [await newMember(), await newMember()];
    const replies = await Promise.allSettled([submitNow(member), submitNow(other), submitNow(member)]);
    expect(replies).toMatchObject([
      { status: "fulfilled" },
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "FUND_DEPOSIT_PENDING" } },
    ]);
    for (const one of [member, other]) expect((await broker.call("listDeposits", one, { cursor: null })).items).toHaveLength(1);
  });

  it("its own last step twice, it is credited once, and a new one can follow", async () => {
    const member = await newMember();
    const { depositNo } = await deposit(broker, member);
    pass(broker, 6);
    await depositBecomes(broker, member, depositNo, "processing");
    broker.clock.now += 4_000;
    const [, , next] = await Promise.all([
      broker.sequencer.submit(depositStep(member)),
      broker.sequencer.submit(depositStep(member)),
      submitNow(member),
    ]);
    expect(next).not.toBeNull();
    await depositBecomes(broker, member, depositNo, "credited");
    expect(await availableOf(broker, member)).toBe(1_000_000);
  });
});

describe("a channel with a password", () => {
  const RIGHT = "Harbour7";
  const set = (member: number, over = {}) =>
    broker.call("setChannelPassword", member, { current: "secret", channelPassword: RIGHT, confirmation: RIGHT, ...over });
  const pay = (member: number, channelPassword: string | null, channelId = "password") =>
    deposit(broker, member, { channelId, channelPassword });

  it("takes no deposit before one is set, nor one without it", async () => {
    const member = await newMember();
    const notSet = { code: "PWD_CHANNEL_NOT_SET", field: "channelPassword" };
    expect(await refusalOf(pay(member, RIGHT))).toMatchObject(notSet);
    expect(await refusalOf(set(member, { current: "wrong" }))).toMatchObject({ code: "PWD_ORIGINAL_WRONG", field: "current" });
    expect(await broker.call("readDepositing", member, {})).toMatchObject({ channelPassword: false });
    await set(member);
    expect(await broker.call("readDepositing", member, {})).toMatchObject({ channelPassword: true });
    expect(await refusalOf(pay(member, null))).toMatchObject(notSet);
    expect(await pay(member, RIGHT)).toMatchObject({ status: "pending", channel: "password" });
  });

  it("says how many tries are left, then makes each one wait, also the right one", async () => {
    const member = await newMember();
    await set(member);
    await setFunding(broker, member, { channelPasswordTries: 3, channelPasswordWaitMinutes: 2 });
    for (const n of [2, 1]) {
      expect(await refusalOf(pay(member, "wrong123"))).toMatchObject({
        code: "PWD_CHANNEL_WRONG",
        params: { n },
        field: "channelPassword",
      });
    }
    const waits = { code: "PWD_CHANNEL_LOCKED", params: { n: 2 }, field: "channelPassword" };
    expect(await refusalOf(pay(member, "wrong123"))).toMatchObject(waits);
    expect(await refusalOf(pay(member, RIGHT))).toMatchObject(waits);
    broker.clock.now += 2 * MINUTE_MS;
    expect(await refusalOf(pay(member, "wrong123"))).toMatchObject(waits);
    broker.clock.now += 2 * MINUTE_MS;
    await pay(member, RIGHT);
    await query(broker.db.kysely, "UPDATE deposit SET status = 'expired', ended_at = submitted_at WHERE member_id = $1", [member]);
    expect(await refusalOf(pay(member, "wrong123"))).toMatchObject({ code: "PWD_CHANNEL_WRONG", params: { n: 2 } });
    await set(member, { channelPassword: "Another8", confirmation: "Another8" });
    await pay(member, "Another8");
  });

  it("counts tries that are made at once", async () => {
    const member = await newMember();
    await set(member);
    const all = await Promise.all(Array.from({ length: 7 }, () => refusalOf(pay(member, "wrong123"))));
    expect(all.filter(({ code }) => code === "PWD_CHANNEL_WRONG")).toHaveLength(4);
    expect(all.filter(({ code }) => code === "PWD_CHANNEL_LOCKED")).toHaveLength(3);
  });

  it("stores no password with the request", async () => {
    const member = await newMember();
    await set(member);
    await pay(member, RIGHT);
    const rows = await query<{ text: string }>(broker.db.kysely, "SELECT body::text AS text FROM fact WHERE member_id = $1", [member]);
    expect(JSON.stringify(rows)).not.toContain(RIGHT);
  });
});
