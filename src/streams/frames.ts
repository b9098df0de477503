/** Dispatches the parts of worker frames to their listeners; a part that is missing in a frame costs nothing. */
import { onWorkerMessage } from "./worker-link.ts";
import type { Frame } from "./worker.ts";

type Part = Exclude<keyof Frame, "kind">;
type Listener<Of extends Part> = (part: NonNullable<Frame[Of]>, frame: Frame) => void;

const listeners = new Map<string, Set<(part: never, frame: Frame) => void>>();

/** Listen to one part of every frame that has it. @returns a function that stops listening */
export function onFramePart<Of extends Part>(part: Of, listener: Listener<Of>): () => void {
  const registered = listeners.get(part) ?? new Set();
  listeners.set(part, registered.add(listener));
  return () => void registered.delete(listener);
}

onWorkerMessage("frame", (frame) => {
  for (const part in frame) {
    const registered = listeners.get(part);
    if (!registered) continue;
    for (const listener of registered) listener(frame[part as Part] as never, frame);
  }
});
