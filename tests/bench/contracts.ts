/**
 * Benchmark of futures and options: CPU time of the server while members trade stocks, without and with about 1,500 open positions that are
 * watched, marked and read as the app reads them; at the same rate of quotes and orders, in one run.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import type { Answer, Body, EndpointName } from "#contract/endpoints.ts";
import { endpoints } from "#contract/endpoints.ts";
import type { Code } from "#contract/kernel/id.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { STROKES } from "#tests/support/signature.ts";
import type { BenchOptions } from "./bench.ts";
import type { Table } from "./table.ts";

/** Quote updates and orders a second, with and without. */
const RATE = 2_000;
const ORDERS_A_SECOND = 20;
const MEMBERS = 150;
/** Positions of a member: options of several strikes, and a future. */
const OPTIONS = 9;
/** Of the members those who look at the chain or at the contracts, which the app reads again every two seconds. */
const LOOKING = 15;
const READ_EVERY_MS = 2_000;
/** What each moves into the futures wallet. */
const MOVED_CENTS = cents(100_000_000_000);
const SECONDS = 60;
const QUICK_SECONDS = 15;
/** The first minute compiles and costs twice as much. */
const WARM_SECONDS = 60;
const BUDGET = 1.3;

const newId = () => RequestId.parse(randomUUID());

type Caller = Record<string, string>;
interface Ready {
  port: number;
  callers: Caller[];
  codes: Code[];
}

async function cpuMs(server: ChildProcess): Promise<number> {
  const answered = once(server, "message");
  server.send("cpu");
  return ((await answered) as [{ cpuMs: number }])[0].cpuMs;
}

/** Asks as a member's phone does; null where it is refused. */
function ask<Name extends EndpointName>(
  agent: Agent,
  port: number,
  caller: Caller,
  name: Name,
  body: Body<Name>,
): Promise<Answer<Name> | null> {
  const text = JSON.stringify(body);
  const headers = { ...caller, "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  return new Promise((done, fail) => {
    const asked = request({ agent, port, method: "POST", path: BASE_PATH + endpoints[name].path, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on("data", (part: Buffer) => void parts.push(part));
      reply.on("end", () => {
        const { status, data } = JSON.parse(String(Buffer.concat(parts))) as { status: number; data: Answer<Name> };
        done(status === 1 ? data : null);
      });
    });
    asked.on("error", fail);
    asked.end(text);
  });
}

/** Signs for both, moves money, and opens the member's positions. @returns how many */
async function openPositions(agent: Agent, port: number, caller: Caller, nth: number): Promise<number> {
  for (const kind of ["futures", "options"] as const) {
    const text = await ask(agent, port, caller, "readAgreement", { kind, language: "en" });
    if (text === null) throw new Error(`no agreement of ${kind}`);
    const signature = { readToEnd: true, typedName: "", strokes: STROKES } as const;
    await ask(agent, port, caller, "signAgreement", { kind, language: "en", hash: text.hash, ...signature });
  }
  await ask(agent, port, caller, "transferFunds", {
    requestId: newId(),
    currency: "TWD",
    from: "securities",
    to: "futures",
    amount: MOVED_CENTS,
  });
  const { contracts = [] } = (await ask(agent, port, caller, "readFutures", {})) ?? {};
  const { chain = [] } = (await ask(agent, port, caller, "readOptions", { month: null })) ?? {};
  let opened = 0;
  const contract = contracts[nth % contracts.length]?.code;
  if (contract && (await ask(agent, port, caller, "tradeFutures", { requestId: newId(), contract, side: "buy", lots: 1, price: null })))
    opened += 1;
  for (let at = 0; at < OPTIONS; at += 1) {
    const row = chain[(nth * 5 + at * 3) % Math.max(1, chain.length)];
    const [series, side] = [at % 2 === 0 ? row?.call.code : row?.put.code, at % 3 === 0 ? ("sell" as const) : ("buy" as const)];
    if (series && (await ask(agent, port, caller, "openOption", { requestId: newId(), series, side, lots: 1, price: null }))) opened += 1;
  }
  return opened;
}

