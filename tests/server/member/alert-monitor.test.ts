/** Tests the alert monitor: each alert fires once, with message and fact in one commit, in one fact sequence with the member's orders. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { SetAlertBody } from "#contract/alert.ts";
import type { AlertKind } from "#contract/alert.ts";
import type { Fact } from "#contract/fact.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { startJobs } from "#server/jobs/index.ts";
import { query } from "#server/db/database.ts";
import { AlertRegistry } from "#server/alerts/alert-registry.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { uuid } from "#tests/support/uuid.ts";

let broker: TestBroker;
let member: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.venue.setPhase("open");
  broker.venue.setFresh(true);
  for (const row of [0, 1]) broker.venue.set(row, { bids: [], asks: [], last: 100, reference: 100, volume: 0 });
  await broker.settled();
  broker.published.length = 0;
  broker.faults.length = 0;
  member = await broker.newMember();
});
afterAll(() => broker.shut());

/** Sets an alert and returns its id. Price levels are in currency units. */
async function set(
  kind: AlertKind,
  level: number,
  over: { as?: number; code?: string; id?: string; in?: TestBroker } = {},
): Promise<string> {
  const units = kind === "above" || kind === "below" ? level * 10_000 : level;
  const body = SetAlertBody.parse({ id: over.id ?? uuid(), code: over.code ?? "2330", kind, level: units });
  await (over.in ?? broker).call("setAlert", over.as ?? member, body);
  return body.id;
}
const statusOf = async (id: string, of = member): Promise<string | undefined> =>
  (await broker.db.kysely.selectFrom("alert").select("status").where("member_id", "=", of).where("id", "=", id).executeTakeFirst())?.status;
const published = (of = member): Fact[] => broker.published.filter((one) => one.memberId === of).map(({ fact }) => fact);
const kept = async (of = member): Promise<Fact[]> => (await broker.call("factsSince", of, { after: 0 })).facts;
const fired = (facts: readonly Fact[]): string[] => facts.flatMap((fact) => (fact.type === "alert.fired" ? fact.alert.id : []));

