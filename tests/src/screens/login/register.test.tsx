/** Registration: the invitation code of the link that led here is filled in; what a minor's representative left out is said where it is. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, expect, it, vi } from "vitest";
import en from "#locales/en.json";
import { Register } from "#src/screens/login/register.tsx";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";

/** A pad that is drawn on by hand: a line across the field. */
const pad = vi.hoisted(() => ({ draw: () => {} }));
vi.mock("signature_pad", () => ({
  default: class {
    addEventListener(_name: string, drawn: () => void): void {
      pad.draw = drawn;
    }
    toData() {
      return [{ points: Array.from({ length: 60 }, (_, at) => ({ x: at * 5, y: 20 })) }];
    }
    off(): void {}
  },
}));

i18next.use(initReactI18next);
setUpHarness();

let shown: Shown;
afterEach(() => shown.gone());

it.each([
  ["?code=ABCD2345", "ABCD2345"],
  // No longer than a code can be.
  [`?code=${"A".repeat(500)}`, "A".repeat(16)],
  ["", ""],
])("with %s", async (query, filled) => {
  shown = await show(<Register />, `/login/register${query}`);
  expect(document.querySelector<HTMLInputElement>("input[name=invitationCode]")?.value).toBe(filled);
});

/** Waits for something outside React. */
async function outside(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}

it("says at its own part what a minor's representative left out", async () => {
  shown = await show(<Register />, "/login/register");
  const { place } = shown;
  const type = (name: string, text: string): Promise<void> =>
    doing(() => {
      const input = one(place, `input[name=${name}]`);
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  const section = "input[name^=representative][aria-invalid], canvas[data-invalid]";
  /** Waits until exactly these parts of the representative are wrong, after the form was sent. */
  const says = async (...names: string[]): Promise<void> => {
    await doing(() => one(place, "form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));
    const marked = () => [...place.querySelectorAll(section)].map((part) => part.getAttribute("name") ?? part.getAttribute("aria-label"));
    await outside(() => marked().join() === names.join());
  };
  await type("birthDate", `${new Date().getUTCFullYear() - 12}-01-01`);
  const canvas = one(place, "canvas");
  Object.defineProperties(canvas, { clientWidth: { value: 300 }, clientHeight: { value: 100 } });
  await outside(() => canvas.dataset["ready"]);
  await says("representative");
  await type("representative", "王大明");
  await says("representativeId");
  await type("representativeId", "A123456789");
  await says(en.member.register.signature);
  const described = canvas.getAttribute("aria-describedby")?.split(" ") ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(en.refusal.VAL_REPRESENTATIVE);
  await doing(() => pad.draw());
  expect(canvas.dataset["invalid"]).toBeUndefined();
  await says();
  const troubles = () => [...place.querySelectorAll("[role=alert]")].map(({ textContent }) => textContent);
  await outside(() => troubles().includes(en.refusal.VAL_REPRESENTATIVE));
});
