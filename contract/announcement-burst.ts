/** Bursts of announcements: those about the same thing become one line, and a long list becomes a count. */
import { announcementWords } from "./announcement.ts";
import { codeOf, keyOf } from "./announcement-key.ts";
import { routeOf } from "./announcement-route.ts";
import type { Announcement, AnnouncementWords, Reader } from "./announcement.ts";
import { joinReports } from "./execution-report.ts";
import type { Instrument } from "./instrument.ts";

/** More than this many at once are told as one line; those that must not be missed are told beside it. */
export const MOST_LINES = 3;

/** What is told as one line. */
export interface Told {
  key: string;
  announcement: Announcement;
}

/** Adds an announcement to a burst: one about the same thing takes the earlier one's place, and fills are added up. */
export function withAnnouncement(told: readonly Told[], announcement: Announcement): Told[] {
  const key = keyOf(announcement);
  const before = told.find((one) => one.key === key)?.announcement;
  const joined: Announcement =
    before?.kind === "report" && announcement.kind === "report"
      ? { kind: "report", report: joinReports(before.report, announcement.report) }
      : announcement;
  return [...told.filter((one) => one.key !== key), { key, announcement: joined }];
}

/** One line of a burst with the route that shows more. */
export interface Line extends AnnouncementWords {
  key: string;
  route: string;
}

/** What the lines need besides the burst. */
export interface BurstReader extends Pick<Reader, "language" | "t"> {
  instrumentOf: (code: string) => Instrument | undefined;
}

/** The lines of a burst, at most three: all of it, or a count and the latest of those that must not be missed. */
export function linesOf(told: readonly Told[], { instrumentOf, ...reader }: BurstReader): Line[] {
  const lines = told.map(({ key, announcement }): Line => {
    const code = codeOf(announcement);
    const instrument = code === null ? undefined : instrumentOf(code);
    return { ...announcementWords(announcement, { ...reader, instrument }), key, route: routeOf(announcement) };
  });
  if (lines.length <= MOST_LINES) return lines;
  const urgent = lines.filter(({ tone }) => tone === "danger").slice(1 - MOST_LINES);
  const title = reader.t("report.many", { count: lines.length - urgent.length });
  return [{ key: "many", title, text: "", tone: "info", route: "/information/userInfo" }, ...urgent];
}
