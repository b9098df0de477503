/** The display name of a transition's event: its name, a delay with its length, or "at once". */
import { useTranslation } from "react-i18next";
import type { DiagramTransition } from "#machines/diagram.ts";

const SECOND_MS = 1_000;

/** A delay as text: `coolDown 3 s`, `reviewGuard 350 ms`. */
export function lengthOf(ms: number): string {
  return ms < SECOND_MS ? `${ms} ms` : `${ms / SECOND_MS} s`;
}

export function EventName({ transition }: { transition: Pick<DiagramTransition, "kind" | "event" | "delayMs"> }) {
  const { t } = useTranslation();
  if (transition.kind === "always") return t("machines.atOnce");
  if (transition.kind === "delay")
    return t("machines.after", { name: transition.event, time: transition.delayMs === null ? "" : lengthOf(transition.delayMs) }).trim();
  return transition.event;
}
