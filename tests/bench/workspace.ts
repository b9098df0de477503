/** Benchmark of the workspace on a slow computer while the market streams: the main thread's time with one, two and four charts. */
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { Code } from "#contract/kernel/id.ts";
import { workspaceEndpoints } from "#contract/workspace.ts";
import type { Workspaces } from "#contract/workspace.ts";
import { closeBrowser, newPage, signIn, visit, WIDE } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import type { BenchOptions } from "./bench.ts";
import { serveBuilt } from "./client.ts";
import { taskTime } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { openMetrics } from "./page-metrics.ts";
import { Samples } from "./samples.ts";
import type { Figure, Table } from "./table.ts";

const UPDATES = 2_000;
const SLOWDOWN = 4;
/** Percent of the main thread. */
const BUDGET = 30;
const COUNTS = [1, 2, 4];
/** Instruments that trade all the time, each chart with another one in another time frame. */
const CHARTS = [
  { code: "2330", frame: "intraday" },
  { code: "2317", frame: "1D" },
  { code: "2454", frame: "3M" },
  { code: "2603", frame: "1W" },
] as const;
const ROUNDS = 5;
const SETTLE_MS = 3_000;
const MEASURE_MS = 5_000;

/** Stores a workspace with some charts, and shows it. */
async function show(visitor: Visit, session: { token: string; account: string }, count: number): Promise<void> {
  const charts = CHARTS.slice(0, count).map(({ code, frame }) => ({ code: Code.parse(code), frame }));
  const body: Workspaces = { current: { sizes: { list: null, book: null, ticket: null, dock: null }, charts }, saved: [] };
  await visitor.page.evaluate(
    async ([path, headers, text]) => {
      const reply = await fetch(path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: text });
      if (!reply.ok) throw new Error(await reply.text());
    },
    [BASE_PATH + workspaceEndpoints.saveWorkspaces.path, session, JSON.stringify(body)] as const,
  );
  await visitor.page.reload();
  await visitor.page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll("[role=slider][aria-valuemax]")].filter((one) => Number(one.getAttribute("aria-valuemax")) > 5)
        .length === wanted,
    count,
    { timeout: 30_000 },
  );
}

/** Takes about three minutes. */
export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const server = await serveBuilt({ venue: { seed: 1, rate: UPDATES, hours: "always" } });
  try {
    const visitor = await newPage({ origin: server.url, size: WIDE });
    const session = await signIn(visitor);
    await visit(visitor, "/market/stockDetail?code=2330");
    const metrics = await openMetrics(visitor.page);
    const page: ListPage = { page: visitor.page, ...metrics, close: () => Promise.resolve() };
    const samples = new Samples();
    for (let nth = 0; nth < (quick ? 1 : ROUNDS); nth += 1) {
      for (const count of nth % 2 === 0 ? COUNTS : COUNTS.toReversed()) {
        await show(visitor, session, count);
        await metrics.slowDown(SLOWDOWN);
        await visitor.page.waitForTimeout(SETTLE_MS);
        samples.note(`charts ${count}`, (await taskTime(page, MEASURE_MS)) / 10);
        await metrics.slowDown(1);
      }
    }
    const figures = COUNTS.map((count): Figure => ({
      what: `${count === 1 ? "one chart" : `${count} charts`} at ${SLOWDOWN}x slowdown`,
      value: samples.of(`charts ${count}`),
      unit: "% of the main thread",
      ...(count > 1 ? { budget: BUDGET, row: `workspace with ${count} charts, ${UPDATES} updates/s, ${SLOWDOWN}x slowdown` } : {}),
    }));
    return [{ title: `The workspace, ${UPDATES} market updates/s (medians of ${quick ? 1 : ROUNDS} rounds)`, figures }];
  } finally {
    await closeBrowser();
    await server.stop();
  }
}