describe("an alert whose level is reached", () => {
  it("fires once, with consistent alert, message, unread count and fact", async () => {
    const id = await set("above", 105);
    broker.venue.set(0, { last: 104.5 });
    await broker.settled();
    expect(published()).toEqual([]);
    broker.clock.now += 5_000;
    broker.venue.set(0, { last: 105.5 });
    broker.venue.set(0, { last: 106 });
    await broker.settled();
    broker.venue.set(0, { last: 90 });
    broker.venue.set(0, { last: 107 });
    await broker.settled();
    const alert = {
      id,
      code: "2330",
      kind: "above",
      level: 1_050_000,
      status: "fired",
      setAt: broker.clock.now - 5_000,
      firedAt: broker.clock.now,
      firedPrice: 1_055_000,
    };
    const message = { id: expect.stringMatching(/^M\d+$/), at: broker.clock.now, kind: "alert", read: false, alert };
    expect(published()).toEqual([{ n: 1, at: broker.clock.now, type: "alert.fired", alert, message, unread: 2 }]);
    expect(await kept()).toEqual(published());
    expect(await broker.call("listAlerts", member, {})).toEqual({ alerts: [alert] });
    const inbox = await broker.call("listMessages", member, { cursor: null });
    expect(inbox.items.map(({ kind }) => kind)).toEqual(["alert", "welcome"]);
    expect(inbox.items[0]).toEqual(published().flatMap((fact) => ("message" in fact ? [fact.message] : []))[0]);
    expect((await broker.call("readMember", member, {})).unread).toBe(2);
  });

  it.each([
    ["below", 95, { last: 95 }, 950_000],
    ["rise", 250, { last: 102.5, reference: 100 }, 1_025_000],
    ["fall", 250, { last: 97.5, reference: 100 }, 975_000],
    ["volume", 12, { last: 100, volume: 12 }, 1_000_000],
  ] as const)("%s %d", async (kind, level, book, firedPrice) => {
    const id = await set(kind, level);
    broker.venue.set(0, book);
    await broker.settled();
    expect(fired(published())).toEqual([id]);
    expect((await broker.call("listAlerts", member, {})).alerts[0]).toMatchObject({ kind, status: "fired", firedPrice });
  });

  it("while it is being stored fires as soon as it is stored", async () => {
    const setting = set("above", 105);
    broker.venue.set(0, { last: 106 });
    const id = await setting.catch(() => null);
    await broker.settled();
    // Refused or fired, depending on whether the handler still saw the old price; it never waits for a level already reached.
    if (id === null) expect(await kept()).toEqual([]);
    else expect(fired(published())).toEqual([id]);
  });

  it("does not fire on another row, outside the session or on stale prices, but fires afterwards", async () => {
    const id = await set("above", 105);
    broker.venue.set(1, { last: 200 });
    broker.venue.setFresh(false);
    broker.venue.set(0, { last: 110 });
    broker.venue.setFresh(true);
    for (const phase of ["preOpen", "closingAuction", "halted", "closed"] as const) {
      broker.venue.setPhase(phase);
      broker.venue.set(0, { last: 110 });
    }
    await broker.settled();
    expect(await statusOf(id)).toBe("waiting");
    broker.venue.setPhase("open");
    await broker.settled();
    expect(await statusOf(id)).toBe("fired");
  });

  it("fires with the first change of the feed after a silence, even on another row", async () => {
    const id = await set("above", 105);
    broker.venue.setFresh(false);
    broker.venue.set(0, { last: 110 });
    await broker.settled();
    expect(await statusOf(id)).toBe("waiting");
    broker.venue.setFresh(true);
    broker.venue.set(1, { last: 100 });
    await broker.settled();
    expect(await statusOf(id)).toBe("fired");
  });

  it("does not fire on a price of the day before", async () => {
    broker.venue.set(0, { last: 110 });
    broker.venue.setPhase("closed");
    broker.clock.now += 3_600_000;
    broker.venue.setDay(broker.clock.now - 1_000, broker.clock.now + 3_600_000);
    // Inserted directly, because the handler refuses a level already reached.
    const [{ id } = { id: "" }] = await query<{ id: string }>(
      broker.db.kysely,
      `INSERT INTO alert (member_id, id, code, kind, level, status, set_at, price_day)
       VALUES ($1, gen_random_uuid(), '2330', 'above', 1050000, 'waiting', 0, 0) RETURNING id`,
      [member],
    );
    broker.alerts.put({ id, memberId: member, row: 0, kind: "above", level: 1_050_000 });
    broker.venue.setPhase("open");
    await broker.settled();
    expect(await statusOf(id)).toBe("waiting");
    broker.venue.set(0, { last: 110 });
    await broker.settled();
    expect(await statusOf(id)).toBe("fired");
  });
});

describe("a price touched between two evaluations", () => {
  /** Several trades reported by one change event. */
  const trade = (...prices: number[]): void => {
    broker.venue.setFresh(false);
    for (const last of prices) broker.venue.set(0, { last, volume: broker.venue.quote(0).volume + 1 });
    broker.venue.setFresh(true);
    broker.venue.set(0, {});
  };

  it("fires at that price, up and down", async () => {
    const other = await set("above", 120);
    const ids = [await set("above", 105), await set("rise", 550), await set("below", 95), await set("fall", 580)];
    trade(100, 106, 94, 100);
    await broker.settled();
    const { alerts } = await broker.call("listAlerts", member, {});
    expect(new Map(alerts.map(({ id, firedPrice }) => [id, firedPrice]))).toEqual(
      new Map<string, number | null>([[other, null], ...ids.map((id, nth) => [id, nth < 2 ? 1_060_000 : 940_000] as const)]),
    );
  });

  it("before the alert was set does not fire it, whether the row was watched then or not", async () => {
    trade(100, 106, 100);
    const first = await set("above", 105);
    trade(100);
    await broker.settled();
    expect(await statusOf(first)).toBe("waiting");
    const second = await set("above", 104);
    trade(101);
    await broker.settled();
    expect(await statusOf(second)).toBe("waiting");
    for (const id of [first, second]) await broker.call("withdrawAlert", member, { id: RequestId.parse(id) });
    trade(100, 106, 100);
    const third = await set("above", 105);
    trade(100);
    await broker.settled();
    expect(await statusOf(third)).toBe("waiting");
    trade(100, 105, 100);
    await broker.settled();
    expect(await statusOf(third)).toBe("fired");
  });
});

