/** Taipei wall-clock time (UTC+8, no daylight saving), computed arithmetically to keep Intl off the hot path. */
import * as z from "zod/mini";

/** A moment, in milliseconds since 1970 UTC. */
export const EpochMs = z.int().brand<"EpochMs">();
export type EpochMs = z.infer<typeof EpochMs>;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** Taipei is eight hours ahead of UTC, all year. */
export const TAIPEI_OFFSET_MS = 8 * HOUR_MS;

/** Brands milliseconds as a moment, truncating fractions. */
export function epochMs(ms: number): EpochMs {
  return Math.trunc(ms) as EpochMs;
}

/** The Taipei calendar day of a moment, as a day number counted from 1970-01-01. */
export function taipeiDay(at: number): number {
  return Math.floor((at + TAIPEI_OFFSET_MS) / DAY_MS);
}

/** The Taipei calendar month of a moment, as `2026-07`. */
export function taipeiMonth(at: number): string {
  return new Date(at + TAIPEI_OFFSET_MS).toISOString().slice(0, 7);
}

/** Midnight in Taipei at the start of a `taipeiDay` number. */
export function taipeiMidnight(day: number): EpochMs {
  return epochMs(day * DAY_MS - TAIPEI_OFFSET_MS);
}

const two = (n: number): string => (n < 10 ? `0${n}` : String(n));

/** `YYYY.MM.DD HH:mm:ss` in Taipei time (specification section 9). */
export function formatDateTime(at: number): string {
  return `${formatDate(at)} ${formatTime(at)}`;
}

/** The same without seconds. */
export const formatMinute = (at: number): string => formatDateTime(at).slice(0, 16);

/** `YYYY.MM.DD` in Taipei time. */
export function formatDate(at: number): string {
  const date = new Date(at + TAIPEI_OFFSET_MS);
  return `${date.getUTCFullYear()}.${two(date.getUTCMonth() + 1)}.${two(date.getUTCDate())}`;
}

/** `HH:mm:ss` in Taipei time. */
export function formatTime(at: number): string {
  const date = new Date(at + TAIPEI_OFFSET_MS);
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}
