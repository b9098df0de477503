/** Keeps the connection to the Fugle stream: authenticates, detects silence, and reconnects after every failure. */
import { WebSocketClient } from "@fugle/marketdata";
import { FeedFailed } from "./port.ts";
import type { FeedLog } from "./port.ts";

type Client = InstanceType<typeof WebSocketClient>["stock"];

export interface FugleConnectionOptions {
  apiKey: string;
  /** Base address of the service's streams. */
  url: string;
  log: FeedLog;
  /** The first and the longest wait before a reconnect, in milliseconds. */
  leastMs: number;
  mostMs: number;
  /** Interval between pings, in milliseconds. */
  pingMs: number;
}

export interface FugleHooks {
  /** Authenticated: time to subscribe. */
  onOpened(): void;
  onMessage(text: string): void;
  onLost(): void;
}

/** Number of failed attempts after which opening the feed fails. */
const MAX_ATTEMPTS = 3;

/**
 * The library's client serves one connection: every `connect` adds its listeners again, and its promise never settles when nobody
 * answers. So each connection gets its own client, and the outcome is taken from the events.
 */
export class FugleConnection {
  readonly #options: FugleConnectionOptions;
  readonly #hooks: FugleHooks;
  #client: Client | null = null;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #closed = false;
  #refused: string | null = null;
  #opening: { done: () => void; fail: (error: FeedFailed) => void } | null = null;

  constructor(options: FugleConnectionOptions, hooks: FugleHooks) {
    this.#options = options;
    this.#hooks = hooks;
  }

  /**
   * Opens the connection and keeps it open from then on.
   * @throws FeedFailed when the service rejects the key or cannot be reached
   */
  open(): Promise<void> {
    return new Promise((done, fail) => {
      this.#opening = { done, fail };
      this.#connect();
    });
  }

  subscribe(channel: "trades" | "books", symbols: string[]): void {
    this.#client?.subscribe({ channel, symbols });
  }

  /** Received useful data: resets the failure count. */
  resetFailures(): void {
    this.#failures = 0;
  }

  close(): void {
    this.#closed = true;
    if (this.#retry) clearTimeout(this.#retry);
    this.#disconnect();
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = null;
    client?.disconnect();
  }

  #connect(): void {
    const { apiKey, url, pingMs, log } = this.#options;
    const healthCheck = { enabled: true, pingInterval: pingMs, maxMissedPongs: 2 };
    const client: Client = new WebSocketClient({ apiKey, baseUrl: url, healthCheck }).stock;
    let reason = "the connection closed";
    this.#client = client;
    client.on("authenticated", () => {
      if (this.#client !== client) return;
      this.#hooks.onOpened();
      this.#opening?.done();
      this.#opening = null;
    });
    client.on("unauthenticated", ({ message }: { message?: string }) => {
      this.#refused = message ?? "no reason given";
      client.disconnect();
    });
    client.on("message", (text: unknown) => {
      if (this.#client === client && typeof text === "string") this.#hooks.onMessage(text);
    });
    client.on("error", (error: unknown) => {
      reason = String(error);
    });
    client.on("disconnect", () => {
      if (this.#client !== client) return;
      this.#disconnect();
      log.warn({ reason, failures: this.#failures }, "lost the connection to the stream");
      this.#onDisconnect(reason);
    });
    // The outcome is reported by the events.
    client.connect().catch(() => undefined);
  }

  #onDisconnect(reason: string): void {
    if (this.#closed) return;
    this.#hooks.onLost();
    if (this.#refused !== null) {
      this.#closed = true;
      const sentence = `The feed cannot be opened: Fugle refuses the key in FUGLE_API_KEY (${this.#refused}).`;
      this.#options.log.warn({}, sentence);
      this.#opening?.fail(new FeedFailed(sentence));
      return;
    }
    this.#failures += 1;
    if (this.#opening && this.#failures >= MAX_ATTEMPTS) {
      this.#closed = true;
      this.#opening.fail(new FeedFailed(`The feed cannot be opened: ${this.#options.url} cannot be reached (${reason}).`));
      return;
    }
    const { leastMs, mostMs } = this.#options;
    const wait = Math.min(mostMs, leastMs * 2 ** Math.min(this.#failures - 1, 16)) * (1 + Math.random() / 2);
    this.#retry = setTimeout(() => this.#connect(), wait);
  }
}
