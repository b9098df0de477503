/** Tests the streams of preferences, lines, searches and news: optimistic where that is harmless, corrected by the server's answers. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { act, useState } from "react";
import { describe, expect, test, vi } from "vitest";
import { USUAL_PREFERENCES } from "#contract/usual-preference.ts";
import type { Preferences } from "#contract/preference.ts";
import en from "#locales/en.json";
import { saveLines, useLines } from "#src/streams/lines.ts";
import { clearSearches, recentSearches, noteSearch } from "#src/streams/recent-searches.ts";
import { saveCurrent, useWorkspaces } from "#src/streams/workspaces.ts";
import { useNews } from "#src/streams/news.ts";
import { preferences, savePreferences } from "#src/streams/preferences.ts";
import { accepted, broken, mock } from "#tests/src/gateway/broker.ts";
import { until } from "#tests/support/until.ts";
import { bodies, setUpHarness, toasts, using, watch } from "./harness.tsx";

setUpHarness();

describe("preferences", () => {
  /** The broker keeps what was saved before. */
  const mockSave = (kept: Partial<Preferences>): void => {
    let stored = { ...USUAL_PREFERENCES, ...kept };
    mock("savePreferences", (body) => accepted((stored = { ...stored, ...(body as Partial<Preferences>) })));
  };

  test("show a change at once, and only the change is saved", async () => {
    mock("readPreferences", () => accepted({ ...USUAL_PREFERENCES, saveData: true }));
    // Another device changed a limit meanwhile.
    mockSave({ saveData: true, bigLots: 7 });
    watch(preferences);
    await until(() => preferences.now().value);
    const both = [savePreferences({ main: "boll" }), savePreferences({ main: "sar", notify: true })];
    expect(preferences.now().value).toMatchObject({ main: "sar", notify: true, saveData: true });
    await Promise.all(both);
    expect(bodies("savePreferences")).toEqual([{ main: "boll" }, { main: "sar", notify: true }]);
    expect(preferences.now().value).toEqual({ ...USUAL_PREFERENCES, main: "sar", notify: true, saveData: true, bigLots: 7 });
  });

  test("that were never loaded are changed without overwriting the others", async () => {
    mock("readPreferences", () => accepted({ ...USUAL_PREFERENCES, adjustment: "forward" }));
    mockSave({ adjustment: "forward" });
    await savePreferences({ main: null });
    expect(bodies("savePreferences")).toEqual([{ main: null }]);
  });

  test("that could not be saved return to the saved values, with a toast", async () => {
    mock("readPreferences", () => accepted(USUAL_PREFERENCES));
    mock("savePreferences", () => broken.line());
    watch(preferences);
    await until(() => preferences.now().value);
    await savePreferences({ main: "boll" });
    await until(() => preferences.now().value?.main === USUAL_PREFERENCES.main);
    expect(toasts).toEqual([en.operation.OP_SAVE_FAIL]);
  });
});

describe("lines", () => {
  test("show at once, are saved by instrument, and return to the saved ones when saving fails", async () => {
    const line = { id: "00000000-0000-4000-8000-000000000001", price: 100, alert: null };
    mock("readLines", () => accepted({ lines: [] }));
    mock("saveLines", () => accepted({ lines: [line] }));
    const now = await using(() => useLines("2330"));
    await act(() => until(() => now().state === "ready"));
    await act(async () => void saveLines("2330", [line]));
    expect(now().value).toEqual([line]);
    await until(() => bodies("saveLines").length === 1);
    mock("saveLines", () => broken.line());
    await act(async () => void (await saveLines("2330", [line, { ...line, id: "00000000-0000-4000-8000-000000000002" }])));
    await act(() => until(() => now().value?.length === 0));
    expect(bodies("saveLines")[0]).toEqual({ code: "2330", lines: [line] });
    expect(toasts).toEqual([en.operation.OP_SAVE_FAIL]);
  });
});

