/** Benchmark of the server: orders per second over HTTP, and quotes to 1,000 clients against plain `ws` in the same run. */
import { measureFanOut } from "./fan-out.ts";
import { measureOrders } from "./order-rate.ts";
import type { Table } from "./table.ts";

const CONNECTIONS = 32;
const MEMBERS = 1_000;
/** What the market refuses now and then: a stock in a call takes limit orders only, and an order that met no lots holds nothing. */
const MARKET_REFUSALS = new Set(["placeOrder TRD_AUCTION_LIMIT_ONLY", "closeOrder TRD_ORDER_NOT_HOLDING"]);
const CLIENTS = 1_000;
const ORDERS_MS = 5_000;
const FAN_OUT_MS = 5_000;
/** Quote updates per second: the venue's default, and the maximum it must sustain. */
const RATES = [400, 10_000];
/** Percent of a core, at the venue's default rate. */
const FAN_OUT_BUDGET = 20;

async function orderTable(): Promise<Table> {
  const { kind, perSecond, p50Ms, p99Ms, refused, cpuMsPerCommand } = await measureOrders(CONNECTIONS, MEMBERS, ORDERS_MS);
  const faults = [...refused].filter(([what]) => !MARKET_REFUSALS.has(what)).reduce((sum, [, times]) => sum + times, 0);
  return {
    title: `Buys, exit orders, resting orders, cancels and sells over HTTP: ${MEMBERS} members, ${CONNECTIONS} connections, on ${kind}`,
    figures: [
      { what: "committed", value: Math.round(perSecond), unit: "/s" },
      { what: "latency, median", value: p50Ms, unit: "ms" },
      { what: "latency, 99th percentile", value: p99Ms, unit: "ms" },
      { what: "CPU of the server per command", value: cpuMsPerCommand, unit: "ms" },
      { what: "refused, but for calls and empty books", value: faults, unit: "", budget: 0 },
    ],
  };
}

async function fanOutTable(rate: number): Promise<Table> {
  const ours = await measureFanOut("ours", CLIENTS, rate, FAN_OUT_MS);
  const bare = await measureFanOut("ws", CLIENTS, rate, FAN_OUT_MS);
  const budget = rate === RATES[0] ? { budget: FAN_OUT_BUDGET } : {};
  return {
    title: `Quotes to ${CLIENTS} clients with 50 instruments each, ${rate} updates/s`,
    figures: [
      { what: "our socket", value: ours.cpu * 100, unit: "% of a core", ...budget },
      { what: "the same batches over plain ws", value: bare.cpu * 100, unit: "% of a core" },
      { what: "ours / plain ws", value: ours.cpu / bare.cpu, unit: "x" },
      { what: "batches sent", value: Math.round(ours.framesPerSecond), unit: "/s" },
      { what: "received per client", value: Math.round(ours.bytesPerClientSecond), unit: "bytes/s" },
    ],
  };
}

/** Runs all measurements one after the other; takes less than a minute. */
export async function run(): Promise<Table[]> {
  const tables = [await orderTable()];
  for (const rate of RATES) tables.push(await fanOutTable(rate));
  return tables;
}
