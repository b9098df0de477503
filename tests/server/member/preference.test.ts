/** Tests preferences, chart lines and shapes: stored as given, and readable when another version stored them. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { ChartLine, ChartShape, MAX_SHAPES, preferenceEndpoints, Preferences } from "#contract/preference.ts";
import { USUAL_PREFERENCES, USUAL_STUDIES } from "#contract/usual-preference.ts";
import { query } from "#server/db/database.ts";
import { readKept } from "#server/api/preference.ts";
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

const read = (of = member) => broker.call("readPreferences", of, {});
const CHOSEN: Preferences = {
  main: null,
  sub: ["macd", "kd"],
  studies: { ...USUAL_STUDIES, ma: [7, 30], kd: { length: 14, k: 3, d: 5 } },
  collapsed: ["kd"],
  frame: "week",
  sound: true,
  vibrate: false,
  bigLots: 200,
  adjustment: "forward",
  density: "comfortable",
  saveData: true,
  notify: true,
  ticketKind: "dayTrade",
  skipReviewCents: 10_000_000,
  flash: { lots: 2, limitCents: 30_000_000 },
};

describe("preferences", () => {
  it("are the defaults, then the last saved ones, per member", async () => {
    expect(await read()).toEqual(USUAL_PREFERENCES);
    await broker.call("savePreferences", member, { ...CHOSEN, saveData: false });
    expect(await broker.call("savePreferences", member, CHOSEN)).toEqual(CHOSEN);
    expect(await read()).toEqual(CHOSEN);
    expect(await read(await broker.newMember())).toEqual(USUAL_PREFERENCES);
  });

  it("that are not sent stay: of an older page, and of another device that changes others at once", async () => {
    await broker.call("savePreferences", member, CHOSEN);
    const older = endpoints.savePreferences.body.parse({ main: "ma", saveData: false });
    const answers = await Promise.all([
      broker.call("savePreferences", member, older),
      broker.call("savePreferences", member, { skipReviewCents: null }),
    ]);
    const now = { ...CHOSEN, main: "ma", saveData: false, skipReviewCents: null };
    expect(await read()).toEqual(now);
    expect(answers).toContainEqual(now);
  });

  it.each([
    ["nothing", null, USUAL_PREFERENCES],
    ["no document", "text", USUAL_PREFERENCES],
    ["a field this version does not know", { ...CHOSEN, theme: "dark" }, CHOSEN],
    ["a field that was not there yet", { saveData: true }, { ...USUAL_PREFERENCES, saveData: true }],
    ["a study that is gone", { ...CHOSEN, main: "ichimoku", sub: ["vol", "wr"] }, { ...CHOSEN, main: "ma", sub: ["vol"] }],
    [
      "studies with fewer and with wrong parameters",
      { ...CHOSEN, studies: { ma: [7, 30], kd: { length: 0, k: 3, d: 3 }, macd: { fast: 5 } } },
      { ...CHOSEN, studies: { ...USUAL_STUDIES, ma: [7, 30] } },
    ],
    ["fields of other types", { main: 1, sub: null, studies: [], adjustment: "both", saveData: "yes", notify: 1 }, USUAL_PREFERENCES],
  ])("read back from %s are such as the contract allows", (_what, kept, expected) => {
    expect(readKept(kept)).toEqual(expected);
    expect(Preferences.safeParse(readKept(kept)).success).toBe(true);
  });

  it("are read from the database in the same way", async () => {
    await query(broker.db.kysely, `INSERT INTO preference VALUES ($1, '{"notify":true,"main":"heikin"}')`, [member]);
    expect(await read()).toEqual({ ...USUAL_PREFERENCES, notify: true });
  });
});

describe("lines on a chart", () => {
  const code = Code.parse("2330");
  const line = (price: number, over: Partial<ChartLine> = {}): ChartLine =>
    ChartLine.parse({ id: RequestId.parse(randomUUID()), price, alert: null, ...over });
  const save = (lines: ChartLine[], as = member) => broker.call("saveLines", as, { code, lines });
  const lines = async (of = member) => (await broker.call("readLines", of, { code })).lines;

  it("are stored per instrument and member, replacing the earlier ones", async () => {
    const [one, two] = [line(1_000_000), line(950_000, { alert: RequestId.parse(randomUUID()) })];
    await save([one]);
    expect(await save([two, one])).toEqual({ lines: [two, one] });
    expect(await lines()).toEqual([two, one]);
    expect((await broker.call("readLines", member, { code: Code.parse("2603") })).lines).toEqual([]);
    expect(await lines(await broker.newMember())).toEqual([]);
    await save([]);
    expect(await lines()).toEqual([]);
    expect(await broker.db.kysely.selectFrom("chart_line").selectAll().where("member_id", "=", member).execute()).toEqual([]);
  });

  it("are stored without duplicates", async () => {
    const one = line(1_000_000);
    const moved = { ...one, price: 1_010_000 };
    expect(await save([one, moved])).toEqual({ lines: [moved] });
  });

  it("are refused on unlisted instruments; unreadable ones are left out", async () => {
    expect(await refusalOf(broker.call("saveLines", member, { code: Code.parse("9999"), lines: [] }))).toMatchObject({
      code: "GEN_NOT_FOUND",
    });
    const good = line(5);
    await query(broker.db.kysely, "INSERT INTO chart_line VALUES ($1, '2330', $2)", [
      member,
      JSON.stringify([{ id: "x" }, good, null, { ...good, price: 0 }]),
    ]);
    expect(await lines()).toEqual([good]);
  });
});

describe("shapes on a chart", () => {
  const code = Code.parse("2330");
  const shape = (over: Partial<ChartShape> = {}): ChartShape =>
    ChartShape.parse({
      id: RequestId.parse(randomUUID()),
      kind: "trend",
      from: { at: 1_700_000_000_000, price: 10_350_000 },
      to: { at: 1_710_000_000_000, price: 10_800_000 },
      ...over,
    });
  const save = (shapes: ChartShape[], as = member) => broker.call("saveShapes", as, { code, shapes });
  const shapes = async (of = member) => (await broker.call("readShapes", of, { code })).shapes;

  it("are stored per instrument and member, replacing the earlier ones; the same again changes nothing", async () => {
    const [one, two] = [shape(), shape({ kind: "fibonacci" })];
    await save([one]);
    expect(await save([two, one, two])).toEqual({ shapes: [two, one] });
    expect(await save([two, one, two])).toEqual({ shapes: [two, one] });
    expect(await shapes()).toEqual([two, one]);
    expect((await broker.call("readShapes", member, { code: Code.parse("2603") })).shapes).toEqual([]);
    const other = await broker.newMember();
    expect(await shapes(other)).toEqual([]);
    await save([shape()], other);
    expect(await shapes()).toEqual([two, one]);
    await save([]);
    expect(await shapes()).toEqual([]);
    expect(await broker.db.kysely.selectFrom("chart_shape").selectAll().where("member_id", "=", member).execute()).toEqual([]);
  });

  it("are at most as many as the contract says", () => {
    const { body } = preferenceEndpoints.saveShapes;
    const most = Array.from({ length: MAX_SHAPES }, () => shape());
    expect(MAX_SHAPES).toBe(20);
    expect(body.safeParse({ code, shapes: most }).success).toBe(true);
    expect(body.safeParse({ code, shapes: [...most, shape()] }).success).toBe(false);
  });

  it("are refused on unlisted instruments; unreadable ones are left out", async () => {
    expect(await refusalOf(broker.call("saveShapes", member, { code: Code.parse("9999"), shapes: [] }))).toMatchObject({
      code: "GEN_NOT_FOUND",
    });
    const good = shape();
    await query(broker.db.kysely, "INSERT INTO chart_shape VALUES ($1, '2330', $2)", [
      member,
      JSON.stringify([good, null, { ...good, kind: "circle" }, { ...good, from: { at: 1, price: 0 } }]),
    ]);
    expect(await shapes()).toEqual([good]);
  });
});
