/** Tests the quick keys of the quantity: of two that stand for the same number only the pressed one is marked. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { afterEach, expect, it } from "vitest";
import { FIRST_DRAFT, steppedLots, withLots } from "#src/screens/ticket/draft.ts";
import type { Draft } from "#src/screens/ticket/draft.ts";
import { QuantityKeys } from "#src/screens/ticket/quantity-field.tsx";
import { WHOLE } from "#src/screens/ticket/quantity.ts";
import type { TicketModel } from "#src/screens/ticket/use-ticket.ts";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

let shown: Shown;
let draft: Draft = FIRST_DRAFT;
afterEach(() => shown.gone());

const keys = () => {
  const change = (next: Draft): void => void (draft = next);
  const model = { draft, most: 4, least: 1, plan: null, quantum: WHOLE, change } as unknown as TicketModel;
  return <QuantityKeys model={model} />;
};
const pressed = (): string[] => [...shown.place.querySelectorAll("[aria-pressed=true]")].map((key) => key.textContent);
const press = async (label: string): Promise<void> => {
  await doing(() => [...shown.place.querySelectorAll("button")].find((key) => key.textContent === label)?.click());
  await shown.again(keys());
};

it("marks the key that was pressed last, and none for a number entered otherwise", async () => {
  shown = await show(keys());
  expect(pressed()).toEqual([]);
  // A quarter of four lots is one lot.
  await press("25%");
  expect(draft.lotsText).toBe("1");
  expect(pressed()).toEqual(["25%"]);
  await press("1");
  expect(pressed()).toEqual(["1"]);
  draft = steppedLots(draft, 1, 1, 9);
  await shown.again(keys());
  expect(pressed()).toEqual([]);
  draft = withLots(draft, "1");
  await shown.again(keys());
  expect(pressed()).toEqual([]);
});
