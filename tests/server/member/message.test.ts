/** Tests the inbox: welcome message, paging, read state, and ownership. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "#contract/message.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  member = await broker.newMember();
});
afterAll(() => broker.shut());

/** Inserts messages as fired alerts would have. */
const fill = (n: number, of = member): Promise<unknown> =>
  query(
    broker.db.kysely,
    `WITH fired AS (
       INSERT INTO alert (member_id, id, code, kind, level, status, set_at, fired_at, fired_price, price_day)
       SELECT $1, gen_random_uuid(), '2330', 'above', n, 'fired', n, n, n, 0 FROM generate_series(1, $2::integer) AS n RETURNING *
     )
     INSERT INTO message (member_id, at, kind, alert_id) SELECT member_id, fired_at, 'alert', id FROM fired ORDER BY fired_at`,
    [of, n],
  );
const page = (cursor: string | null = null, of = member) => broker.call("listMessages", of, { cursor });
const unread = async (of = member): Promise<number> => (await broker.call("readMember", of, {})).unread;

describe("an inbox", () => {
  it("begins with an unread welcome message", async () => {
    const { items, next } = await page();
    expect(items).toEqual([{ id: expect.stringMatching(/^M\d+$/), at: broker.clock.now, kind: "welcome", read: false, alert: null }]);
    expect(next).toBeNull();
    expect(await unread()).toBe(1);
  });

  it("is read page by page, newest first, each message once", async () => {
    const total = PAGE_SIZE * 2 + 1;
    await fill(total - 1);
    const all: Message[] = [];
    for (let cursor: string | null = null, pages = 1; ; pages += 1) {
      const { items, next } = await page(cursor);
      all.push(...items);
      cursor = next;
      if (next !== null) continue;
      expect(pages).toBe(3);
      break;
    }
    expect(all.map(({ alert }) => alert?.level ?? 0)).toEqual(Array.from({ length: total }, (_, at) => total - 1 - at));
    expect(new Set(all.map(({ id }) => id)).size).toBe(total);
  });

  it("marks one message read, idempotently, or all of them", async () => {
    await fill(3);
    const [newest] = (await page()).items;
    const id = newest?.id ?? "";
    expect(await broker.call("readMessage", member, { id })).toEqual({ message: { ...newest, read: true }, unread: 3 });
    expect(await broker.call("readMessage", member, { id })).toMatchObject({ unread: 3 });
    expect((await page()).items.map(({ read }) => read)).toEqual([true, false, false, false]);
    expect(await unread()).toBe(3);
    const other = await broker.newMember();
    expect(await broker.call("readAllMessages", member, {})).toEqual({ unread: 0 });
    expect((await page()).items.every(({ read }) => read)).toBe(true);
    expect([await unread(), await unread(other)]).toEqual([0, 1]);
  });

  it("refuses an invalid cursor", async () => {
    for (const cursor of ["", "M", "12", "M1x", "M9999999999999"]) {
      expect(await refusalOf(page(cursor))).toMatchObject({ code: "GEN_PARAM_ERROR", field: "cursor" });
    }
    expect(await page("M0")).toEqual({ items: [], next: null });
  });
});

describe("another member's message", () => {
  it("looks like one that does not exist, and stays unread", async () => {
    const [mine] = (await page()).items;
    const other = await broker.newMember();
    const theirs = await refusalOf(broker.call("readMessage", other, { id: mine?.id ?? "" }));
    expect(theirs).toMatchObject({ code: "GEN_NOT_FOUND", field: "id" });
    expect(await refusalOf(broker.call("readMessage", other, { id: "M999999999999" }))).toEqual(theirs);
    await broker.call("readAllMessages", other, {});
    expect((await page()).items).toEqual([mine]);
    // A cursor is only a position: after another member's message follow one's own.
    await fill(2, other);
    await fill(2);
    const [newest] = (await page()).items;
    expect((await page(newest?.id ?? "", other)).items.map(({ kind }) => kind)).toEqual(["alert", "alert", "welcome"]);
    expect((await page(newest?.id ?? "", other)).items.map(({ id }) => id)).not.toContain(mine?.id);
  });
});