/** Closes everything. */
async function closePositions(agent: Agent, port: number, caller: Caller): Promise<void> {
  const { held: options = [] } = (await ask(agent, port, caller, "readOptions", { month: null })) ?? {};
  for (const { position } of options) {
    const body = { requestId: newId(), positionNo: position.positionNo, lots: Math.abs(position.lots), price: null };
    await ask(agent, port, caller, "closeOption", body);
  }
  const { held: futures = [] } = (await ask(agent, port, caller, "readFutures", {})) ?? {};
  for (const { position } of futures) {
    const side = position.lots > 0 ? ("sell" as const) : ("buy" as const);
    const body = { requestId: newId(), contract: position.code, side, lots: Math.abs(position.lots), price: null };
    await ask(agent, port, caller, "tradeFutures", body);
  }
}

/** Orders of stocks at the rate, and what those who look read. @returns CPU time of the server in per cent of a core */
async function load(server: ChildProcess, agent: Agent, ready: Ready, seconds: number, looking: readonly Caller[]): Promise<number> {
  const { port, callers, codes } = ready;
  const until = performance.now() + seconds * 1_000;
  let [sent, accepted] = [0, 0];
  const [cpuFrom, from] = [await cpuMs(server), performance.now()];
  const orders = async (): Promise<void> => {
    for (let n = 0; performance.now() < until; n += 1) {
      const code = codes[(n * 7) % codes.length];
      if (code === undefined) throw new Error("the market has no stocks");
      const ticket = { code, direction: "rise", pricing: "market", price: null, lots: 1 } as const;
      sent += 1;
      const body = PlaceOrderBody.parse({ requestId: newId(), ...ticket });
      void ask(agent, port, callers[n % callers.length] ?? {}, "placeOrder", body).then((answer) => (accepted += answer === null ? 0 : 1));
      await wait(1_000 / ORDERS_A_SECOND);
    }
  };
  const reads = looking.map(async (caller, nth) => {
    await wait((READ_EVERY_MS * nth) / looking.length);
    while (performance.now() < until) {
      if (nth % 3 === 0) await ask(agent, port, caller, "readFutures", {});
      else await ask(agent, port, caller, "readOptions", { month: null });
      await wait(READ_EVERY_MS);
    }
  });
  await Promise.all([orders(), ...reads]);
  // Refused orders cost less, and the parts of the run would not compare.
  if (accepted < sent * 0.95) throw new Error(`only ${accepted} of ${sent} orders were accepted`);
  return (((await cpuMs(server)) - cpuFrom) / (performance.now() - from)) * 100;
}

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const seconds = quick ? QUICK_SECONDS : SECONDS;
  const file = fileURLToPath(new URL("order-server.ts", import.meta.url));
  const server = fork(file, [String(MEMBERS), String(RATE)], {
    stdio: "inherit",
    execArgv: ["--wasm-tiering-budget=130000000", "--max-semi-space-size=16"],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  try {
    const [ready] = (await once(server, "message")) as [Ready];
    // What only happens once, such as compiling, belongs to neither.
    await load(server, agent, ready, Math.max(WARM_SECONDS, seconds), []);
    const before = await load(server, agent, ready, seconds, []);
    let positions = 0;
    for (const [nth, caller] of ready.callers.entries()) positions += await openPositions(agent, ready.port, caller, nth);
    const beside = await load(server, agent, ready, seconds, ready.callers.slice(0, LOOKING));
    for (const caller of ready.callers) await closePositions(agent, ready.port, caller);
    // Before and after, so that what grows or settles meanwhile counts for neither.
    const after = await load(server, agent, ready, seconds, []);
    const without = (before + after) / 2;
    return [
      {
        title: `Futures and options: ${positions} open positions of ${MEMBERS} members, ${LOOKING} of whom look at them`,
        figures: [
          { what: "CPU of the server without, before", value: before, unit: "% of a core" },
          { what: "CPU of the server without, after", value: after, unit: "% of a core" },
          { what: "CPU of the server with", value: beside, unit: "% of a core" },
          { what: "with / without", value: beside / without, unit: "x", budget: BUDGET, row: "server with futures and options" },
        ],
      },
    ];
  } finally {
    agent.destroy();
    const ended = once(server, "exit");
    server.disconnect();
    await ended;
  }
}
