/** Waits for a condition in tests of streams and workers. */
import { expect, vi } from "vitest";

/** Resolves when `happened` returns a truthy value; fails after four seconds. */
export const until = (happened: () => unknown): Promise<unknown> =>
  vi.waitFor(() => expect(happened()).toBeTruthy(), { timeout: 4_000, interval: 5 });
