/** Tests the alert sheet: it starts at the current price, shows level errors at the field, and sets an alert once across retries. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Alert } from "#contract/alert.ts";
import type { Instrument } from "#contract/instrument.ts";
import en from "#locales/en.json";
import { AlertSheet } from "#src/screens/quote/alert-sheet.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, broken, mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { bodies, setUpHarness, toasts } from "#tests/src/streams/harness.tsx";
import { doing, one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";

const TSMC = {
  row: 0,
  code: "2330",
  zh: "台積電",
  zhCn: "台积电",
  en: "TSMC",
  kind: "stock",
  board: "listed",
  category: "24",
  decimals: 2,
  lotShares: 1000,
  issuedThousands: 25_930_380,
  tradable: true,
  shortable: true,
  dayTradable: true,
  marginable: true,
  watch: "none",
  fictitious: false,
  sellLockSeconds: 60,
  listedDay: 0,
  limitPercent: 10,
  bonds: false,
  tradesFrom: 0,
  freeUntil: 0,
} as Instrument;

let worker: FakeWorker;
let shown: Shown;
const closed = vi.fn();
let saved: Alert[] = [];

/** Emits a current price, in whole dollars. */
const emitPrice = (last: number): void => {
  const flat = [0, 1, 1, last * 10_000, 0, 0, 0, 1_065_0000, 28_413, 0, 0, 0];
  worker.frame({ quotes: [{ code: "2330", flat, tone: 1, texts: [] }] });
};
const field = (): HTMLInputElement => one(document, "input");
const wrong = (): string | null => document.querySelector("[id$=-error]")?.textContent ?? null;
const press = (name: string): Promise<void> =>
  doing(() =>
    [...document.querySelectorAll("button")].find((button) => (button.getAttribute("aria-label") ?? button.textContent) === name)?.click(),
  );
const type = (text: string): Promise<void> =>
  doing(() => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    set?.call(field(), text);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
const submit = (): Promise<void> =>
  doing(() => one(document, "form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));

/** Waits for events from outside React: the broker's answer, the worker's frame. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
  worker.emit({ kind: "instruments", table: { venue: null, categories: [], instruments: [TSMC] } as never });
});

beforeEach(async () => {
  saved = [];
  closed.mockClear();
  mock("listAlerts", () => accepted({ alerts: saved }));
  shown = await show(<AlertSheet instrument={TSMC} open onClose={closed} />);
  emitPrice(1_085);
  await settled(() => document.querySelector("form"));
});
afterEach(() => shown.gone());

describe("the form", () => {
  it("starts above the current price, and a live price never changes its field", async () => {
    expect(field().value).toBe("1120.00");
    await doing(() => emitPrice(1_100));
    expect(field().value).toBe("1120.00");
    await press(en.alert.kind.below);
    await settled(() => field().value !== "1120.00");
    expect(Number(field().value)).toBeLessThan(1_100);
  });

  it("reports an already reached level at the field, and sends nothing", async () => {
    await type("1080");
    expect(wrong()).toBe(en.refusal.VAL_ALERT_REACHED);
    await submit();
    expect(bodies("setAlert")).toEqual([]);
    await type("no price");
    await submit();
    expect(wrong()).toBe(en.refusal.VAL_ALERT_LEVEL);
    expect(bodies("setAlert")).toEqual([]);
  });

  it("shows a refusal at the level or for the form", async () => {
    mock("setAlert", () => refused("VAL_ALERT_REACHED", { field: "level" }));
    await submit();
    await settled(wrong);
    expect(wrong()).toBe(en.refusal.VAL_ALERT_REACHED);
    mock("setAlert", () => refused("GEN_LIST_FULL", { params: { n: 50 } }));
    await type("1130");
    await submit();
    await settled(() => document.querySelector("[role=alert]"));
    expect(one(document, "[role=alert]").textContent).toBe(en.refusal.GEN_LIST_FULL.replace("{{n}}", "50"));
    expect(closed).not.toHaveBeenCalled();
  });

  it("retries the same alert with the same id, another with another", async () => {
    mock("setAlert", () => broken.line());
    await submit();
    await settled(() => document.querySelector("[role=alert]"));
    await submit();
    await settled(() => bodies("setAlert").length === 2);
    await type("1125");
    mock("setAlert", () => accepted({ alerts: saved }));
    await submit();
    await settled(() => closed.mock.calls.length > 0);
    const [first, again, other] = bodies("setAlert") as { id: string; kind: string; level: number }[];
    expect(again).toEqual(first);
    expect(other?.id).not.toBe(first?.id);
    expect(other).toMatchObject({ code: "2330", kind: "above", level: 1_125_0000 });
    expect(toasts).toContain(en.alert.set);
  });
});

describe("waiting alerts", () => {
  it("are this instrument's, and can be withdrawn", async () => {
    const waiting = (n: number, code: string) =>
      ({
        id: `00000000-0000-4000-8000-00000000000${n}`,
        code,
        kind: "volume",
        level: 60_000,
        status: "waiting",
        setAt: n,
        firedAt: null,
        firedPrice: null,
      }) as Alert;
    const mine = waiting(1, "2330");
    mock("withdrawAlert", () => accepted({ alerts: [] }));
    mock("setAlert", () => accepted({ alerts: [mine, waiting(2, "2317")] }));
    await submit();
    await settled(() => document.querySelectorAll("section li").length === 1);
    await press("Delete the alert on TSMC 台積電: 60,000 lots or more in the day");
    await settled(() => document.querySelectorAll("section li").length === 0);
    expect(bodies("withdrawAlert")).toEqual([{ id: mine.id }]);
  });
});
