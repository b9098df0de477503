/** Lets so much work of one kind be done at once and so much wait; what comes then is refused. */
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

/** A gate with a lane for each key; first come, first served. */
export class Gate {
  readonly #options: GateOptions;
  readonly #lanes = new Map<string, Lane>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Do some work when its turn comes. @throws Refusal when too much waits before it; `extra` more may wait for this one */
  async run<Result>(key: string, work: () => Promise<Result>, extra = 0): Promise<Result> {
    const { atOnce, waiting, refusal } = this.#options;
    const lane = this.#lanes.get(key) ?? { running: 0, queue: [] };
    if (lane.running < atOnce) lane.running += 1;
    else if (lane.queue.length >= waiting + extra) throw new Refusal(refusal);
    // Whoever ends hands its place on, so that nobody slips in between.
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
