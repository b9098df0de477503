/** Registration: the invitation code of the link that led here is filled in. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, expect, it } from "vitest";
import { Register } from "#src/screens/login/register.tsx";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

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
