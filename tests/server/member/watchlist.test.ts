/** Tests watchlist groups: limits, names, order and ownership. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { GroupName, MAX_GROUPS, MAX_GROUP_CODES } from "#contract/watchlist.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";

let broker: TestBroker;
let member: number;
const CODES = Array.from({ length: MAX_GROUP_CODES + 1 }, (_, row) => Code.parse(String(1_000 + row)));
const [A, B, C] = CODES.slice(0, 3) as [Code, Code, Code];

beforeAll(async () => {
  broker = await openTestBroker({ venue: fakeVenue(CODES.map((code, row) => fakeInstrument(row, code))) });
});
beforeEach(async () => {
  member = await broker.newMember();
});
afterAll(() => broker.shut());

const groups = async (of = member) => (await broker.call("readWatchlist", of, {})).groups;
const first = async (of = member): Promise<RequestId> => (await groups(of))[0]?.id ?? uuid();
const codesOf = async (id: RequestId, of = member) => (await groups(of)).find((group) => group.id === id)?.codes;
const add = (code: Code, group: RequestId | null = null) => broker.call("addWatch", member, { code, group });
const newGroup = async (name: string): Promise<RequestId> => {
  const id = uuid();
  await broker.call("saveGroup", member, { id, name });
  return id;
};

describe("the watchlist", () => {
  it("begins with one unnamed, empty group", async () => {
    expect(await groups()).toEqual([{ id: expect.any(String), name: "", codes: [] }]);
  });

  it("adds to the end of the first or the named group; adding twice is refused and changes nothing", async () => {
    const id = await newGroup("電子");
    await add(A);
    await add(B);
    for (const group of [null, await first()])
      expect(await refusalOf(add(A, group))).toMatchObject({ code: "GEN_STOCK_CODE_EXISTS", field: "code" });
    await add(C, id);
    await add(A, id);
    expect((await groups()).map(({ name, codes }) => [name, codes])).toEqual([
      ["", [A, B]],
      ["電子", [C, A]],
    ]);
  });

  it("removes from the named group or from all; removing an absent code changes nothing", async () => {
    const id = await newGroup("B");
    for (const code of [A, B, C]) for (const group of [null, id]) await add(code, group);
    await broker.call("removeWatch", member, { codes: [A, B], group: id });
    await broker.call("removeWatch", member, { codes: [C], group: null });
    await broker.call("removeWatch", member, { codes: [C], group: uuid() });
    expect((await groups()).map(({ codes }) => codes)).toEqual([[A, B], []]);
  });

  it("refuses unlisted codes, unknown groups and full groups", async () => {
    expect(await refusalOf(add(Code.parse("9999")))).toMatchObject({ code: "GEN_NOT_FOUND", field: "code" });
    expect(await refusalOf(add(A, uuid()))).toMatchObject({ code: "GEN_NOT_FOUND", field: "group" });
    for (const code of CODES.slice(0, MAX_GROUP_CODES)) await add(code);
    const last = CODES.at(-1) ?? A;
    expect(await refusalOf(add(last))).toMatchObject({ code: "GEN_LIST_FULL", params: { n: MAX_GROUP_CODES } });
    expect(await refusalOf(add(A))).toMatchObject({ code: "GEN_STOCK_CODE_EXISTS" });
    await add(last, await newGroup("more"));
    expect((await groups()).map(({ codes }) => codes.length)).toEqual([MAX_GROUP_CODES, 1]);
  });

  it("holds its limit also when many are added at once", async () => {
    for (const code of CODES.slice(0, MAX_GROUP_CODES - 1)) await add(code);
    const asked = await Promise.allSettled([add(CODES.at(-1) ?? A), add(CODES.at(-2) ?? A)]);
    expect(asked.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await groups())[0]?.codes).toHaveLength(MAX_GROUP_CODES);
  });
});

describe("a custom order", () => {
  it("of instruments puts the named ones first, ignores unknown and repeated ones, and keeps the rest in order", async () => {
    for (const code of CODES.slice(0, 5)) await add(code);
    const id = await first();
    const stranger = Code.parse("9999");
    const D = CODES[3] ?? A;
    const E = CODES[4] ?? A;
    await broker.call("arrangeWatch", member, { group: id, codes: [E, stranger, C, E] });
    expect(await codesOf(id)).toEqual([E, C, A, B, D]);
    await add(CODES[5] ?? A);
    expect((await codesOf(id))?.at(-1)).toBe(CODES[5]);
    await broker.call("arrangeWatch", member, { group: id, codes: [] });
    expect(await codesOf(id)).toEqual([E, C, A, B, D, CODES[5]]);
    expect(await refusalOf(broker.call("arrangeWatch", member, { group: uuid(), codes: [A] }))).toMatchObject({ code: "GEN_NOT_FOUND" });
  });

  it("of groups works the same; a new group comes last, and the first one is the default", async () => {
    const [one, two] = [await newGroup("1"), await newGroup("2")];
    const { groups: arranged } = await broker.call("arrangeGroups", member, {
      ids: [RequestId.parse(two.toUpperCase()), uuid(), two, one],
    });
    expect(arranged.map(({ name }) => name)).toEqual(["2", "1", ""]);
    await newGroup("3");
    await add(A);
    expect((await groups()).map(({ name, codes }) => [name, codes.length])).toEqual([
      ["2", 1],
      ["1", 0],
      ["", 0],
      ["3", 0],
    ]);
  });
});

describe("a group", () => {
  it("is created once under the client's id, and renamed by the same call", async () => {
    const id = await newGroup("a");
    await broker.call("saveGroup", member, { id, name: "a" });
    await broker.call("saveGroup", member, { id: RequestId.parse(id.toUpperCase()), name: "b" });
    await broker.call("saveGroup", member, { id: await first(), name: "mine" });
    expect((await groups()).map(({ name }) => name)).toEqual(["mine", "b"]);
  });

  it("has a name unique for the member", async () => {
    const [one, two] = [await newGroup("1"), await newGroup("2")];
    for (const id of [two, uuid()]) {
      expect(await refusalOf(broker.call("saveGroup", member, { id, name: "1" }))).toMatchObject({
        code: "VAL_GROUP_EXISTS",
        field: "name",
      });
    }
    const other = await broker.newMember();
    await broker.call("saveGroup", other, { id: one, name: "1" });
    expect((await groups(other)).map(({ name }) => name)).toEqual(["", "1"]);
  });

  it.each(["", "   ", "x".repeat(21), "two\nlines", "\ud800"])("cannot be called %j", (name) => {
    expect(GroupName.safeParse(name).error?.issues[0]?.message).toBe("VAL_GROUP_NAME");
  });

  it("is limited in number, also when many are created at once", async () => {
    const made = await Promise.allSettled(Array.from({ length: MAX_GROUPS + 3 }, (_, at) => newGroup(String(at))));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_GROUPS - 1);
    expect(await refusalOf(newGroup("more"))).toMatchObject({ code: "GEN_LIST_FULL", params: { n: MAX_GROUPS } });
    expect(await groups()).toHaveLength(MAX_GROUPS);
  });

  it("is removed with its codes; the last group stays", async () => {
    const id = await newGroup("a");
    await add(A, id);
    await broker.call("removeGroup", member, { id: await first() });
    await broker.call("removeGroup", member, { id: uuid() });
    expect(await groups()).toEqual([{ id, name: "a", codes: [A] }]);
    await broker.call("removeGroup", member, { id });
    expect(await groups()).toEqual([{ id, name: "a", codes: [A] }]);
    await newGroup("b");
    await broker.call("removeGroup", member, { id: RequestId.parse(id.toUpperCase()) });
    expect((await groups()).map(({ name, codes }) => [name, codes])).toEqual([["b", []]]);
  });
});

describe("another member's group", () => {
  it("looks like one that does not exist, and stays unchanged", async () => {
    await add(A);
    await add(B);
    const id = await first();
    const before = await groups();
    const other = await broker.newMember();
    for (const group of [id, uuid()]) {
      expect(await refusalOf(broker.call("addWatch", other, { code: C, group }))).toMatchObject({ code: "GEN_NOT_FOUND" });
      expect(await refusalOf(broker.call("arrangeWatch", other, { group, codes: [B, A] }))).toMatchObject({ code: "GEN_NOT_FOUND" });
      await broker.call("removeWatch", other, { codes: [A], group });
      await broker.call("removeGroup", other, { id: group });
      await broker.call("arrangeGroups", other, { ids: [group] });
    }
    await broker.call("removeWatch", other, { codes: [A], group: null });
    expect(await groups()).toEqual(before);
    expect(await groups(other)).toEqual([{ id: expect.any(String), name: "", codes: [] }]);
  });
});
