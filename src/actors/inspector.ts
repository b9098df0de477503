/** The Stately inspector in a window of its own: only while developing, only when asked, and told no secrets. */
import { createBrowserInspector } from "@statelyai/inspect";
import type { StatelyInspectionEvent } from "@statelyai/inspect";
import type { AnyEventObject } from "xstate";
import { configOf } from "#machines/chart.ts";
import { machineOf, visitActors } from "./inspect.ts";
import { redacted } from "./redact.ts";

/** Of a snapshot what is shown: its state, and what it holds without secrets. */
function shown(snapshot: object): { status?: "active"; value?: unknown; context?: unknown; output?: unknown } {
  return Object.fromEntries(
    ["status", "value", "context", "output"].flatMap((key) => {
      const part: unknown = key in snapshot ? snapshot[key as keyof typeof snapshot] : undefined;
      return part === undefined ? [] : [[key, key === "value" || key === "status" ? part : redacted(part)]];
    }),
  );
}

/** What may leave the page. */
export function withoutSecrets(said: StatelyInspectionEvent): StatelyInspectionEvent {
  if (said.type === "@xstate.actor") return { ...said, snapshot: shown(said.snapshot) };
  const event = { ...(redacted(said.event) as object), type: said.event.type } satisfies AnyEventObject;
  if (said.type === "@xstate.event") return { ...said, event };
  return { ...said, event, snapshot: shown(said.snapshot) as typeof said.snapshot };
}

/** Open it, and tell it of every actor, those of now and those to come. */
export function openInspector(): void {
  const inspector = createBrowserInspector({ serialize: withoutSecrets });
  visitActors((actor) => {
    const machine = machineOf(actor);
    if (!machine) return;
    inspector.actor(actor, shown(actor.getSnapshot() as object), { definition: JSON.stringify(configOf(machine)) });
    actor.system.inspect(inspector.inspect);
  });
}
