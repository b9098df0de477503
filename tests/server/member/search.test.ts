/** Tests searches: a member's recent ones, the popular ones of all members, and their retention. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Code } from "#contract/kernel/id.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { HOT_DAYS, HOT_MEMBERS, HOT_SEARCHES, SEARCHES_KEPT } from "#contract/search.ts";
import { deleteExpired } from "#server/jobs/retention.ts";
import { query } from "#server/db/database.ts";
import { HOT_KEPT_MS } from "#server/api/search.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const CODES = Array.from({ length: 30 }, (_, row) => Code.parse(String(1_000 + row)));
const code = (at: number): Code => CODES[at] ?? Code.parse("0");
let broker: TestBroker;
let members: number[];

beforeAll(async () => {
  broker = await openTestBroker({ venue: fakeVenue(CODES.map((one, row) => fakeInstrument(row, one))) });
  members = await Promise.all(Array.from({ length: HOT_MEMBERS + 1 }, () => broker.newMember()));
});
beforeEach(async () => {
  await query(broker.db.kysely, "DELETE FROM search");
  broker.clock.now += HOT_KEPT_MS;
});
afterAll(() => broker.shut());

async function note(member: number | undefined, ...wanted: Code[]): Promise<void> {
  for (const one of wanted) {
    broker.clock.now += 1;
    await broker.call("noteSearch", member ?? 0, { code: one });
  }
}
const read = (member = members[0] ?? 0) => broker.call("readSearches", member, {});
const hot = async () => {
  broker.clock.now += HOT_KEPT_MS;
  return (await read()).hot;
};

describe("a member's own searches", () => {
  it("are the last ones without duplicates, newest first, and only the member's own", async () => {
    await note(members[0], ...CODES.slice(0, SEARCHES_KEPT + 3), code(5));
    const { mine } = await read();
    expect(mine).toHaveLength(SEARCHES_KEPT);
    expect(mine.slice(0, 3)).toEqual([code(5), code(SEARCHES_KEPT + 2), code(SEARCHES_KEPT + 1)]);
    expect(new Set(mine).size).toBe(SEARCHES_KEPT);
    expect((await read(members[1])).mine).toEqual([]);
  });

  it("are cleared on request, for this member only", async () => {
    for (const member of members) await note(member, code(1));
    expect((await broker.call("clearSearches", members[0] ?? 0, {})).mine).toEqual([]);
    expect((await read(members[1])).mine).toEqual([code(1)]);
    expect(await hot()).toEqual([{ code: code(1), members: HOT_MEMBERS }]);
  });

  it("are of listed instruments only", async () => {
    expect(await refusalOf(note(members[0], Code.parse("9999")))).toMatchObject({ code: "GEN_NOT_FOUND", field: "code" });
  });
});

describe("hot searches", () => {
  it("count members, not searches, and are empty below the minimum", async () => {
    for (const member of members.slice(0, HOT_MEMBERS - 1)) await note(member, code(1), code(1), code(1));
    expect(await hot()).toEqual([]);
    await note(members[HOT_MEMBERS - 1], code(1));
    expect(await hot()).toEqual([{ code: code(1), members: HOT_MEMBERS }]);
  });

  it("are ordered by number of members, and limited", async () => {
    for (const member of members) await note(member, ...CODES.slice(0, HOT_SEARCHES + 2).toReversed());
    await broker.call("clearSearches", members[0] ?? 0, {});
    await note(members[0], code(7));
    const searches = await hot();
    expect(searches).toHaveLength(HOT_SEARCHES);
    expect(searches.slice(0, 3)).toEqual([
      { code: code(7), members: HOT_MEMBERS + 1 },
      { code: code(0), members: HOT_MEMBERS },
      { code: code(1), members: HOT_MEMBERS },
    ]);
  });

  it("cover the last days only", async () => {
    for (const member of members) await note(member, code(1));
    broker.clock.now += HOT_DAYS * DAY_MS - 2 * HOT_KEPT_MS;
    expect(await hot()).toHaveLength(1);
    broker.clock.now += 2 * HOT_KEPT_MS;
    expect(await hot()).toEqual([]);
    expect((await read()).mine).toEqual([code(1)]);
  });
});

describe("retention", () => {
  it("deletes what is neither recent nor among its member's last", async () => {
    await note(members[0], ...CODES.slice(0, SEARCHES_KEPT + 4));
    await note(members[1], code(1));
    broker.clock.now += HOT_DAYS * DAY_MS;
    await note(members[0], code(20), code(21));
    await deleteExpired({ db: broker.db, now: () => broker.clock.now });
    const kept = await query<{ member_id: number; n: number }>(
      broker.db.kysely,
      "SELECT member_id, count(*)::integer AS n FROM search GROUP BY member_id ORDER BY n DESC",
    );
    expect(kept).toEqual([
      { member_id: members[0], n: SEARCHES_KEPT },
      { member_id: members[1], n: 1 },
    ]);
    expect((await read()).mine.slice(0, 3)).toEqual([code(21), code(20), code(SEARCHES_KEPT + 3)]);
  });

  it("keeps everything recent, without a limit", async () => {
    await note(members[0], ...CODES);
    await deleteExpired({ db: broker.db, now: () => broker.clock.now });
    expect(await query(broker.db.kysely, "SELECT 1 FROM search")).toHaveLength(CODES.length);
  });
});
