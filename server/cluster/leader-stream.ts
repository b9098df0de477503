/** The follower's side of the leader's messages: notices what is missing by their numbers, and the leader's silence by its heartbeats. */
import type { LeaderRow } from "./leader-row.ts";
import { BEAT_MS, readMessage } from "./message.ts";
import type { LeaderItem, LeaderMessage } from "./message.ts";
import { isLeaderItem } from "./leader-item.ts";

/** After this long without a message Redis or the leader is away, and the database is asked instead: three heartbeats. */
const SILENT_MS = 3 * BEAT_MS;
/** How often it is asked then. */
const ASK_MS = BEAT_MS;
/** While the database does not answer messages wait for it; beyond these they are left out, which the next one's number tells. */
const MAX_WAITING = 1_000;

export interface LeaderStreamDeps {
  /** The leader by the database. Only what its key sealed is believed, and of its epoch: one before it may not know yet that it has been replaced. */
  leader: () => Pick<LeaderRow, "epoch" | "key">;
  /** Applies one item. `isBehind`: something before it may be missing. */
  apply: (item: LeaderItem, isBehind: boolean) => Promise<void> | void;
  /** Reads from the database what was missed; `isNewLeader`: everything, because what the leader before published and never stored is void. */
  catchUp: (isNewLeader: boolean) => Promise<void>;
  /** Called when messages come again without a gap, once per gap. */
  resumed: () => void;
  /** Asks the leader for its books: after each gap, and again until they come, because what is asked may be lost as well. */
  askBooks: () => void;
  report: (error: unknown) => void;
}

/** Which leader sent a message, and which of its messages that is. */
interface Sent extends Pick<LeaderRow, "key">, Pick<LeaderMessage, "epoch" | "sent"> {}

export class LeaderStream {
  readonly #deps: LeaderStreamDeps;
  #epoch = 0;
  #key: string | null = null;
  #n = 0;
  /** The newest message that was received. */
  #newest: Sent = { key: null, epoch: 0, sent: 0 };
  /** Whether the leader's books are asked for and have not come. */
  #lacksBooks = false;
  /** Whether something may be missing. */
  #isBehind = true;
  /** Whether a leader has begun of whose start nothing is read yet. */
  #isNewLeader = false;
  #receivedAt = -Infinity;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  #gaps = 0;
  #refused = 0;
  #isStopped = false;

  constructor(deps: LeaderStreamDeps) {
    this.#deps = deps;
  }

  /** The epoch of the leader whose messages came last; 0 for none. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Messages that are received and not applied yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How often something was missing. */
  get gaps(): number {
    return this.#gaps;
  }

  /** Messages that the leader of now did not send, or that had come before. */
  get refused(): number {
    return this.#refused;
  }

  /** Milliseconds since the last message. */
  get silentMs(): number {
    return performance.now() - this.#receivedAt;
  }

  /** Begins to look for silence. */
  start(): void {
    this.#timer = setInterval(() => {
      if (this.#waiting > 0) return;
      if (!this.#isBehind && this.silentMs < SILENT_MS) {
        if (this.#lacksBooks) this.#deps.askBooks();
        return;
      }
      this.#isBehind = true;
      void this.#queue(() => this.#catchUp());
    }, ASK_MS);
  }

  /** Takes a message of the leader's channel. */
  receive(text: string): void {
    const leader = this.#deps.leader();
    let message: LeaderMessage | null;
    try {
      message = readMessage(text, leader);
    } catch (error) {
      return this.#deps.report(error);
    }
    const sent = message && { key: leader.key, epoch: message.epoch, sent: message.sent };
    if (!message || !sent || this.#isOld(sent)) {
      this.#refused += 1;
      return;
    }
    this.#newest = sent;
    this.#receivedAt = performance.now();
    if (this.#waiting >= MAX_WAITING) return;
    const items = message.items.filter(isLeaderItem);
    if (items.length < message.items.length) this.#deps.report(new Error("a message has values that no leader tells"));
    void this.#queue(() => this.#take({ ...message, items }, sent.key, message.items.length > 0));
  }

  /**
   * Whether a message was received before, or is older than one that was: a connection that broke may still bring some. A leader with another key
   * is another one, even with an epoch that there was before: the database may have come back without its last moments.
   */
  #isOld({ key, epoch, sent }: Sent): boolean {
    const { epoch: ofEpoch, sent: last } = this.#newest;
    return key === this.#newest.key && (epoch < ofEpoch || (epoch === ofEpoch && sent <= last));
  }

  /** Applies nothing more, once what is under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#work;
  }

  #queue(work: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    this.#work = this.#work
      .then(() => (this.#isStopped ? undefined : work()))
      .catch((error: unknown) => {
        this.#isBehind = true;
        this.#deps.report(error);
      })
      .finally(() => (this.#waiting -= 1));
    return this.#work;
  }

  /** `isNumbered`: it is no heartbeat. */
  async #take({ epoch, n, items }: LeaderMessage, key: string | null, isNumbered: boolean): Promise<void> {
    const isNew = epoch !== this.#epoch || key !== this.#key;
    const isNext = !isNew && n === this.#n + (isNumbered ? 1 : 0);
    this.#isNewLeader ||= isNew;
    this.#epoch = epoch;
    this.#key = key;
    this.#n = n;
    if (!isNext) this.#gaps += 1;
    this.#isBehind ||= !isNext;
    for (const item of items) {
      await this.#deps.apply(item, this.#isBehind);
      if ("books" in item) this.#lacksBooks = false;
    }
    if (this.#isBehind) await this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    await this.#deps.catchUp(this.#isNewLeader);
    this.#isNewLeader = false;
    // While the leader is silent, whatever it does is still to be read.
    if (this.silentMs >= SILENT_MS || !this.#isBehind) return;
    this.#isBehind = false;
    this.#lacksBooks = true;
    this.#deps.resumed();
    this.#deps.askBooks();
  }
}
