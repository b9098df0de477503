/** Tests the alert handlers: what may be set, how many, how fast, and ownership. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_ALERTS, SetAlertBody } from "#contract/alert.ts";
import type { AlertKind } from "#contract/alert.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";

let broker: TestBroker;
let member: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.venue.set(0, { last: 100, reference: 100, volume: 0 });
  member = await broker.newMember();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

const set = (over: { id?: string; code?: string; kind?: AlertKind; level?: number } = {}, as = member) =>
  broker.call("setAlert", as, SetAlertBody.parse({ id: uuid(), code: "2330", kind: "above", level: 1_100_000, ...over }));
const list = async (of = member) => (await broker.call("listAlerts", of, {})).alerts;

describe("an alert", () => {
  it("is set once under the client's id, and listed newest first", async () => {
    const id = uuid();
    await set({ id });
    broker.clock.now += 1_000;
    await set({ kind: "fall", level: 250 });
    expect(await set({ id: id.toUpperCase(), kind: "below", level: 1 })).toEqual({ alerts: await list() });
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        code: "2330",
        kind: "fall",
        level: 250,
        status: "waiting",
        setAt: broker.clock.now,
        firedAt: null,
        firedPrice: null,
      },
      {
        id,
        code: "2330",
        kind: "above",
        level: 1_100_000,
        status: "waiting",
        setAt: broker.clock.now - 1_000,
        firedAt: null,
        firedPrice: null,
      },
    ]);
  });

  it("may be set on any listed instrument, including an index, and on nothing else", async () => {
    await set({ code: "IX0001", level: 9_000_000 });
    await set({ code: "BTC", kind: "volume", level: 5 });
    expect(await refusalOf(set({ code: "9999" }))).toMatchObject({ code: "GEN_NOT_FOUND", field: "code" });
    expect(await list()).toHaveLength(2);
  });

  it.each([
    ["above", 1_000_000],
    ["below", 1_000_000],
    ["rise", 300],
    ["volume", 7],
  ] as const)("%s %d is refused when it is already met", async (kind, level) => {
    broker.venue.set(0, { last: 103, reference: 100, volume: 7 });
    if (kind === "below") broker.venue.set(0, { last: 97 });
    expect(await refusalOf(set({ kind, level }))).toMatchObject({ code: "VAL_ALERT_REACHED", field: "level" });
    expect(await list()).toEqual([]);
  });

  it("is limited in number, also when many are set at once; withdrawn ones do not count", async () => {
    const asked = await Promise.allSettled(Array.from({ length: MAX_ALERTS + 2 }, () => set()));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_ALERTS);
    expect(await refusalOf(set())).toMatchObject({ code: "GEN_LIST_FULL", params: { n: MAX_ALERTS } });
    const [one] = await list();
    const { alerts } = await broker.call("withdrawAlert", member, { id: one?.id ?? uuid() });
    expect(alerts).toHaveLength(MAX_ALERTS - 1);
    await set();
  });

  it("that was withdrawn stays withdrawn when its id is repeated", async () => {
    const id = uuid();
    await set({ id });
    await broker.call("withdrawAlert", member, { id: RequestId.parse(id.toUpperCase()) });
    expect(await set({ id })).toEqual({ alerts: [] });
    expect(await broker.call("withdrawAlert", member, { id })).toEqual({ alerts: [] });
    broker.venue.set(0, { last: 120 });
    await broker.settled();
    expect(broker.published.filter((one) => one.memberId === member)).toEqual([]);
    const [row] = await broker.db.kysely.selectFrom("alert").select("status").where("member_id", "=", member).execute();
    expect(row?.status).toBe("withdrawn");
  });
});

describe("another member's alert", () => {
  it("looks like one that does not exist, stays unchanged, and its id is free", async () => {
    const id = uuid();
    await set({ id });
    const other = await broker.newMember();
    const theirs = await refusalOf(broker.call("withdrawAlert", other, { id }));
    expect(theirs).toMatchObject({ code: "GEN_NOT_FOUND", field: "id" });
    expect(await refusalOf(broker.call("withdrawAlert", other, { id: uuid() }))).toEqual(theirs);
    expect(await list(other)).toEqual([]);
    await set({ id, kind: "below", level: 1 }, other);
    expect((await list()).map(({ kind }) => kind)).toEqual(["above"]);
    expect((await list(other)).map(({ kind }) => kind)).toEqual(["below"]);
  });
});

describe("commands on alerts", () => {
  it("share the rate limit with orders; repeating one costs nothing", async () => {
    const hurried = await openTestBroker({ commandsPerSecond: 3 });
    const someone = await hurried.newMember();
    const body = { code: "2330", kind: "above", level: 1_100_000 };
    const one = SetAlertBody.parse({ ...body, id: uuid() });
    await hurried.call("setAlert", someone, one);
    await hurried.place(someone, { price: 95 });
    await hurried.call("withdrawAlert", someone, { id: one.id });
    await hurried.call("setAlert", someone, one);
    const more = () => hurried.call("setAlert", someone, SetAlertBody.parse({ ...body, id: uuid() }));
    expect(await refusalOf(more())).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    expect(await refusalOf(hurried.call("withdrawAlert", someone, { id: uuid() }))).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    expect(await refusalOf(hurried.place(someone, { price: 95 }))).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    hurried.clock.now += 1_001;
    expect((await more()).alerts).toHaveLength(1);
    await hurried.shut();
  });
});
