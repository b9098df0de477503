/** The rows of bars that show net buying: signed lots, and bars to one scale around zero. */
import type { InvestorDay } from "#contract/investor.ts";
import { INSTITUTIONS } from "#contract/investor.ts";
import { grouped, MINUS } from "#contract/kernel/money.ts";
import type { Institution } from "#contract/investor.ts";

/** What an institution bought more than it sold, in lots. */
export const netOf = (day: InvestorDay, who: Institution): number => day[who].bought - day[who].sold;

/** The net buying of all three. */
export const totalOf = (day: InvestorDay): number => INSTITUTIONS.reduce((sum, who) => sum + netOf(day, who), 0);

/** `+1,234`, `−56`, `0`. */
export function signedLots(lots: number): string {
  return `${lots > 0 ? "+" : lots < 0 ? MINUS : ""}${grouped(String(Math.abs(lots)))}`;
}

/** The bar of each value in per cent of half the row's width; the largest fills its half. */
export function barsOf(values: readonly number[]): { startPercent: number; widthPercent: number }[] {
  const largest = Math.max(1, ...values.map(Math.abs));
  return values.map((value) => {
    const widthPercent = (Math.abs(value) / largest) * 50;
    return { startPercent: value < 0 ? 50 - widthPercent : 50, widthPercent };
  });
}
