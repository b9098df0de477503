/** Tests the budget of views: one per member over all sockets, renewed each second, removed with the last socket. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ViewBudgets } from "#server/realtime/view-budget.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

it("is shared by all sockets of a member, and separate per member", () => {
  const budgets = new ViewBudgets(10);
  const [phone, desktop, other] = [budgets.join("1"), budgets.join("1"), budgets.join("2")];
  expect([phone.take(8), desktop.take(2), desktop.take(1), phone.take(1), other.take(8)]).toEqual([true, true, false, false, true]);
  vi.advanceTimersByTime(1_000);
  expect(desktop.take(8)).toBe(true);
});

it("is not renewed by closing one of two sockets", () => {
  const budgets = new ViewBudgets(10);
  const [phone, desktop] = [budgets.join("1"), budgets.join("1")];
  expect(phone.take(10)).toBe(true);
  phone.leave();
  expect([desktop.take(1), budgets.join("1").take(1)]).toEqual([false, false]);
});
