/** Notices: each is shown once, also one that was said before anybody could show it. */
import { expect, test } from "vitest";
import { toasts$, showToast } from "#src/gateway/toasts.ts";

test("what was said too early waits for the first who shows it, and is shown once", () => {
  showToast("first");
  const shown: string[] = [];
  const watching = toasts$.subscribe(({ text }) => shown.push(text));
  showToast("second", "danger");
  expect(shown).toEqual(["first", "second"]);
  watching.unsubscribe();
  const again: string[] = [];
  toasts$.subscribe(({ text }) => again.push(text)).unsubscribe();
  expect(again).toEqual([]);
});
