/** The server's bench: orders a second over HTTP, and quotes to a thousand clients against bare `ws` in the same run. */
import { measureFanOut } from "./fan-out.ts";
import { measureOrders } from "./order-rate.ts";
import type { Table } from "./table.ts";

const CONNECTIONS = 32;
const CLIENTS = 1_000;
const ORDERS_MS = 5_000;
const FAN_OUT_MS = 5_000;
/** Quote updates a second: the default of the venue, and what it must sustain. */
const RATES = [400, 10_000];
/** Per cent of a core, at the venue's default rate. */
const FAN_OUT_BUDGET = 20;

async function orderTable(): Promise<Table> {
  const { kind, perSecond, p50Ms, p99Ms, refused, cpuMsPerOrder } = await measureOrders(CONNECTIONS, ORDERS_MS);
  return {
    title: `Orders placed over HTTP, ${CONNECTIONS} connections, on ${kind}`,
    figures: [
      { what: "committed", value: Math.round(perSecond), unit: "/s" },
      { what: "answered, median", value: p50Ms, unit: "ms" },
      { what: "answered, 99 of 100", value: p99Ms, unit: "ms" },
      { what: "CPU of the server for one", value: cpuMsPerOrder, unit: "ms" },
      { what: "refused", value: refused, unit: "", budget: 0 },
    ],
  };
}

async function fanOutTable(rate: number): Promise<Table> {
  const ours = await measureFanOut("ours", CLIENTS, rate, FAN_OUT_MS);
  const bare = await measureFanOut("ws", CLIENTS, rate, FAN_OUT_MS);
  const budget = rate === RATES[0] ? { budget: FAN_OUT_BUDGET } : {};
  return {
    title: `Quotes to ${CLIENTS} clients of 50 codes each, ${rate} updates/s`,
    figures: [
      { what: "our socket", value: ours.cpu * 100, unit: "% of a core", ...budget },
      { what: "the same batches over bare ws", value: bare.cpu * 100, unit: "% of a core" },
      { what: "ours against bare", value: ours.cpu / bare.cpu, unit: "x" },
      { what: "batches sent", value: Math.round(ours.framesPerSecond), unit: "/s" },
      { what: "a client hears", value: Math.round(ours.bytesPerClientSecond), unit: "bytes/s" },
    ],
  };
}

/** Measure everything, one after the other: under a minute. */
export async function run(): Promise<Table[]> {
  const tables = [await orderTable()];
  for (const rate of RATES) tables.push(await fanOutTable(rate));
  return tables;
}