describe("alerts and orders of one member", () => {
  it("that happen together are published in one fact sequence, in stored order", async () => {
    // Of the six, the five that trade at 94 fill five, and what is asked there fills the last.
    await broker.place(member, { price: 95, lots: 6 });
    await set("below", 96);
    await set("below", 97);
    await set("volume", 5);
    broker.venue.set(0, { asks: [[94, 1]], last: 94, volume: 5 });
    await broker.settled();
    broker.venue.set(0, { asks: [[93, 1]], last: 93 });
    await broker.settled();
    const facts = await kept();
    expect(facts.map(({ n }) => n)).toEqual(facts.map((_, at) => at + 1));
    expect(facts.map(({ type }) => type).toSorted()).toEqual([
      "alert.fired",
      "alert.fired",
      "alert.fired",
      "order.filled",
      "order.partlyFilled",
      "order.placed",
    ]);
    expect(published()).toEqual(facts);
    expect(facts.flatMap((fact) => ("unread" in fact ? fact.unread : []))).toEqual([2, 3, 4]);
  });

  it("in any mixture have no gap and no duplicate, for every member", async () => {
    const members = [member, await broker.newMember(), await broker.newMember()];
    const ids = new Map<number, string[]>(members.map((one) => [one, []]));
    // The same id for all members: ids are unique per member.
    const shared = uuid();
    const work: Promise<unknown>[] = [];
    for (let at = 0; at < 30; at += 1) {
      for (const one of members) {
        const setting = set(at % 2 === 0 ? "above" : "below", at % 2 === 0 ? 101 + at : 99 - at, {
          as: one,
          ...(at === 0 ? { id: shared } : {}),
        });
        work.push(setting.then((id) => ids.get(one)?.push(id)).catch(() => undefined));
        work.push(broker.place(one, { price: 99 - (at % 5) }).catch(() => undefined));
      }
      const move = (at % 7) * 7 - 21;
      broker.venue.set(0, { last: 100 + move, asks: [[100 + move, 2]], bids: [[99 + move, 2]] });
      if (at % 5 === 0) await broker.settled();
    }
    await Promise.all(work);
    broker.venue.set(0, { last: 1_000 });
    broker.venue.set(0, { last: 1 });
    await broker.settled();
    expect(broker.faults).toEqual([]);
    for (const one of members) {
      const facts = await kept(one);
      expect(facts.map(({ n }) => n)).toEqual(facts.map((_, at) => at + 1));
      expect(published(one)).toEqual(facts);
      expect(fired(facts).toSorted()).toEqual(ids.get(one)?.toSorted());
      expect(ids.get(one)?.length).toBeGreaterThan(10);
      const { items } = await broker.call("listMessages", one, { cursor: null });
      expect(items.flatMap(({ alert }) => alert?.id ?? [])).toEqual(fired(facts).toReversed());
    }
  });
});

