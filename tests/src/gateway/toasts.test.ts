/** Toast messages: each is shown once, also one from before the toast host is mounted. */
import { expect, test } from "vitest";
import { toasts$, showToast } from "#src/gateway/toasts.ts";

test("an early message waits for the first subscriber and is shown once", () => {
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
