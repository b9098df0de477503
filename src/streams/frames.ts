/** The parts of frames, each handed straight to those who take it: a frame that has no such part costs them nothing. */
import { onWorkerMessage } from "./worker-link.ts";
import type { Frame } from "./worker.ts";

type Part = Exclude<keyof Frame, "kind">;
type Listener<Of extends Part> = (part: NonNullable<Frame[Of]>, frame: Frame) => void;

const listeners = new Map<string, Set<(part: never, frame: Frame) => void>>();

/** Take one part of every frame that has it. Returns how to stop. */
export function takePart<Of extends Part>(part: Of, listener: Listener<Of>): () => void {
  const beside = listeners.get(part) ?? new Set();
  listeners.set(part, beside.add(listener));
  return () => void beside.delete(listener);
}

onWorkerMessage("frame", (frame) => {
  for (const part in frame) {
    const taking = listeners.get(part);
    if (!taking) continue;
    for (const take of taking) take(frame[part as Part] as never, frame);
  }
});
