/** The line to the Fugle stream: signed in, watched for silence, and opened anew whenever it breaks. */
import { WebSocketClient } from "@fugle/marketdata";
import { FeedFailed } from "./port.ts";
import type { FeedLog } from "./port.ts";

type Client = InstanceType<typeof WebSocketClient>["stock"];

export interface FugleLineOptions {
  apiKey: string;
  /** Base address of the service's streams. */
  url: string;
  log: FeedLog;
  /** The wait before the first try to open it again, and the longest one, in milliseconds. */
  leastMs: number;
  mostMs: number;
  /** How often the service is asked whether it is there. */
  pingMs: number;
}

export interface FugleHooks {
  /** The line stands: subscribe. */
  opened(): void;
  said(text: string): void;
  lost(): void;
}

/** How often the line is tried before the feed counts as not to be opened. */
const TRIES = 3;

/**
 * The library's client serves one connection: it hooks its own listeners anew with every `connect`, and the promise of that never
 * settles when nobody answers. So each connection has a client of its own, and the events say how it went.
 */
export class FugleLine {
  readonly #options: FugleLineOptions;
  readonly #hooks: FugleHooks;
  #client: Client | null = null;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #over = false;
  #refused: string | null = null;
  #awaited: { done: () => void; fail: (error: FeedFailed) => void } | null = null;

  constructor(options: FugleLineOptions, hooks: FugleHooks) {
    this.#options = options;
    this.#hooks = hooks;
  }

  /**
   * Open the line; it stays open from then on.
   * @throws FeedFailed when the service refuses the key, or cannot be reached
   */
  open(): Promise<void> {
    return new Promise((done, fail) => {
      this.#awaited = { done, fail };
      this.#connect();
    });
  }

  subscribe(channel: "trades" | "books", symbols: string[]): void {
    this.#client?.subscribe({ channel, symbols });
  }

  /** What the line carries makes sense: a break from here on is a new one. */
  proven(): void {
    this.#failures = 0;
  }

  close(): void {
    this.#over = true;
    if (this.#retry) clearTimeout(this.#retry);
    this.#drop();
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    client?.disconnect();
  }

  #connect(): void {
    const { apiKey, url, pingMs, log } = this.#options;
    const healthCheck = { enabled: true, pingInterval: pingMs, maxMissedPongs: 2 };
    const client: Client = new WebSocketClient({ apiKey, baseUrl: url, healthCheck }).stock;
    let reason = "the line closed";
    this.#client = client;
    client.on("authenticated", () => {
      if (this.#client !== client) return;
      this.#hooks.opened();
      this.#awaited?.done();
      this.#awaited = null;
    });
    client.on("unauthenticated", ({ message }: { message?: string }) => {
      this.#refused = message ?? "no reason given";
      client.disconnect();
    });
    client.on("message", (text: unknown) => {
      if (this.#client === client && typeof text === "string") this.#hooks.said(text);
    });
    client.on("error", (error: unknown) => {
      reason = String(error);
    });
    client.on("disconnect", () => {
      if (this.#client !== client) return;
      this.#drop();
      log.warn({ reason, failures: this.#failures }, "the line to the stream broke");
      this.#broke(reason);
    });
    // How it went is said by the events.
    client.connect().catch(() => undefined);
  }

  #broke(reason: string): void {
    if (this.#over) return;
    this.#hooks.lost();
    if (this.#refused !== null) {
      this.#over = true;
      const sentence = `The feed cannot be opened: Fugle refuses the key in FUGLE_API_KEY (${this.#refused}).`;
      this.#options.log.warn({}, sentence);
      this.#awaited?.fail(new FeedFailed(sentence));
      return;
    }
    this.#failures += 1;
    if (this.#awaited && this.#failures >= TRIES) {
      this.#over = true;
      this.#awaited.fail(new FeedFailed(`The feed cannot be opened: ${this.#options.url} cannot be reached (${reason}).`));
      return;
    }
    const { leastMs, mostMs } = this.#options;
    const wait = Math.min(mostMs, leastMs * 2 ** Math.min(this.#failures - 1, 16)) * (1 + Math.random() / 2);
    this.#retry = setTimeout(() => this.#connect(), wait);
  }
}
