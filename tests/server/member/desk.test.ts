/** Tests the desk and its workspaces: stored as given, readable when another version stored them; and today's executions. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Desk } from "#contract/desk.ts";
import { Code } from "#contract/kernel/id.ts";
import { readStored } from "#server/api/desk.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
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

const DESK: Desk = {
  sizes: { list: 260, book: null, ticket: 344, dock: 0 },
  charts: [
    { code: Code.parse("2330"), frame: "1M" },
    { code: null, frame: "intraday" },
  ],
};
const read = (of = member) => broker.call("readDesks", of, {});

describe("desks", () => {
  it("are none, then the last saved ones, per member", async () => {
    expect(await read()).toEqual({ current: null, workspaces: [] });
    await broker.call("saveDesks", member, { current: DESK, workspaces: [] });
    const saved = { current: DESK, workspaces: [{ name: "day", desk: DESK }] };
    expect(await broker.call("saveDesks", member, saved)).toEqual(saved);
    expect(await read()).toEqual(saved);
    expect(await read(await broker.newMember())).toEqual({ current: null, workspaces: [] });
  });

  it("keep the later of two workspaces with one name", async () => {
    const other = { ...DESK, charts: DESK.charts.slice(0, 1) };
    await broker.call("saveDesks", member, {
      current: null,
      workspaces: [
        { name: "day", desk: DESK },
        { name: " day ", desk: other },
      ],
    });
    expect((await read()).workspaces).toEqual([{ name: "day", desk: other }]);
  });

  it.each([
    ["nothing", null, { current: null, workspaces: [] }],
    ["no document", "text", { current: null, workspaces: [] }],
    ["a broken desk", { current: { ...DESK, charts: "many" }, workspaces: [] }, { current: null, workspaces: [] }],
    [
      "a broken workspace among others",
      {
        current: DESK,
        workspaces: [
          { name: "", desk: DESK },
          { name: "a", desk: { sizes: {} } },
          { name: "b", desk: DESK },
        ],
      },
      { current: DESK, workspaces: [{ name: "b", desk: DESK }] },
    ],
    ["workspaces of another type", { current: DESK, workspaces: { length: 3 } }, { current: DESK, workspaces: [] }],
  ])("read back from %s are such as the contract allows", (_what, stored, expected) => {
    expect(readStored(stored)).toEqual(expected);
  });

  it("are read from the database in the same way", async () => {
    await query(broker.db.kysely, `INSERT INTO desk VALUES ($1, '{"current":{"panes":4},"workspaces":7}')`, [member]);
    expect(await read()).toEqual({ current: null, workspaces: [] });
  });
});

describe("today's executions", () => {
  const fills = async (of = member) => (await broker.call("listFills", of, {})).fills;

  it("are those of all of the member's orders, newest first, with what a close realised", async () => {
    const bought = await broker.place(member, { code: "2330", lots: 2 });
    broker.clock.now += 3_600_000;
    const other = await broker.place(member, { code: "2603" });
    broker.clock.now += 1_000;
    const closed = await broker.close(member, bought.orderNo, { lots: 2 });
    const all = await fills();
    expect(all.map(({ orderNo, side }) => [orderNo, side])).toEqual([
      [bought.orderNo, "close"],
      [other.orderNo, "open"],
      [bought.orderNo, "open"],
    ]);
    expect(all.map(({ code, lots, direction }) => [code, lots, direction])).toEqual([
      ["2330", 2, "rise"],
      ["2603", 1, "rise"],
      ["2330", 2, "rise"],
    ]);
    expect(all.map(({ profitCents }) => profitCents)).toEqual([closed.profitCents, 0, 0]);
    expect(closed.profitCents).not.toBe(0);
    expect(await fills(await broker.newMember())).toEqual([]);
  });

  it("are gone the next day", async () => {
    await broker.place(member, { code: "2330" });
    expect(await fills()).toHaveLength(1);
    broker.clock.now += 86_400_000;
    expect(await fills()).toEqual([]);
  });
});
