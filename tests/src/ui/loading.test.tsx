// @vitest-environment happy-dom
/** The page says on its root whether any part of the screen still loads, and no longer than that. */
import { afterEach, expect, test } from "vitest";
import { useSkeleton } from "#src/ui/state.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

let shown: Shown | null = null;
afterEach(() => shown?.gone());

function Part({ loading }: { loading: boolean }) {
  useSkeleton(loading);
  return null;
}

const parts = (...loading: boolean[]) => loading.map((one, nth) => <Part key={nth} loading={one} />);
const says = (): boolean => document.documentElement.hasAttribute("data-loading");

test("a page loads until the last of its parts has what it waits for", async () => {
  shown = await show(parts(true, true));
  expect(says()).toBe(true);
  await shown.again(parts(false, true));
  expect(says()).toBe(true);
  await shown.again(parts(false, false));
  expect(says()).toBe(false);
  await shown.again(parts(true, false));
  expect(says()).toBe(true);
});

test("what leaves the page while it loads is not waited for", async () => {
  shown = await show(parts(true));
  expect(says()).toBe(true);
  await shown.again(null);
  expect(says()).toBe(false);
});
