/** Figures of the running process for Prometheus: what is counted, and the page that a Prometheus server reads, on an address of its own. */
import { createServer } from "node:http";
import { once } from "node:events";
import { isIP } from "node:net";
import type { AddressInfo } from "node:net";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** Where the page is served. */
export interface MetricsAddress {
  host: string;
  port: number;
}

/** How a call ended: with its data, refused by a rule, or without a known outcome. */
export type CallOutcome = "accepted" | "refused" | "failed";

/** Upper bounds of the classes of times, in seconds: from a read in memory to a call that a client gives up. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8];
/** Upper bounds of the classes of batch sizes. */
const COMMANDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Counter<"endpoint" | "outcome">;
  readonly #callSeconds: Histogram<"kind">;
  readonly #batchSeconds: Histogram;
  readonly #batchCommands: Histogram;
  readonly #facts: Counter;
  readonly #forwarded: Counter<"outcome">;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    const labelled = { name: "kuroshio_calls_total", help: "Calls by endpoint and outcome", labelNames: ["endpoint", "outcome"] as const };
    this.#calls = new Counter({ ...labelled, registers });
    const seconds = { help: "Time from a call's arrival to its answer", labelNames: ["kind"] as const, buckets: SECONDS };
    this.#callSeconds = new Histogram({ name: "kuroshio_call_seconds", ...seconds, registers });
    const batch = { name: "kuroshio_batch_seconds", help: "Time of a batch of commands, with its commit", buckets: SECONDS };
    this.#batchSeconds = new Histogram({ ...batch, registers });
    const size = { name: "kuroshio_batch_commands", help: "Commands in a batch", buckets: COMMANDS };
    this.#batchCommands = new Histogram({ ...size, registers });
    this.#facts = new Counter({ name: "kuroshio_facts_total", help: "Facts told to members", registers });
    const forwarded = { name: "kuroshio_forwarded_total", help: "Calls that a follower sent on to the leader", registers };
    this.#forwarded = new Counter({ ...forwarded, labelNames: ["outcome"] as const });
  }

  readonly countCall = (endpoint: string, kind: "read" | "command", outcome: CallOutcome, ms: number): void => {
    this.#calls.inc({ endpoint, outcome });
    this.#callSeconds.observe({ kind }, ms / 1000);
  };

  readonly countBatch = (commands: number, ms: number): void => {
    this.#batchCommands.observe(commands);
    this.#batchSeconds.observe(ms / 1000);
  };

  readonly countFact = (): void => this.#facts.inc();

  readonly countForwarded = (isAnswered: boolean): void => this.#forwarded.inc({ outcome: isAnswered ? "answered" : "unknown" });

  /** Adds a figure that is looked up when the page is read; one added before under the name is replaced. */
  gauge(name: string, help: string, read: () => number): void {
    this.#registry.removeSingleMetric(`kuroshio_${name}`);
    const gauge: Gauge = new Gauge({
      name: `kuroshio_${name}`,
      help,
      registers: [this.#registry],
      collect: () => gauge.set(read()),
    });
  }

  /** Adds a text that is looked up when the page is read, as the label of a figure that is 1; null leaves it out. */
  label(name: string, help: string, label: string, read: () => string | null): void {
    this.#registry.removeSingleMetric(`kuroshio_${name}`);
    const gauge: Gauge = new Gauge({
      name: `kuroshio_${name}`,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect: () => {
        gauge.reset();
        const text = read();
        if (text !== null) gauge.set({ [label]: text }, 1);
      },
    });
  }

  /** The page in Prometheus's text format. */
  page(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

/** Parses `port` or `host:port`; null when it is neither. Without a host, only this machine can read the page. */
export function metricsAddress(text: string): MetricsAddress | null {
  const [, host = "127.0.0.1", digits = ""] = /^(?:\[?([^[\]]+)\]?:)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  return digits === "" || port > 65_535 || (isIP(host) === 0 && host !== "localhost") ? null : { host, port };
}

/** Serves `/metrics`. It tells how a broker is used, so it has an address of its own, which members do not reach. @returns the port */
export async function serveMetrics(metrics: Metrics, { host, port }: MetricsAddress): Promise<number> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    const headers = { "content-type": metrics.contentType, "cache-control": "no-store" };
    metrics.page().then(
      (page) => response.writeHead(200, headers).end(page),
      // A figure that cannot be read, while the server is being closed.
      () => response.writeHead(503).end(),
    );
  });
  server.listen(port, host);
  await once(server, "listening");
  server.unref();
  return (server.address() as AddressInfo).port;
}
