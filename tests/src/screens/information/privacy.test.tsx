/** The privacy screen: what is kept how long, the export behind the password, and closing: what is open first, then a confirmed form. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { UNFINISHED } from "#contract/privacy.ts";
import type { Closing } from "#contract/privacy.ts";
import { PrivacyPage } from "#src/screens/information/privacy.tsx";
import { closing } from "#src/streams/closing.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { bodies, setUpHarness, toasts } from "#tests/src/streams/harness.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";

let shown: Shown | null = null;
const words = (): string => document.querySelector("main")?.textContent ?? "";
const press = (name: string): Promise<void> =>
  doing(() => [...document.querySelectorAll("button")].findLast((button) => button.textContent === name)?.click());
const forms = (): HTMLFormElement[] => [...document.querySelectorAll("form")];
const submit = (nth: number): Promise<void> =>
  doing(() => forms()[nth]?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));
const type = (nth: number, text: string): Promise<void> =>
  doing(() => {
    const field = forms()[nth]?.querySelector("input");
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}
const says = (text: string): Promise<void> => settled(() => words().includes(text));

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  fakeWorker();
  await marketApi();
});
afterEach(async () => {
  await shown?.gone();
  shown = null;
});

const NOTHING: Closing = { open: [], money: [], remainderCents: null };
/** Opens the page with what is open now: an earlier answer is remembered. */
async function open(now: Closing): Promise<void> {
  mock("readClosing", () => accepted(now));
  closing.refetch();
  shown = await show(<PrivacyPage />);
}

it("says what is kept, and for how many years", async () => {
  await open(NOTHING);
  const kinds = [...document.querySelectorAll("main li")].map(({ textContent }) => textContent);
  expect(kinds[0]).toMatch(/^Orders.*10 years/);
  for (const kind of kinds.slice(1, 4)) expect(kind).toMatch(/5 years/);
  expect(words()).toContain("Under 14");
});

describe("closing the account", () => {
  it("lists everything that is open with its way out, and shows no form", async () => {
    const money = [{ currency: "TWD", amountCents: cents(123_456) }] as const;
    await open({ open: UNFINISHED.map((what) => ({ what, count: 2 })), money: [...money], remainderCents: null });
    await says("Still open");
    expect(words()).toContain("TWD 1,234.56");
    expect(forms()).toHaveLength(1);
    const list = [...document.querySelectorAll("main ul")].at(-1);
    expect(list?.querySelectorAll("li a[href]")).toHaveLength(UNFINISHED.length);
  });

  it("names less than the smallest withdrawal, and closes only for a member who gives it up", async () => {
    await open({ open: [], money: [{ currency: "TWD", amountCents: cents(3_550) }], remainderCents: cents(3_550) });
    mock("closeAccount", () => refused("ACC_CLOSE_OPEN"));
    await says("TWD 35.50");
    await type(1, "secret");
    await submit(1);
    expect(document.querySelector("dialog[open]")).toBeNull();
    await doing(() => forms()[1]?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click());
    await submit(1);
    await settled(() => document.querySelector("dialog[open]"));
    expect(bodies("closeAccount")).toEqual([]);
  });

  it("asks once more before it closes, and does nothing when that is declined", async () => {
    await open(NOTHING);
    mock("closeAccount", () => refused("ACC_CLOSE_OPEN"));
    await settled(() => forms().length === 2);
    await type(1, "secret");
    await submit(1);
    await settled(() => document.querySelector("dialog[open]"));
    await press("Cancel");
    expect(bodies("closeAccount")).toEqual([]);
  });
});

describe("the export", () => {
  it("shows a refusal at the password, and saves the archive", async () => {
    await open(NOTHING);
    mock("exportData", () => refused("PWD_ORIGINAL_WRONG", { field: "current" }));
    await type(0, "wrong");
    await submit(0);
    await settled(() => forms()[0]?.querySelector("[aria-invalid=true]"));
    const saved = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:saved");
    mock("exportData", () => accepted({ name: "KS1.zip", base64: btoa("PK") }));
    await type(0, "right");
    await submit(0);
    await settled(() => toasts.length > 0);
    expect(toasts).toEqual(["KS1.zip is saved"]);
    expect(saved).toHaveBeenCalledOnce();
    expect(bodies("exportData")).toMatchObject([{ current: "wrong" }, { current: "right" }]);
    saved.mockRestore();
  });
});
