// @vitest-environment happy-dom
/** Tests where the focus goes when a sheet closes and the row it was opened from is gone. */
import { afterEach, expect, it } from "vitest";
import { Sheet } from "#src/ui/sheet.tsx";
import { one, show } from "./render.tsx";
import type { Shown } from "./render.tsx";

let shown: Shown | null = null;
afterEach(async () => {
  await shown?.gone();
  shown = null;
});

it("gives the focus to the list of what opened it, once its row is gone", async () => {
  const page = (open: boolean, row: boolean) => (
    <>
      <div role="tabpanel">{row && <button type="button">Cancel</button>}</div>
      <input aria-label="Elsewhere" />
      <Sheet open={open} onClose={() => undefined} title="Ticket">
        <button type="button">Inside</button>
      </Sheet>
    </>
  );
  const focused = () => document.activeElement?.getAttribute("role") ?? document.activeElement?.tagName;
  shown = await show(page(false, true));
  const opened = async (): Promise<void> => {
    one(shown?.place ?? document, "button").focus();
    await shown?.again(page(true, true));
    await shown?.again(page(false, true));
  };
  await opened();
  await shown.again(page(false, false));
  expect(focused()).toBe("tabpanel");
  // What was chosen meanwhile keeps it.
  await shown.again(page(false, true));
  await opened();
  one(shown.place, "input").focus();
  await shown.again(page(false, false));
  expect(focused()).toBe("INPUT");
});
