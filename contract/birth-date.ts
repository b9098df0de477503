/** Dates of birth as typed in a form, and the age they make. */
import * as z from "zod/mini";
import { DAY_MS } from "./kernel/time.ts";

const OLDEST_YEARS = 120;

/** Whether a text is a calendar day that exists, `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}

/** Whole years lived on a `taipeiDay`; negative for a day in the future. */
export function ageOn(birthDate: string, day: number): number {
  const today = new Date(day * DAY_MS).toISOString().slice(0, 10);
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/** A date of birth, `YYYY-MM-DD`. Whether it lies in the past, and how old it makes a member, depends on the day. */
export const BirthDate = z.string("VAL_BIRTH_DATE").check(z.refine(isDay, "VAL_BIRTH_DATE"));

/** Whether somebody born then can be alive on a `taipeiDay`. */
export function isPlausibleAge(birthDate: string, day: number): boolean {
  const age = ageOn(birthDate, day);
  return age >= 0 && birthDate <= new Date(day * DAY_MS).toISOString().slice(0, 10) && age <= OLDEST_YEARS;
}

/** Whether a member is below the age of majority on a `taipeiDay`; nobody without a date of birth is. */
export function isMinor(birthDate: string | null, day: number, adultYears: number): boolean {
  return birthDate !== null && ageOn(birthDate, day) < adultYears;
}
