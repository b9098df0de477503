/** How an event of a machine is called: by its name, as a delay with its length, or as happening at once. */
import { useTranslation } from "react-i18next";
import type { ChartTransition } from "#machines/chart.ts";

const SECOND_MS = 1_000;

/** `coolDown 3 s`, `reviewGuard 350 ms`. */
export function lengthOf(ms: number): string {
  return ms < SECOND_MS ? `${ms} ms` : `${ms / SECOND_MS} s`;
}

export function EventName({ way }: { way: Pick<ChartTransition, "kind" | "event" | "delayMs"> }) {
  const { t } = useTranslation();
  if (way.kind === "always") return t("machines.atOnce");
  if (way.kind === "delay") return t("machines.after", { name: way.event, time: way.delayMs === null ? "" : lengthOf(way.delayMs) }).trim();
  return way.event;
}
