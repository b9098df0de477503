/** The steps of one thing over time: those behind it, the current one, and those to come. */
import { formatDateTime } from "#contract/kernel/time.ts";
import styles from "./timeline.module.css";

export interface TimelineStep {
  key: string;
  title: string;
  note?: string;
  /** When it happened or will happen; null when that is not known. */
  at: number | null;
  state: "done" | "now" | "ahead" | "failed";
}

export function Timeline({ label, steps }: { label: string; steps: readonly TimelineStep[] }) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {steps.map(({ key, title, note, at, state }) => (
        <li key={key} data-state={state} aria-current={state === "now" || state === "failed" ? "step" : undefined}>
          <strong>{title}</strong>
          {note !== undefined && <span>{note}</span>}
          {at !== null && <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>}
        </li>
      ))}
    </ol>
  );
}
