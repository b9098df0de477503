/** Notices: each is shown once, also one that was said before anybody could show it. */
import { expect, test } from "vitest";
import { notices$, notify } from "#src/gateway/notice.ts";

test("what was said too early waits for the first who shows it, and is shown once", () => {
  notify("first");
  const shown: string[] = [];
  const watching = notices$.subscribe(({ text }) => shown.push(text));
  notify("second", "danger");
  expect(shown).toEqual(["first", "second"]);
  watching.unsubscribe();
  const again: string[] = [];
  notices$.subscribe(({ text }) => again.push(text)).unsubscribe();
  expect(again).toEqual([]);
});
