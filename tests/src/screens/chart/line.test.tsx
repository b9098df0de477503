/** Tests chart lines: typed prices, tick rounding, saving, moving, removing, and alerts that move along. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { act } from "react";
import { initReactI18next } from "react-i18next";
import { beforeAll, describe, expect, test } from "vitest";
import type { Alert } from "#contract/alert.ts";
import { MAX_LINES } from "#contract/preference.ts";
import en from "#locales/en.json";
import { drawnLines, sideOf, snapped, typedLine } from "#src/screens/chart/line.ts";
import { useLineEditor } from "#src/screens/chart/use-lines.ts";
import { accepted, broken, mock, received, refused } from "#tests/src/gateway/broker.ts";
import { bodies, setUpHarness, toasts, using } from "#tests/src/streams/harness.tsx";
import { until } from "#tests/support/until.ts";

describe("a typed price", () => {
  test("is rounded to the nearest tick, and tells whether it was rounded", () => {
    expect(typedLine("stock", "1,085")).toEqual({ price: 10_850_000, moved: false });
    expect(typedLine("stock", "1087.4")).toEqual({ price: 10_850_000, moved: true });
    expect(typedLine("stock", "33.33")).toEqual({ price: 333_500, moved: true });
    expect(typedLine("etf", "33.33")).toEqual({ price: 333_300, moved: false });
    expect(typedLine("forex", "4.4441")).toEqual({ price: 44_441, moved: false });
    for (const text of ["", "0", "-5", "abc", "1.23456"]) expect(typedLine("stock", text)).toBeNull();
  });

  test("is at least one tick", () => {
    expect(snapped("stock", -200)).toBe(100);
    expect(snapped("stock", 10_869_999.7)).toBe(10_850_000);
    expect(snapped("stock", 10_879_999.7)).toBe(10_900_000);
  });
});

const ID = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const alert = (n: number, more: Partial<Alert> = {}) =>
  ({
    id: ID(n),
    code: "2330",
    kind: "above",
    level: 10_900_000,
    status: "waiting",
    setAt: 1,
    firedAt: null,
    firedPrice: null,
    ...more,
  }) as Alert;
const line = (n: number, price: number, alertN: number | null = null) => ({
  id: ID(n),
  price,
  alert: alertN === null ? null : ID(alertN),
});
const lines = (...all: ReturnType<typeof line>[]) => all as never as Parameters<typeof drawnLines>[0];

describe("lines with their alerts", () => {
  test("are sorted highest first; a withdrawn or missing alert leaves its line without one", () => {
    const all = drawnLines(lines(line(1, 100, 11), line(2, 300, 12), line(3, 200, 13)), [
      alert(11, { status: "fired" }),
      alert(12, { status: "withdrawn" }),
    ]);
    expect(all.map(({ price, alert: watched }) => [price, watched?.status ?? null])).toEqual([
      [300, null],
      [200, null],
      [100, "fired"],
    ]);
    expect(all.map(({ alertId }) => alertId)).toEqual([null, null, ID(11)]);
  });

  test("keep alert ids while the alerts are not loaded", () => {
    expect(drawnLines(lines(line(1, 100, 11)), null)).toEqual([{ id: ID(1), price: 100, alertId: ID(11), alert: null }]);
  });

  test("wait for a price above or below the newest", () => {
    expect([sideOf(110, 100), sideOf(90, 100)]).toEqual(["above", "below"]);
  });
});

setUpHarness();
beforeAll(() => initReactI18next.init(i18next));

/** A line editor on a mocked broker that stores what it is sent. */
async function mountEditor(saved: ReturnType<typeof line>[], alerts: Alert[]) {
  let waiting = alerts;
  mock("readLines", () => accepted({ lines: saved }));
  mock("saveLines", (body) => accepted({ lines: body.lines }));
  mock("listAlerts", () => accepted({ alerts: waiting }));
  mock("setAlert", (body) => {
    const { id, kind, level } = body;
    waiting = [{ ...alert(0), id, kind, level }, ...waiting];
    return accepted({ alerts: waiting });
  });
  mock("withdrawAlert", (body) => {
    waiting = waiting.filter(({ id }) => id !== body.id);
    return accepted({ alerts: waiting });
  });
  const now = await using(() => useLineEditor({ code: "2330", decimals: 2 }, () => 10_850_000));
  await act(() =>
    until(() => now().lines.length === saved.length && (alerts.length === 0 || now().lines.some(({ alert: watched }) => watched))),
  );
  return now;
}
const savedLines = () => bodies("saveLines").map((body) => (body as { lines: { price: number; alert: string | null }[] }).lines);

