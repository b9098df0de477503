/** Tests identity: honest photos are verified, dishonest ones rejected with the reason, and uploads cannot harm the server or tell a place. */
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IdentityReason } from "#contract/identity.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { reviewIdentities, sweepPhotos } from "#server/accounts/identity-review.ts";
import { judgePhotos } from "#server/accounts/photo-check.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

/** A drawing that could be a card: text-like strokes that differ with the seed. */
function card(seed: number, { width = 900, height = 570, fill = "#e8e4da" } = {}): Buffer {
  const strokes = Array.from({ length: 160 }, (_, at) => {
    const x = (at * 137 + seed * 211) % width;
    const y = (at * 89 + seed * 331) % height;
    return `<rect x="${x}" y="${y}" width="${20 + ((at * seed) % 60)}" height="7" fill="#1${at % 10}2"/>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${fill}"/>${strokes.join("")}</svg>`,
  );
}
const jpeg = (seed: number, size = {}): Promise<Buffer> => sharp(card(seed, size)).jpeg().toBuffer();
const plain = (grey: number): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 570, channels: 3, background: { r: grey, g: grey, b: grey } } })
    .jpeg()
    .toBuffer();

let broker: TestBroker;
let ids = 0;
const clock = { now: Date.UTC(2026, 6, 1, 2) };
/** Valid ID numbers, one per call. */
function idNumber(): string {
  const weights = [8, 7, 6, 5, 4, 3, 2, 1];
  ids += 1;
  const digits = `1${String(ids).padStart(7, "0")}`;
  const sum = 1 + digits.split("").reduce((total, digit, at) => total + Number(digit) * (weights[at] ?? 0), 0);
  return `A${digits}${(10 - (sum % 10)) % 10}`;
}
beforeAll(async () => {
  broker = await openTestBroker({ clock });
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

const upload = async (member: number, content: Buffer): Promise<string> =>
  (await broker.call("uploadPhoto", member, { content: content.toString("base64") })).id;
async function submit(member: number, front: Buffer, back: Buffer, number = idNumber()) {
  return broker.call("submitIdentity", member, {
    name: "王小明",
    idNumber: number,
    front: await upload(member, front),
    back: await upload(member, back),
  });
}
async function review(): Promise<void> {
  clock.now += 11_000;
  const deps = { db: broker.db, sequencer: broker.sequencer, photos: broker.photos, now: () => clock.now };
  await reviewIdentities({ ...deps, report: (fault) => broker.faults.push(fault) });
  await broker.settled();
}
const newcomer = () => broker.newMember({ identity: "unverified", depositCents: 0 });

describe("an identity", () => {
  it("with two honest photos is verified after a while, named, and told in the inbox", async () => {
    const member = await newcomer();
    const number = idNumber();
    expect(await submit(member, await jpeg(1), await jpeg(2), number)).toMatchObject({ status: "underReview", reason: null });
    expect(await refusalOf(submit(member, await jpeg(1), await jpeg(2)))).toMatchObject({ code: "ACC_REALNAME_PENDING" });
    broker.published.length = 0;
    await review();
    expect(broker.published).toMatchObject([{ memberId: member, fact: { type: "identity.approved", message: { kind: "identity" } } }]);
    expect(await broker.call("readIdentity", member, {})).toMatchObject({ status: "verified", name: "王小明", idNumber: number });
    const row = await broker.db.kysely
      .selectFrom("member")
      .select(["name", "id_number", "identity"])
      .where("id", "=", member)
      .executeTakeFirst();
    expect(row).toEqual({ name: "王小明", id_number: number, identity: "verified" });
    const { items } = await broker.call("listMessages", member, { cursor: null });
    expect(items[0]).toMatchObject({ kind: "identity", identity: { status: "verified", reason: null } });
    expect(await refusalOf(submit(member, await jpeg(1), await jpeg(2)))).toMatchObject({ code: "ACC_REALNAME_VERIFIED" });
  });

  it.each([
    ["tooSmall", () => jpeg(1), () => jpeg(2, { width: 599, height: 380 })],
    ["dark", () => plain(4), () => jpeg(2)],
    ["blank", () => plain(200), () => jpeg(2)],
    [
      "blurred",
      async () =>
        sharp(await jpeg(3))
          .blur(20)
          .jpeg()
          .toBuffer(),
      () => jpeg(2),
    ],
    [
      "same",
      () => jpeg(5),
      async () =>
        sharp(await jpeg(5))
          .resize(700)
          .modulate({ brightness: 1.02 })
          .jpeg()
          .toBuffer(),
    ],
  ] as const)("is rejected as %s, and can be submitted again", async (reason: IdentityReason, front, back) => {
    const member = await newcomer();
    await submit(member, await front(), await back());
    await review();
    expect(await broker.call("readIdentity", member, {})).toMatchObject({ status: "rejected", reason });
    await submit(member, await jpeg(1), await jpeg(2));
    await review();
    expect(await broker.call("readIdentity", member, {})).toMatchObject({ status: "verified" });
  });

  it("takes an ID number for one member only: other claimants are rejected and lose it, later ones learn it from the decision", async () => {
    const [first, second, third] = [await newcomer(), await newcomer(), await newcomer()];
    const number = idNumber();
    await submit(second, await jpeg(1), await jpeg(2), number);
    await submit(first, await jpeg(3), await jpeg(4), number);
    const bystander = await newcomer();
    await query(broker.db.kysely, "UPDATE member SET id_number = $2 WHERE id = ANY ($1::bigint[])", [[first, second, bystander], number]);
    await review();
    const numbers = "SELECT id_number FROM member WHERE id = ANY ($1::bigint[]) ORDER BY id";
    const kept = await query<{ id_number: string }>(broker.db.kysely, numbers, [[first, second, bystander]]);
    expect(kept.map(({ id_number: one }) => one)).toEqual(["", number, ""]);
    const status = async (member: number) => (await broker.call("readIdentity", member, {})).status;
    expect([await status(second), await status(first)]).toEqual(["verified", "rejected"]);
    expect(await broker.call("readIdentity", first, {})).toMatchObject({ reason: "taken" });
    // A submission does not tell whether a number is somebody's: anybody could try numbers.
    const told = ({ idNumber: _number, submittedAt: _at, front: _front, back: _back, ...rest }: Awaited<ReturnType<typeof submit>>) => rest;
    const free = await newcomer();
    expect(told(await submit(third, await jpeg(5), await jpeg(6), number))).toEqual(
      told(await submit(free, await jpeg(7), await jpeg(8), idNumber())),
    );
    await review();
    expect(await broker.call("readIdentity", third, {})).toMatchObject({ status: "rejected", reason: "taken" });
    expect(await status(free)).toBe("verified");
  });

  it("needs a name and two photos of its own member", async () => {
    const [member, other] = [await newcomer(), await newcomer()];
    const [front, back] = [await upload(member, await jpeg(1)), await upload(other, await jpeg(2))];
    const body = { name: "王小明", idNumber: idNumber(), front, back };
    const refused = async (over: Partial<typeof body>) => refusalOf(broker.call("submitIdentity", member, { ...body, ...over }));
    expect(await refused({})).toMatchObject({ code: "VAL_ID_PHOTOS", field: "back" });
    expect(await refused({ back: front })).toMatchObject({ code: "VAL_ID_PHOTOS", field: "back" });
    expect(await refused({ front: back, back: front })).toMatchObject({ code: "VAL_ID_PHOTOS", field: "front" });
    await query(broker.db.kysely, "UPDATE member SET restrictions = '{frozen}' WHERE id = $1", [member]);
    expect(await refused({})).toMatchObject({ code: "ACC_FROZEN" });
  });

  it("without readable photos is rejected as missing", async () => expect(await judgePhotos(null, null)).toBe("missing"));
});

describe("a photo", () => {
  it("is stored encrypted, and read by its member only", async () => {
    const [member, other] = [await newcomer(), await newcomer()];
    const id = await upload(member, await jpeg(7));
    const { content } = await broker.call("readPhoto", member, { id });
    expect((await sharp(Buffer.from(content, "base64")).metadata()).format).toBe("jpeg");
    expect(await refusalOf(broker.call("readPhoto", other, { id }))).toMatchObject({ code: "GEN_NOT_FOUND" });
    const [row] = await query<{ content: Uint8Array }>(broker.db.kysely, "SELECT content FROM photo WHERE id = $1", [id]);
    const stored = Buffer.from(row?.content ?? []);
    expect(stored.includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false);
    // Moved to somebody else's name, it does not open.
    await query(broker.db.kysely, "UPDATE photo SET member_id = $2 WHERE id = $1", [id, other]);
    await expect(broker.photos.read(broker.db.kysely, other, id)).rejects.toThrow();
  });

  it("loses its metadata, its place among them, and stands upright", async () => {
    const member = await newcomer();
    const tagged = await sharp(await jpeg(8))
      .withExif({ IFD0: { Copyright: "somebody" }, IFD3: { GPSLatitude: "25/1 2/1 0/1", GPSLatitudeRef: "N" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(tagged).metadata()).exif).toBeDefined();
    const id = await upload(member, tagged);
    const { content } = await broker.call("readPhoto", member, { id });
    const kept = await sharp(Buffer.from(content, "base64")).metadata();
    expect([kept.exif, kept.icc, kept.xmp, kept.orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect([kept.width, kept.height]).toEqual([570, 900]);
  });

  it("carries nothing that was hidden behind the picture, and is at most 2,000 pixels wide", async () => {
    const member = await newcomer();
    const polyglot = Buffer.concat([
      await jpeg(9, { width: 2_600, height: 1_700 }),
      Buffer.from("<script>alert(1)</script>PK\u0003\u0004"),
    ]);
    const { content } = await broker.call("readPhoto", member, { id: await upload(member, polyglot) });
    const clean = Buffer.from(content, "base64");
    expect(clean.includes("script")).toBe(false);
    expect((await sharp(clean).metadata()).width).toBe(2_000);
  });

  /** A PNG that says it is 60,000 pixels square, in a few hundred bytes. */
  function bomb(): Buffer {
    const crcTable = Array.from({ length: 256 }, (_, n) => {
      let c = n;
      for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
      return c >>> 0;
    });
    const crc = (data: Buffer): number => {
      let c = 0xffffffff;
      for (const byte of data) c = (crcTable[(c ^ byte) & 255] ?? 0) ^ (c >>> 8);
      return (c ^ 0xffffffff) >>> 0;
    };
    const chunk = (type: string, data: Buffer): Buffer => {
      const head = Buffer.alloc(4);
      head.writeUInt32BE(data.length);
      const body = Buffer.concat([Buffer.from(type), data]);
      const tail = Buffer.alloc(4);
      tail.writeUInt32BE(crc(body));
      return Buffer.concat([head, body, tail]);
    };
    const header = Buffer.alloc(13);
    header.writeUInt32BE(60_000, 0);
    header.writeUInt32BE(60_000, 4);
    header[8] = 8;
    const rows = deflateSync(Buffer.alloc(100_000));
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk("IHDR", header),
      chunk("IDAT", rows),
      chunk("IEND", Buffer.alloc(0)),
    ]);
  }

  it.each([
    ["a picture far larger than its file", () => bomb()],
    ["a program", () => Buffer.from("MZ\u0090\u0000 this program cannot be run")],
    ["a page", () => Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["a drawing, which may load others", () => card(1)],
    ["half a picture", async () => (await jpeg(1)).subarray(0, 900)],
    ["nothing", () => Buffer.from("x")],
  ] as const)("is refused when it is %s", async (_, make) => {
    const member = await newcomer();
    expect(await refusalOf(upload(member, await make()))).toMatchObject({ code: "GEN_UPLOAD_RESELECT", field: "content" });
  });

  it("is deleted some days after the decision, or after a day when it was never submitted", async () => {
    const member = await newcomer();
    const loose = await upload(member, await jpeg(1));
    const submitted = await submit(member, await jpeg(1), await jpeg(2));
    await review();
    const deps = { db: broker.db, sequencer: broker.sequencer, now: () => clock.now };
    const left = async () =>
      (await query<{ id: string }>(broker.db.kysely, "SELECT id FROM photo WHERE member_id = $1", [member])).map(({ id }) => id);
    clock.now += 2 * DAY_MS;
    await sweepPhotos(deps);
    expect(new Set(await left())).toEqual(new Set([submitted.front, submitted.back]));
    expect(await left()).not.toContain(loose);
    clock.now += 30 * DAY_MS;
    await sweepPhotos(deps);
    expect(await left()).toEqual([]);
  });
});
