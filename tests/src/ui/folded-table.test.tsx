// @vitest-environment happy-dom
/** A table that is folded away, as screen readers read it. */
import { afterEach, expect, it } from "vitest";
import { FoldedTable } from "#src/ui/folded-table.tsx";
import { show } from "./render.tsx";
import type { Shown } from "./render.tsx";

let shown: Shown;
afterEach(() => shown.gone());

it("is closed, and names its columns and, by their first cells, its rows", async () => {
  const rows = [
    { key: 1, cells: ["Monday", "10", "20"] },
    { key: 2, cells: ["Tuesday", "11", "19"] },
  ];
  shown = await show(<FoldedTable title="As a table" columns={["Day", "Own", "Held"]} rows={rows} />);
  const texts = (selector: string): (string | null)[] => [...shown.place.querySelectorAll(selector)].map(({ textContent }) => textContent);
  expect(shown.place.querySelector("details")?.open).toBe(false);
  expect(texts("summary")).toEqual(["As a table"]);
  expect(texts("th[scope=col]")).toEqual(["Day", "Own", "Held"]);
  expect(texts("th[scope=row]")).toEqual(["Monday", "Tuesday"]);
  expect(texts("td")).toEqual(["10", "20", "11", "19"]);
});
