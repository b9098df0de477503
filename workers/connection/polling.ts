/** The polling fallback of the socket: reads the same view over HTTP once a second and delivers it in the same format. */
import type { Answer, Asked } from "#contract/endpoints.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import type { SessionPhase } from "#contract/instrument.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import type { Depth } from "#contract/quote.ts";
import type { View } from "#contract/kernel/push.ts";
import { callServer, failedBecause } from "./http-client.ts";
import type { Called, Credentials } from "./http-client.ts";
import { TAPE_SHOWN } from "#workers/protocol.ts";

/** Delay between the end of one poll and the start of the next. */
export const POLL_EVERY_MS = 1_000;
/** Timeout of a poll: later replies are useless. */
const POLL_TIMEOUT_MS = 4_000;

/** The result of one poll. */
export interface Polled {
  at: number;
  phase: SessionPhase;
  /** Flat quotes of all rows in the view and in its rankings. */
  quotes: number[];
  ranks: number[][];
  depth: Depth | null;
  tape: number[] | null;
  index: Contribution | null;
  heat: number[] | null;
}

/**
 * Reads everything in a view.
 * @throws CallFailure
 */
export async function pollView(to: Credentials, view: View, codeOf: (row: number) => string): Promise<Polled> {
  const call = <Name extends Called>(name: Name, body: Asked<Name>): Promise<Answer<Name>> => callServer(to, name, body, POLL_TIMEOUT_MS);
  const [quotes, depth, tape, index, heat, ranks] = await Promise.all([
    call("snapshotQuotes", { codes: view.rows.map(codeOf) }),
    view.depth === null ? null : call("readDepth", { code: codeOf(view.depth) }),
    view.tape === null ? null : call("readTape", { code: codeOf(view.tape), limit: TAPE_SHOWN }),
    view.index === null ? null : call("readContribution", { code: codeOf(view.index) }),
    view.heat ? call("readHeat", {}) : null,
    Promise.all(view.ranks.map((rank) => call("rankQuotes", rank))),
  ]);
  return {
    at: quotes.at,
    phase: quotes.phase,
    quotes: [quotes.quotes, ...ranks.map((rank) => rank.quotes)].flat(),
    ranks: ranks.map((rank) => rowsOf(rank.quotes)),
    depth,
    tape: tape?.trades ?? null,
    index,
    heat: heat?.heat ?? null,
  };
}

const rowsOf = (quotes: readonly number[]): number[] => quotes.filter((_, at) => at % QUOTE_STRIDE === 0);

export interface PollListener {
  polled(polled: Polled, view: View): void;
  failed(): void;
  expired(): void;
}

/** Polls repeatedly while switched on. */
export class Poller {
  readonly #poll: (view: View) => Promise<Polled>;
  readonly #view: () => View | null;
  readonly #listener: PollListener;
  #on = false;
  /** Counts on/off switches, so that replies to polls from before the last switch are dropped. */
  #generation = 0;

  constructor(poll: (view: View) => Promise<Polled>, view: () => View | null, listener: PollListener) {
    this.#poll = poll;
    this.#view = view;
    this.#listener = listener;
  }

  setOn(on: boolean): void {
    if (on === this.#on) return;
    this.#on = on;
    this.#generation++;
    if (on) void this.#run(this.#generation);
  }

  async #run(generation: number): Promise<void> {
    while (generation === this.#generation) {
      await this.#pollOnce(generation);
      await new Promise((done) => setTimeout(done, POLL_EVERY_MS));
    }
  }

  async #pollOnce(generation: number): Promise<void> {
    const view = this.#view();
    if (view === null) return;
    try {
      const polled = await this.#poll(view);
      if (generation === this.#generation) this.#listener.polled(polled, view);
    } catch (error) {
      if (generation !== this.#generation) return;
      if (failedBecause(error, "expired")) this.#listener.expired();
      else this.#listener.failed();
    }
  }
}
