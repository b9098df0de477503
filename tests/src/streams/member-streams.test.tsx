/** Tests watchlist groups, alerts and inbox: changed by answers and facts, commands in order, nothing kept for another member. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { act } from "react";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Alert } from "#contract/alert.ts";
import type { Fact } from "#contract/fact.ts";
import { Message } from "#contract/message.ts";
import type { Position } from "#contract/position.ts";
import en from "#locales/en.json";
import { alerts, setAlert, withdrawAlert } from "#src/streams/alerts.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { member } from "#src/streams/member.ts";
import { messages, readAllMessages, readMessage } from "#src/streams/messages.ts";
import { valuePositions } from "#src/streams/orders.ts";
import { positions$, usePositions, usePositionsOf } from "#src/streams/positions.ts";
import { forgetAll } from "#src/streams/resource.ts";
import { arrangeWatch, saveGroup, setWatched, useWatchlist, watchlist } from "#src/streams/watchlist.ts";
import type { ReadWatchlist } from "#src/streams/watchlist.ts";
import { accepted, broken, received, mock, refused } from "#tests/src/gateway/broker.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";
import { until } from "#tests/support/until.ts";
import { fakeWorker } from "./fake-worker.ts";
import type { FakeWorker } from "./fake-worker.ts";
import { bodies, held, OVERVIEW, setUpHarness, toasts, using, watch } from "./harness.tsx";

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const alertOf = (n: number, over: object = {}): Alert =>
  ({ id: uuid(n), code: "2330", kind: "above", level: 1, status: "waiting", setAt: n, firedAt: null, firedPrice: null, ...over }) as Alert;
const firedOf = (n: number): Alert => alertOf(n, { status: "fired", firedAt: 100 + n, firedPrice: 5 });
const messageOf = (n: number, over: object = {}): Message =>
  Message.parse({ id: `M${n}`, at: n, kind: "alert", read: false, alert: firedOf(n), ...over });
const group = (n: number, ...codes: string[]) => ({ id: uuid(n), name: String(n), codes });
let worker: FakeWorker;
const emitFired = (n: number, alert: number, unread: number): void => {
  const fact = { n, at: 100 + alert, type: "alert.fired", alert: firedOf(alert), message: messageOf(alert), unread } as Fact;
  worker.emit({ kind: "facts", facts: [fact] });
};

setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
});

describe("the watchlist", () => {
  test("lists the codes of all groups once, and which are busy", async () => {
    const { gate, open } = held();
    mock("readWatchlist", () => accepted({ groups: [group(1, "2330", "2317"), group(2, "0050", "2330")] }));
    mock("addWatch", async () => {
      await gate;
      return accepted({ groups: [group(1, "2330", "2317", "2603"), group(2, "0050", "2330")] });
    });
    const now = await using<ReadWatchlist>(useWatchlist);
    await act(() => until(() => now().state === "ready"));
    expect(now().codes).toEqual(["2330", "2317", "0050"]);
    expect([now().has("0050"), now().has("2603"), now().busy("2603")]).toEqual([true, false, false]);
    await act(async () => {
      void setWatched("2603", true);
      void setWatched("2603", true);
    });
    expect([now().busy("2603"), now().has("2603")]).toEqual([true, false]);
    open();
    await act(() => until(() => now().has("2603")));
    expect(now().busy("2603")).toBe(false);
    expect(bodies("addWatch")).toEqual([{ code: "2603", group: null }]);
    expect(toasts).toEqual([en.operation.OP_FAVORITE_ADD_OK]);
  });

  test("is read again when another device has added the instrument before", async () => {
    let codes = ["2330"];
    mock("readWatchlist", () => accepted({ groups: [group(1, ...codes)] }));
    mock("addWatch", () => refused("GEN_STOCK_CODE_EXISTS", { field: "code" }));
    const now = await using<ReadWatchlist>(useWatchlist);
    await act(() => until(() => now().state === "ready"));
    codes = ["2330", "2603"];
    await act(() => setWatched("2603", true));
    await act(() => until(() => now().has("2603")));
    expect(toasts).toEqual([en.refusal.GEN_STOCK_CODE_EXISTS]);
  });

  test("is read again when the answer to a change is lost, so that the same is not asked twice", async () => {
    let codes = ["2330"];
    mock("readWatchlist", () => accepted({ groups: [group(1, ...codes)] }));
    mock("addWatch", () => {
      codes = ["2330", "2603"];
      return broken.line();
    });
    const now = await using<ReadWatchlist>(useWatchlist);
    await act(() => until(() => now().state === "ready"));
    await act(() => setWatched("2603", true));
    await act(() => until(() => now().has("2603")));
    expect(toasts).toEqual([en.operation.OP_FAVORITE_ADD_FAIL]);
  });

  test("is empty until it is loaded", async () => {
    const { gate, open } = held();
    mock("readWatchlist", async () => {
      await gate;
      return accepted({ groups: [group(1, "2330")] });
    });
    const now = await using<ReadWatchlist>(useWatchlist);
    expect([now().value, now().groups, now().codes, now().has("2330")]).toEqual([null, [], [], false]);
    open();
    await act(() => until(() => now().has("2330")));
  });

  test("sends one change after the other, so that the newest answer wins", async () => {
    const { gate, open } = held();
    mock("readWatchlist", () => accepted({ groups: [group(1, "A1", "B2")] }));
    mock("arrangeWatch", async (body) => {
      if (received.filter(({ name }) => name === "arrangeWatch").length === 1) await gate;
      return accepted({ groups: [{ ...group(1), codes: body.codes }] });
    });
    watch(watchlist);
    await until(() => watchlist.now().value);
    const both = [arrangeWatch(uuid(1), ["B2", "A1"]), arrangeWatch(uuid(1), ["A1", "B2"])];
    await until(() => bodies("arrangeWatch").length > 0);
    expect(bodies("arrangeWatch")).toHaveLength(1);
    open();
    await Promise.all(both);
    expect(watchlist.now().value?.[0]?.codes).toEqual(["A1", "B2"]);
  });

  test("returns a refusal to the form without a toast, and shows a toast when a star failed", async () => {
    mock("saveGroup", () => refused("VAL_GROUP_EXISTS", { field: "name" }));
    mock("removeWatch", () => broken.line());
    expect((await saveGroup(uuid(3), "x")).refused).toMatchObject({ code: "VAL_GROUP_EXISTS", field: "name" });
    expect(toasts).toEqual([]);
    await setWatched("2330", false, uuid(1));
    expect(bodies("removeWatch")).toEqual([{ codes: ["2330"], group: uuid(1) }]);
    expect(toasts).toEqual([en.operation.OP_FAVORITE_REMOVE_FAIL]);
  });

  test("does nothing for a member who signed out: queued changes are not sent, late answers not shown", async () => {
    const { gate, open } = held();
    mock("readWatchlist", () => accepted({ groups: [group(9, "2330")] }));
    mock("saveGroup", async () => {
      await gate;
      return accepted({ groups: [group(1, "OF", "BEFORE")] });
    });
    const both = [saveGroup(uuid(1), "a"), saveGroup(uuid(2), "b")];
    await until(() => bodies("saveGroup").length === 1);
    forgetAll(true);
    watch(watchlist);
    await until(() => watchlist.now().value);
    open();
    expect((await Promise.all(both)).map(({ failed }) => failed)).toEqual(["cancelled", "cancelled"]);
    expect(bodies("saveGroup")).toHaveLength(1);
    expect(watchlist.now().value?.[0]?.id).toBe(uuid(9));
  });
});

describe("alerts", () => {
  test("that fire move behind the waiting ones, once", async () => {
    mock("listAlerts", () => accepted({ alerts: [alertOf(3), alertOf(2), firedOf(1)] }));
    watch(alerts);
    await until(() => alerts.now().value);
    emitFired(1, 3, 2);
    emitFired(1, 3, 2);
    await until(() => alerts.now().value?.[0]?.id === uuid(2));
    expect(alerts.now().value?.map(({ id, status }) => [id, status])).toEqual([
      [uuid(2), "waiting"],
      [uuid(3), "fired"],
      [uuid(1), "fired"],
    ]);
  });

  test.each(["alertsAdjusted", "alertsEnded"] as const)("are read again when the broker has changed them: %s", async (about) => {
    let level = 1;
    mock("listAlerts", () => accepted({ alerts: [alertOf(2, { level })] }));
    watch(alerts);
    await until(() => alerts.now().value);
    level = 4;
    const message = messageOf(5, { kind: "notice", alert: null, notice: { about, values: { code: "2330", n: "1" } } });
    worker.emit({ kind: "facts", facts: [{ n: 1, at: 100, type: "message.arrived", message } as Fact] });
    await until(() => alerts.now().value?.[0]?.level === 4);
    expect(bodies("listAlerts")).toHaveLength(2);
  });

  test("that fire before an answer arrives stay fired", async () => {
    const { gate, open } = held();
    mock("listAlerts", () => accepted({ alerts: [alertOf(2)] }));
    mock("setAlert", async () => {
      await gate;
      return accepted({ alerts: [alertOf(4), alertOf(2)] });
    });
    watch(alerts);
    await until(() => alerts.now().value);
    const setting = setAlert({ id: uuid(4), code: "2330", kind: "above", level: 1 });
    await until(() => bodies("setAlert").length > 0);
    emitFired(1, 2, 2);
    await until(() => alerts.now().value?.[0]?.status === "fired");
    open();
    expect((await setting).ok).toBe(true);
    expect(alerts.now().value?.map(({ id, status }) => [id, status])).toEqual([
      [uuid(4), "waiting"],
      [uuid(2), "fired"],
    ]);
  });

  test("return a refusal to the form, and apply the answer to a withdrawal", async () => {
    mock("listAlerts", () => accepted({ alerts: [alertOf(2)] }));
    mock("setAlert", () => refused("VAL_ALERT_REACHED", { field: "level" }));
    mock("withdrawAlert", () => accepted({ alerts: [] }));
    watch(alerts);
    await until(() => alerts.now().value);
    const outcome = await setAlert({ id: uuid(5), code: "2330", kind: "below", level: 9 });
    expect([outcome.refused?.code, toasts]).toEqual(["VAL_ALERT_REACHED", []]);
    await withdrawAlert(uuid(2));
    expect(alerts.now().value).toEqual([]);
  });
});

describe("the positions", () => {
  const given = (): unknown[] => worker.calls.filter(([name]) => name === "setPositions").map(([, orders]) => orders);

  test("are unknown to the worker until they are loaded, and after the session", async () => {
    const { gate, open } = held();
    mock("listPositions", async () => {
      await gate;
      return accepted({ positions: [] });
    });
    const stop = valuePositions();
    await until(() => given().length > 0);
    expect(new Set(given())).toEqual(new Set([null]));
    open();
    await until(() => given().at(-1) !== null);
    expect(given().at(-1)).toEqual([]);
    stop();
    await until(() => given().at(-1) === null);
  });
});

describe("positions", () => {
  test("group the orders held, newest first, and one instrument's are its own", async () => {
    const no = (n: number) => ({ orderNo: `K10000000000${n}`, placedAt: 1_700_000_000_000 + n, version: n });
    const orders = [orderOf({ ...no(3), direction: "fall" }), orderOf({ ...no(2), code: "0050" }), orderOf(no(1)), orderOf(no(0))];
    mock("listPositions", () => accepted({ positions: orders }));
    const all = await using(usePositions);
    const of = await using(() => usePositionsOf("2330"));
    await act(() => until(() => all().value !== null));
    expect(all().value?.map(({ id, shares }) => [id, shares])).toEqual([
      ["2330:fall:cash", 2_000],
      ["0050:rise:cash", 2_000],
      ["2330:rise:cash", 4_000],
    ]);
    expect(of()).toEqual(all().value?.filter(({ code }) => code === "2330"));
    let seen: readonly Position[] | null = null;
    positions$.subscribe((now) => (seen = now)).unsubscribe();
    expect(seen).toBe(all().value);
  });
});

describe("the inbox", () => {
  beforeEach(async () => {
    mock("listMessages", () => accepted({ items: [messageOf(2), messageOf(1, { kind: "welcome", alert: null })], next: null }));
    mock("readMember", () => accepted({ ...OVERVIEW, unread: 2 }));
    watch(messages);
    watch(member);
    await until(() => messages.now().value && member.now().value);
  });

  test("puts a new message first, once, and updates the unread count", async () => {
    mock("readMember", () => accepted({ ...OVERVIEW, unread: 3 }));
    emitFired(1, 3, 3);
    emitFired(1, 3, 3);
    await until(() => member.now().value?.unread === 3);
    expect(messages.now().value?.items.map(({ id }) => id)).toEqual(["M3", "M2", "M1"]);
    // The sums only the server knows are reloaded once after a burst of facts.
    await until(() => bodies("readMember").length === 2);
  });

  test("marks messages as read", async () => {
    mock("readMessage", () => accepted({ message: messageOf(2, { read: true }), unread: 1 }));
    mock("readAllMessages", () => accepted({ unread: 0 }));
    const outcome = await readMessage("M2");
    expect(outcome.ok && outcome.data.id).toBe("M2");
    expect(messages.now().value?.items.map(({ read }) => read)).toEqual([true, false]);
    expect(member.now().value?.unread).toBe(1);
    await readAllMessages();
    expect(messages.now().value?.items.map(({ read }) => read)).toEqual([true, true]);
    expect(member.now().value?.unread).toBe(0);
  });

  test("does not mark a message as read without an answer", async () => {
    mock("readMessage", () => broken.line());
    expect((await readMessage("M2")).failed).toBe("network");
    expect(toasts).toEqual([]);
    mock("readAllMessages", () => broken.line());
    await readAllMessages();
    expect(toasts).toEqual([en.operation.OP_SAVE_FAIL]);
    expect(messages.now().value?.items[0]?.read).toBe(false);
    expect(member.now().value?.unread).toBe(2);
  });
});