describe("the line editor", () => {
  test("adds one line per price and shows a toast", async () => {
    const now = await mountEditor([line(1, 10_000_000)], []);
    await act(async () => now().add(10_900_000));
    await act(async () => now().add(10_900_000));
    await act(() => until(() => savedLines().length === 1));
    expect(savedLines()[0]?.map(({ price }) => price)).toEqual([10_000_000, 10_900_000]);
    expect(toasts).toEqual(["Line drawn at 1,090.00"]);
  });

  test("refuses more than the maximum number of lines with a toast", async () => {
    const now = await mountEditor(
      Array.from({ length: MAX_LINES }, (_, at) => line(at + 1, (at + 1) * 10_000)),
      [],
    );
    await act(async () => now().add(10_900_000));
    expect(savedLines()).toEqual([]);
    expect(toasts).toEqual([i18next.t("refusal.GEN_LIST_FULL", { n: MAX_LINES })]);
    expect(toasts[0]).toContain("10");
  });

  test("sets an alert on the side the line is on, and withdraws it", async () => {
    const now = await mountEditor([line(1, 10_900_000), line(2, 10_000_000)], []);
    expect(await act(() => now().watch(ID(1), true))).toBeNull();
    await act(() => until(() => now().lines[0]?.alert));
    expect(bodies("setAlert")[0]).toMatchObject({ code: "2330", kind: "above", level: 10_900_000 });
    expect(savedLines()[0]?.[0]?.alert).toBe(now().lines[0]?.alert?.id);
    await act(() => now().watch(ID(2), true));
    expect(bodies("setAlert")[1]).toMatchObject({ kind: "below", level: 10_000_000 });
    await act(() => now().watch(ID(1), false));
    await act(() => until(() => now().lines[0]?.alert === null));
    expect(bodies("withdrawAlert")).toHaveLength(1);
  });

  test("returns why an alert was refused, and keeps the line unchanged", async () => {
    const now = await mountEditor([line(1, 10_850_000)], []);
    mock("setAlert", () => refused("VAL_ALERT_REACHED"));
    expect(await act(() => now().watch(ID(1), true))).toBe(en.refusal.VAL_ALERT_REACHED);
    expect(savedLines()).toEqual([]);
    expect(now().lines[0]?.alert).toBeNull();
  });

  test("saves a moved line once it rests; its waiting alert is withdrawn before the new one is set", async () => {
    const now = await mountEditor([line(1, 10_900_000, 11)], [alert(11)]);
    for (const price of [10_850_000, 10_750_000, 10_800_000]) {
      await act(async () => now().move(ID(1), price));
      expect(now().lines[0]).toMatchObject({ price, alert: { id: ID(11) } });
    }
    expect(savedLines()).toEqual([]);
    await act(() => until(() => savedLines().length === 2));
    expect(received.map(({ name }) => name).filter((name) => name.endsWith("Alert"))).toEqual(["withdrawAlert", "setAlert"]);
    expect(bodies("setAlert")[0]).toMatchObject({ kind: "below", level: 10_800_000 });
    expect(savedLines()[0]?.[0]).toMatchObject({ price: 10_800_000, alert: null });
    expect(savedLines()[1]?.[0]?.alert).toBe((bodies("setAlert")[0] as Alert).id);
  });

  test.each([
    ["no answer came", () => broken.line(), en.alert.notWithdrawn],
    ["it was refused", () => refused("GEN_TOO_FREQUENT"), en.refusal.GEN_TOO_FREQUENT],
  ])("moves a line back to its alert when the alert could not be withdrawn: %s", async (_, answer, told) => {
    const now = await mountEditor([line(1, 10_900_000, 11)], [alert(11)]);
    mock("withdrawAlert", answer);
    await act(async () => now().move(ID(1), 10_800_000));
    await act(() => until(() => savedLines().length === 2));
    expect(now().lines).toEqual([{ id: ID(1), price: 10_900_000, alertId: ID(11), alert: alert(11) }]);
    expect(savedLines()[1]).toEqual([{ id: ID(1), price: 10_900_000, alert: ID(11) }]);
    expect(bodies("setAlert")).toEqual([]);
    await until(() => toasts.length > 0);
    expect(toasts).toEqual([told]);
    // What is known of the alerts may be outdated.
    await until(() => bodies("listAlerts").length === 2);
  });

  test("leaves the alert alone when the moved line could not be saved", async () => {
    const now = await mountEditor([line(1, 10_900_000, 11)], [alert(11)]);
    mock("saveLines", () => broken.line());
    await act(async () => now().move(ID(1), 10_800_000));
    await act(() => until(() => toasts.length > 0 && now().lines[0]?.price === 10_900_000));
    expect(toasts).toEqual([en.operation.OP_SAVE_FAIL]);
    expect(now().lines[0]?.alert?.id).toBe(ID(11));
    expect(bodies("withdrawAlert")).toEqual([]);
  });

  test("sets no new alert for a moved line whose alert is switched off meanwhile", async () => {
    const now = await mountEditor([line(1, 10_900_000, 11)], [alert(11)]);
    await act(async () => now().move(ID(1), 10_800_000));
    expect(await act(() => now().watch(ID(1), false))).toBeNull();
    await act(() => until(() => savedLines().length === 1));
    expect(now().lines).toEqual([{ id: ID(1), price: 10_800_000, alertId: null, alert: null }]);
    expect([bodies("withdrawAlert"), bodies("setAlert")]).toEqual([[{ id: ID(11) }], []]);
  });

  test("reports that the alert of a removed line could not be withdrawn", async () => {
    const now = await mountEditor([line(1, 10_900_000, 11)], [alert(11)]);
    mock("withdrawAlert", () => broken.line());
    await act(async () => now().remove(ID(1), true));
    await act(() => until(() => toasts.length > 0));
    expect([toasts, now().lines]).toEqual([[en.alert.notWithdrawn], []]);
  });

  test("saves one moved line before moving another", async () => {
    const now = await mountEditor([line(1, 10_900_000), line(2, 10_000_000)], []);
    await act(async () => now().move(ID(1), 10_850_000));
    await act(async () => now().move(ID(2), 9_990_000));
    await act(() => until(() => savedLines().length === 2));
    expect(savedLines().map((lines) => lines.map(({ price }) => price))).toEqual([
      [10_850_000, 10_000_000],
      [10_850_000, 9_990_000],
    ]);
  });

  test("adds no line when the lines could not be loaded: the others would be lost", async () => {
    mock("readLines", () => refused("GEN_NOT_FOUND"));
    mock("listAlerts", () => accepted({ alerts: [] }));
    const now = await using(() => useLineEditor({ code: "2317", decimals: 2 }, () => 1));
    await act(() => until(() => now().state === "failed"));
    await act(async () => now().add(10_900_000));
    expect([savedLines(), toasts]).toEqual([[], [en.chart.lines.failed]]);
    mock("readLines", () => accepted({ lines: [] }));
    await act(async () => now().retry());
    await act(() => until(() => now().state === "ready"));
  });

  test("removes a line, with or without its alert", async () => {
    const now = await mountEditor([line(1, 10_900_000, 11), line(2, 10_000_000, 12)], [alert(11), alert(12)]);
    await act(async () => now().remove(ID(1), false));
    await act(() => until(() => savedLines().length === 1));
    expect(bodies("withdrawAlert")).toEqual([]);
    await act(async () => now().remove(ID(2), true));
    await act(() => until(() => bodies("withdrawAlert").length === 1));
    expect(bodies("withdrawAlert")[0]).toEqual({ id: ID(12) });
    expect(savedLines()[1]).toEqual([]);
  });
});
