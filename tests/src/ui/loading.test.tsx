// @vitest-environment happy-dom
/** The loading mark of the root element: set while any part of the screen is loading. */
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
const isLoading = (): boolean => document.documentElement.hasAttribute("data-loading");

test("a page is loading until its last part has loaded", async () => {
  shown = await show(parts(true, true));
  expect(isLoading()).toBe(true);
  await shown.again(parts(false, true));
  expect(isLoading()).toBe(true);
  await shown.again(parts(false, false));
  expect(isLoading()).toBe(false);
  await shown.again(parts(true, false));
  expect(isLoading()).toBe(true);
});

test("a part unmounted while loading is not waited for", async () => {
  shown = await show(parts(true));
  expect(isLoading()).toBe(true);
  await shown.again(null);
  expect(isLoading()).toBe(false);
});
