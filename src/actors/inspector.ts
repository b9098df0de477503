/** Opens the Stately inspector in a window of its own: in development only, on request, with secrets removed. */
import { createBrowserInspector } from "@statelyai/inspect";
import type { StatelyInspectionEvent } from "@statelyai/inspect";
import type { AnyEventObject } from "xstate";
import { configOf } from "#machines/diagram.ts";
import { machineOf } from "./inspect.ts";
import { visitActors } from "./registry.ts";
import { redacted } from "./redact.ts";

/** The parts of a snapshot that are shown: state, context and output without secrets. */
function shown(snapshot: object): { status?: "active"; value?: unknown; context?: unknown; output?: unknown } {
  return Object.fromEntries(
    ["status", "value", "context", "output"].flatMap((key) => {
      const part: unknown = key in snapshot ? snapshot[key as keyof typeof snapshot] : undefined;
      return part === undefined ? [] : [[key, key === "value" || key === "status" ? part : redacted(part)]];
    }),
  );
}

/** An inspection event with its secrets removed, before it leaves the page. */
export function withoutSecrets(inspected: StatelyInspectionEvent): StatelyInspectionEvent {
  if (inspected.type === "@xstate.actor") return { ...inspected, snapshot: shown(inspected.snapshot) };
  const event = { ...(redacted(inspected.event) as object), type: inspected.event.type } satisfies AnyEventObject;
  if (inspected.type === "@xstate.event") return { ...inspected, event };
  return { ...inspected, event, snapshot: shown(inspected.snapshot) as typeof inspected.snapshot };
}

/** Open the inspector and connect every present and future actor to it. */
export function openInspector(): void {
  const inspector = createBrowserInspector({ serialize: withoutSecrets });
  visitActors((actor) => {
    const machine = machineOf(actor);
    if (!machine) return;
    inspector.actor(actor, shown(actor.getSnapshot() as object), { definition: JSON.stringify(configOf(machine)) });
    actor.system.inspect(inspector.inspect);
  });
}