describe("a transaction that fails", () => {
  it("fires nothing partially, does not block others, and is retried", async () => {
    const other = await broker.newMember();
    const [mine, theirs] = [await set("above", 105), await set("above", 105, { as: other })];
    await query(broker.db.kysely, "INSERT INTO fact (member_id, n, at, type, body) VALUES ($1, 1, 0, 'order.placed', '{}')", [member]);
    broker.venue.set(0, { last: 106 });
    await broker.settled();
    expect([await statusOf(mine), await statusOf(theirs, other)]).toEqual(["waiting", "fired"]);
    expect(published()).toEqual([]);
    expect((await broker.call("listMessages", member, { cursor: null })).items).toHaveLength(1);
    expect(broker.faults.length).toBeGreaterThan(0);
    await query(broker.db.kysely, "DELETE FROM fact WHERE member_id = $1", [member]);
    broker.venue.set(0, { last: 107 });
    await broker.settled();
    expect(fired(published())).toEqual([mine]);
    expect(fired(published(other))).toEqual([theirs]);
  });

  it("or a failed push loses nothing: committed facts can be fetched", async () => {
    const id = await set("above", 105);
    const pushing = vi.spyOn(broker.published, "push").mockImplementation(() => {
      throw new Error("push failed");
    });
    broker.venue.set(0, { last: 106 });
    await broker.settled();
    pushing.mockRestore();
    expect(fired(await kept())).toEqual([id]);
    expect(broker.faults).toHaveLength(1);
  });
});

describe("a broker after a restart", () => {
  it("knows the waiting alerts, and those reached while it was down", async () => {
    const [now, later, never] = [await set("above", 105), await set("above", 110), await set("below", 90)];
    await broker.call("withdrawAlert", member, { id: RequestId.parse(never) });
    await broker.stop();
    broker.venue.set(0, { last: 106 });
    const alerts = new AlertRegistry();
    const stop = await startJobs({ ...broker, alerts, now: () => broker.clock.now });
    await broker.settled();
    expect([await statusOf(now), await statusOf(later), await statusOf(never)]).toEqual(["fired", "waiting", "withdrawn"]);
    expect(alerts.size).toBe(1);
    broker.venue.set(0, { last: 111 });
    broker.venue.set(0, { last: 80 });
    await broker.settled();
    expect(fired(await kept())).toEqual([now, later]);
    await stop();
  });
});

describe("the cost of a market change", () => {
  it("depends on the number of watched rows only, not on the number of changed rows", async () => {
    const many = Array.from({ length: 2_000 }, (_, row) => fakeInstrument(row, String(1_000 + row)));
    const venue = fakeVenue(many);
    const listeners: ((rows: readonly number[]) => void)[] = [];
    const onChange = vi.spyOn(venue, "onChange").mockImplementation((listener) => {
      listeners.push(listener);
      return () => undefined;
    });
    const big = await openTestBroker({ venue });
    const someone = await big.newMember();
    for (const code of ["1005", "1500"]) await set("above", 500, { as: someone, code, in: big });
    const quote = vi.spyOn(venue, "publicQuote");
    for (const listener of listeners) listener(many.map(({ row }) => row));
    expect(quote.mock.calls.map(([row]) => row)).toEqual([5, 500]);
    expect(onChange).toHaveBeenCalled();
    await big.shut();
  });

  it("is bounded when thousands wait for one level, and all of them fire", async () => {
    const crowd = 300;
    await query(
      broker.db.kysely,
      `INSERT INTO alert (member_id, id, code, kind, level, status, set_at, price_day)
       SELECT $1, gen_random_uuid(), '2330', 'above', 1050000 + n, 'waiting', n, 0 FROM generate_series(1, $2::integer) AS n`,
      [member, crowd],
    );
    const stop = await startJobs({ ...broker, alerts: new AlertRegistry(), now: () => broker.clock.now });
    broker.venue.set(0, { last: 200 });
    await vi.waitFor(() => expect(published()).toHaveLength(crowd), { timeout: 60_000 });
    expect(published().map(({ n }) => n)).toEqual(Array.from({ length: crowd }, (_, at) => at + 1));
    await stop();
  });
});
