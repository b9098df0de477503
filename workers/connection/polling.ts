/** The polling twin of the socket: the same view, asked for once a second over HTTP, told in the same shapes. */
import type { Answer, Asked } from "#contract/endpoints.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import type { SessionPhase } from "#contract/instrument.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import type { Depth } from "#contract/quote.ts";
import type { View } from "#contract/kernel/push.ts";
import { callServer, failedBecause } from "./http-client.ts";
import type { Called, Credentials } from "./http-client.ts";
import { TAPE_SHOWN } from "#workers/protocol.ts";

/** Between the end of one poll and the beginning of the next. */
export const POLL_EVERY_MS = 1_000;
/** A poll is worthless after this long. */
const POLL_TIMEOUT_MS = 4_000;

/** What one poll brought. */
export interface Polled {
  at: number;
  phase: SessionPhase;
  /** Flat quotes of everything the view names, and of what its rankings hold. */
  quotes: number[];
  ranks: number[][];
  depth: Depth | null;
  tape: number[] | null;
  index: Contribution | null;
  heat: number[] | null;
}

/** Ask for everything a view names. Rejects with CallFailure. */
export async function pollView(to: Credentials, view: View, codeOf: (row: number) => string): Promise<Polled> {
  const ask = <Name extends Called>(name: Name, body: Asked<Name>): Promise<Answer<Name>> => callServer(to, name, body, POLL_TIMEOUT_MS);
  const [quotes, depth, tape, index, heat, ranks] = await Promise.all([
    ask("snapshotQuotes", { codes: view.rows.map(codeOf) }),
    view.depth === null ? null : ask("readDepth", { code: codeOf(view.depth) }),
    view.tape === null ? null : ask("readTape", { code: codeOf(view.tape), limit: TAPE_SHOWN }),
    view.index === null ? null : ask("readContribution", { code: codeOf(view.index) }),
    view.heat ? ask("readHeat", {}) : null,
    Promise.all(view.ranks.map((rank) => ask("rankQuotes", rank))),
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

/** Polls while it is on. */
export class Poller {
  readonly #ask: (view: View) => Promise<Polled>;
  readonly #view: () => View | null;
  readonly #hearer: PollListener;
  #on = false;
  /** Counts switchings, so that the answer to a poll from before the last one is nobody's. */
  #turn = 0;

  constructor(ask: (view: View) => Promise<Polled>, view: () => View | null, hearer: PollListener) {
    this.#ask = ask;
    this.#view = view;
    this.#hearer = hearer;
  }

  switch(on: boolean): void {
    if (on === this.#on) return;
    this.#on = on;
    this.#turn++;
    if (on) void this.#run(this.#turn);
  }

  async #run(turn: number): Promise<void> {
    while (turn === this.#turn) {
      await this.#once(turn);
      await new Promise((done) => setTimeout(done, POLL_EVERY_MS));
    }
  }

  async #once(turn: number): Promise<void> {
    const view = this.#view();
    if (view === null) return;
    try {
      const polled = await this.#ask(view);
      if (turn === this.#turn) this.#hearer.polled(polled, view);
    } catch (error) {
      if (turn !== this.#turn) return;
      if (failedBecause(error, "expired")) this.#hearer.expired();
      else this.#hearer.failed();
    }
  }
}
