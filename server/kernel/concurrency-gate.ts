/** Limits concurrent work per key: some runs, some queues, the rest is refused. */
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { Refusal } from "./refusal.ts";

export interface GateOptions {
  atOnce: number;
  waiting: number;
  refusal: RefusalCode;
}

interface Lane {
  running: number;
  queue: (() => void)[];
}

/** A gate with one first-in-first-out lane per key. */
export class Gate {
  readonly #options: GateOptions;
  readonly #lanes = new Map<string, Lane>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Runs `work` when a place is free. @throws Refusal when the queue is full; `extra` raises the queue limit for this call */
  async run<Result>(key: string, work: () => Promise<Result>, extra = 0): Promise<Result> {
    const { atOnce, waiting, refusal } = this.#options;
    const lane = this.#lanes.get(key) ?? { running: 0, queue: [] };
    if (lane.running < atOnce) lane.running += 1;
    else if (lane.queue.length >= waiting + extra) throw new Refusal(refusal);
    // A finished call hands its place to the next in the queue, so that no new call can overtake it.
    else await new Promise<void>((go) => void lane.queue.push(go));
    this.#lanes.set(key, lane);
    try {
      return await work();
    } finally {
      const next = lane.queue.shift();
      if (next) next();
      else if ((lane.running -= 1) === 0) this.#lanes.delete(key);
    }
  }
}
