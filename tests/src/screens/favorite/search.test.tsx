/** Keyboard search: Enter opens the first result of the typed text, at once or when the answer for exactly that text arrives. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { useLocation } from "react-router-dom";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { Search } from "#src/screens/favorite/search.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { startTypeAhead } from "#src/ui/type-ahead.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { bodies, setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";

const stock = (row: number, code: string, en: string) =>
  ({
    row,
    code,
    zh: en,
    zhCn: en,
    en,
    kind: "stock",
    board: "listed",
    category: "24",
    decimals: 2,
    lotShares: 1000,
    issuedThousands: 1000,
    tradable: true,
    watch: "none",
    fictitious: false,
  }) as Instrument;

let worker: FakeWorker;
let shown: Shown;
/** The pending searches, each answered by the test. */
const searches = new Map<string, (codes: string[]) => void>();

function Where() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}
const at = (): string => one(document, "output").textContent ?? "";
const field = (): HTMLInputElement => one(document, "input");
const press = (key: string, on: EventTarget = field()): Promise<void> =>
  doing(() => on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

/** Types a text, and waits until it is searched. */
async function type(text: string): Promise<void> {
  await doing(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field(), text);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
  await searched(text);
}

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}

const searched = (text: string): Promise<void> => settled(() => searches.has(text));

/** Answers a search; all effects have happened when this resolves. */
const found = (text: string, ...codes: string[]): Promise<void> =>
  doing(() => {
    searches.get(text)?.(codes);
    searches.delete(text);
  });

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  worker = fakeWorker({
    get search() {
      const text = String(worker.calls.at(-1)?.[1]);
      return new Promise<string[]>((resolve) => searches.set(text, resolve));
    },
  });
  await marketApi();
  const instruments = [stock(0, "2330", "TSMC"), stock(1, "2317", "Hon Hai"), stock(2, "2303", "UMC")];
  worker.emit({ kind: "instruments", table: { venue: null, categories: [], instruments } as never });
});

async function open(): Promise<void> {
  mock("readSearches", () => accepted({ mine: [], hot: [] }));
  mock("noteSearch", () => accepted({ mine: [], hot: [] }));
  mock("readWatchlist", () => accepted({ groups: [] }));
  shown = await show(
    <>
      <Search />
      <Where />
    </>,
  );
}

beforeEach(() => searches.clear());
afterEach(() => shown.gone());

test("Enter opens the first visible result and records it as the member's search", async () => {
  await open();
  await type("23");
  await found("23", "2330", "2317");
  expect(at()).toBe("/");
  await press("Enter");
  expect(at()).toBe("/market/stockDetail?code=2330");
  await settled(() => bodies("noteSearch").length === 1);
  expect(bodies("noteSearch")).toEqual([{ code: "2330" }]);
});

test("Enter before the answer opens the first result when it arrives", async () => {
  await open();
  await type("2317");
  await press("Enter");
  expect(at()).toBe("/");
  await found("2317", "2317", "2330");
  expect(at()).toBe("/market/stockDetail?code=2317");
});

test("Enter never opens a result of another text, neither a visible nor a late one", async () => {
  await open();
  await type("2330");
  await found("2330", "2330");
  await type("23");
  await type("2317");
  await press("Enter");
  // The first text's results are still shown; the second's arrive only now.
  expect(document.querySelector("[data-found='2330'] a")).not.toBeNull();
  await found("23", "2303");
  expect(at()).toBe("/");
  await found("2317", "2317");
  expect(at()).toBe("/market/stockDetail?code=2317");
});

test.each([
  ["another letter", () => type("23175")],
  ["Esc", () => press("Escape")],
  ["an arrow", () => press("ArrowDown")],
  ["leaving the field", () => doing(() => field().blur())],
])("%s cancels a pending Enter", async (_, change) => {
  await open();
  await type("2317");
  await press("Enter");
  await change();
  await found("2317", "2317");
  expect(at()).toBe("/");
  // Nor does it act when the same text is typed again.
  await type("9");
  await type("2317");
  await found("2317", "2317");
  expect(at()).toBe("/");
});

test("Shift alone does not cancel a pending Enter", async () => {
  await open();
  await type("tsmc");
  await press("Enter");
  await press("Shift");
  await found("tsmc", "2330");
  expect(at()).toBe("/market/stockDetail?code=2330");
});

test("an Enter without results ends: a later answer does not revive it", async () => {
  await open();
  await type("zzz");
  await press("Enter");
  await found("zzz");
  await type("zz");
  await found("zz", "2330");
  expect(at()).toBe("/");
});

test("text typed before the field was mounted is in it, including its Enter", async () => {
  startTypeAhead();
  for (const key of ["2", "3", "3", "0", "Enter"]) await press(key, document.body);
  await open();
  expect(field().value).toBe("2330");
  expect(document.activeElement).toBe(field());
  await searched("2330");
  await found("2330", "2330");
  expect(at()).toBe("/market/stockDetail?code=2330");
});
