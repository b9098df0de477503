/** Tests workspaces: stored as given, readable when another version stored them; and today's executions. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "#contract/workspace.ts";
import { Code } from "#contract/kernel/id.ts";
import { readStored } from "#server/api/workspace.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  for (const row of [0, 1]) broker.venue.set(row, { bids: [[99.5, 9]], asks: [[100, 9]], last: 100, reference: 100 });
  await broker.settled();
  member = await broker.newMember();
});
afterAll(() => broker.shut());

const WORKSPACE: Workspace = {
  sizes: { list: 260, book: null, ticket: 344, dock: 0 },
  charts: [
    { code: Code.parse("2330"), frame: "1M" },
    { code: null, frame: "intraday" },
  ],
};
const read = (of = member) => broker.call("readWorkspaces", of, {});

describe("workspaces", () => {
  it("are none, then the last saved ones, per member", async () => {
    expect(await read()).toEqual({ current: null, saved: [] });
    await broker.call("saveWorkspaces", member, { current: WORKSPACE, saved: [] });
    const saved = { current: WORKSPACE, saved: [{ name: "day", workspace: WORKSPACE }] };
    expect(await broker.call("saveWorkspaces", member, saved)).toEqual(saved);
    expect(await read()).toEqual(saved);
    expect(await read(await broker.newMember())).toEqual({ current: null, saved: [] });
  });

  it("keep the later of two workspaces with one name", async () => {
    const other = { ...WORKSPACE, charts: WORKSPACE.charts.slice(0, 1) };
    await broker.call("saveWorkspaces", member, {
      current: null,
      saved: [
        { name: "day", workspace: WORKSPACE },
        { name: " day ", workspace: other },
      ],
    });
    expect((await read()).saved).toEqual([{ name: "day", workspace: other }]);
  });

  it.each([
    ["nothing", null, { current: null, saved: [] }],
    ["no document", "text", { current: null, saved: [] }],
    ["a broken workspace", { current: { ...WORKSPACE, charts: "many" }, saved: [] }, { current: null, saved: [] }],
    [
      "a broken workspace among others",
      {
        current: WORKSPACE,
        saved: [
          { name: "", workspace: WORKSPACE },
          { name: "a", workspace: { sizes: {} } },
          { name: "b", workspace: WORKSPACE },
        ],
      },
      { current: WORKSPACE, saved: [{ name: "b", workspace: WORKSPACE }] },
    ],
    ["workspaces of another type", { current: WORKSPACE, saved: { length: 3 } }, { current: WORKSPACE, saved: [] }],
  ])("read back from %s are such as the contract allows", (_what, stored, expected) => {
    expect(readStored(stored)).toEqual(expected);
  });

  it("are read from the database in the same way", async () => {
    await query(broker.db.kysely, `INSERT INTO workspace VALUES ($1, '{"current":{"panes":4},"saved":7}')`, [member]);
    expect(await read()).toEqual({ current: null, saved: [] });
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
    expect(all.map(({ funding, dayTrade }) => [funding, dayTrade])).toEqual(Array.from({ length: 3 }, () => ["cash", false]));
    expect(all.map(({ profitCents }) => profitCents)).toEqual([closed.profitCents, 0, 0]);
    expect(closed.profitCents).not.toBe(0);
    const detail = await broker.call("readOrder", member, { orderNo: bought.orderNo });
    expect(detail.fills.map(({ side, profitCents }) => [side, profitCents])).toEqual([
      ["open", 0],
      ["close", closed.profitCents],
    ]);
    expect(await fills(await broker.newMember())).toEqual([]);
  });

  it("are gone the next day", async () => {
    await broker.place(member, { code: "2330" });
    expect(await fills()).toHaveLength(1);
    broker.clock.now += 86_400_000;
    expect(await fills()).toEqual([]);
  });
});