describe("workspaces", () => {
  const sized = (list: number) => ({
    sizes: { list, book: null, ticket: null, dock: null },
    charts: [{ code: null, frame: "1D" as const }],
  });

  test("are saved at once when the page is left or hidden, and once only", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    mock("readWorkspaces", () => accepted({ current: null, saved: [] }));
    mock("saveWorkspaces", (body) => accepted(body));
    const now = await using(() => useWorkspaces());
    await vi.waitFor(() => act(async () => expect(now().state).toBe("ready")));
    await act(async () => saveCurrent(sized(240)));
    expect(bodies("saveWorkspaces")).toEqual([]);
    window.dispatchEvent(new Event("pagehide"));
    await vi.waitFor(() => expect(bodies("saveWorkspaces")).toEqual([{ current: sized(240), saved: [] }]));
    await act(async () => saveCurrent(sized(260)));
    const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    hidden.mockRestore();
    await vi.waitFor(() => expect(bodies("saveWorkspaces")).toHaveLength(2));
    window.dispatchEvent(new Event("pagehide"));
    vi.advanceTimersByTime(1_000);
    expect(bodies("saveWorkspaces")).toHaveLength(2);
    await act(async () => saveCurrent(sized(280)));
    vi.advanceTimersByTime(1_000);
    await vi.waitFor(() => expect(bodies("saveWorkspaces")).toHaveLength(3));
    vi.useRealTimers();
  });

  test("are sent again when the page is left before they are known to be saved", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = Promise.withResolvers<void>();
    mock("readWorkspaces", () => accepted({ current: null, saved: [] }));
    mock("saveWorkspaces", async (body) => {
      await answer.promise;
      return accepted(body);
    });
    const now = await using(() => useWorkspaces());
    await vi.waitFor(() => act(async () => expect(now().state).toBe("ready")));
    await act(async () => saveCurrent(sized(300)));
    vi.advanceTimersByTime(1_000);
    await vi.waitFor(() => expect(bodies("saveWorkspaces")).toHaveLength(1));
    window.dispatchEvent(new Event("pagehide"));
    await vi.waitFor(() => expect(bodies("saveWorkspaces")).toHaveLength(2));
    expect(bodies("saveWorkspaces")[1]).toEqual({ current: sized(300), saved: [] });
    answer.resolve();
    vi.useRealTimers();
  });
});

describe("searches", () => {
  test("are what the server answers, and a failure to record one is ignored", async () => {
    mock("readSearches", () => accepted({ mine: [], hot: [] }));
    mock("noteSearch", () => accepted({ mine: ["2330"], hot: [{ code: "0050", members: 3 }] }));
    watch(recentSearches);
    await until(() => recentSearches.now().value);
    await noteSearch("2330");
    expect(recentSearches.now().value).toEqual({ mine: ["2330"], hot: [{ code: "0050", members: 3 }] });
    mock("noteSearch", () => broken.line());
    await noteSearch("2317");
    expect(toasts).toEqual([]);
    mock("clearSearches", () => broken.line());
    await clearSearches();
    expect(toasts).toEqual([en.operation.OP_SAVE_FAIL]);
    expect(recentSearches.now().value?.mine).toEqual(["2330"]);
    mock("clearSearches", () => accepted({ mine: [], hot: [] }));
    await clearSearches();
    expect(recentSearches.now().value?.mine).toEqual([]);
  });
});

describe("news", () => {
  test("of another topic do not inherit a failed page", async () => {
    mock("listNews", () => accepted({ items: [], next: "older" }));
    const now = await using(() => {
      const [topic, setTopic] = useState<"stocks" | "sectors">("stocks");
      return { setTopic, ...useNews(topic, null) };
    });
    await act(() => until(() => now().state === "ready"));
    mock("listNews", () => broken.line());
    await act(async () => now().more());
    await act(() => until(() => now().moreState === "failed"));
    await act(async () => now().setTopic("sectors"));
    expect(now().moreState).toBe("idle");
  });

  test("are reloaded while visible, and not while the page is hidden", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const item = (n: number) => ({ id: `N${n}`, at: n, kind: "surge" as const, codes: ["2330"], category: null, facts: { change: 500 } });
    let newest = 1;
    mock("listNews", () => accepted({ items: Array.from({ length: newest }, (_, at) => item(newest - at)), next: null }));
    const now = await using(() => useNews("stocks", "2330"));
    await act(() => until(() => now().state === "ready"));
    expect(bodies("listNews")).toEqual([{ topic: "stocks", code: "2330", cursor: null }]);
    newest = 2;
    const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    vi.advanceTimersByTime(60_000);
    hidden.mockRestore();
    expect(bodies("listNews")).toHaveLength(1);
    await act(async () => void vi.advanceTimersByTime(60_000));
    await act(() => until(() => now().value?.items.length === 2));
    vi.useRealTimers();
  });
});
