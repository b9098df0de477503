/** Metrics of a page from Chromium: main-thread time, and live heap, nodes and listeners after garbage collection. */
import type { CDPSession, Page } from "playwright-core";

/** Live objects of a page. */
export interface LiveObjects {
  heapMb: number;
  /** All nodes, including detached ones that scripts hold. */
  nodes: number;
  listeners: number;
}

/** Measurements of one page. */
export interface PageMetrics {
  cdp: CDPSession;
  /** Main-thread task time since the page was opened, in milliseconds of CPU time; load from other processes does not count. */
  taskMs(): Promise<number>;
  /** Collects garbage, then counts. */
  liveObjects(): Promise<LiveObjects>;
  /** Throttles the page's CPU by a factor. */
  slowDown(times: number): Promise<void>;
}

/** Attaches to a page. */
export async function openMetrics(page: Page): Promise<PageMetrics> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const metrics = async (): Promise<Map<string, number>> => {
    const { metrics: all } = await cdp.send("Performance.getMetrics");
    return new Map(all.map(({ name, value }) => [name, value]));
  };
  return {
    cdp,
    taskMs: async () => ((await metrics()).get("TaskDuration") ?? Number.NaN) * 1000,
    async liveObjects() {
      // Twice, because objects released by the first collection's finalisers are freed by the second.
      await cdp.send("HeapProfiler.collectGarbage");
      await cdp.send("HeapProfiler.collectGarbage");
      const all = await metrics();
      const of = (name: string): number => all.get(name) ?? Number.NaN;
      return { heapMb: of("JSHeapUsedSize") / 1e6, nodes: of("Nodes"), listeners: of("JSEventListeners") };
    },
    slowDown: async (times) => void (await cdp.send("Emulation.setCPUThrottlingRate", { rate: times })),
  };
}

/** Live heap of the page's only worker after garbage collection, in MB; null when it has none. */
export async function workerHeapMb(page: Page): Promise<number | null> {
  const [worker] = page.workers();
  if (!worker) return null;
  const cdp = await page.context().newCDPSession(page);
  const answers = new Map<number, (result: unknown) => void>();
  const attached = new Promise<string>((found) => cdp.on("Target.attachedToTarget", ({ sessionId }) => found(sessionId)));
  cdp.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, result } = JSON.parse(message) as { id?: number; result?: unknown };
    if (id !== undefined) answers.get(id)?.(result);
  });
  await cdp.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const sessionId = await attached;
  let last = 0;
  const ask = async (method: string): Promise<unknown> => {
    const id = ++last;
    const answered = new Promise<unknown>((done) => answers.set(id, done));
    await cdp.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method }) });
    return answered;
  };
  await ask("HeapProfiler.collectGarbage");
  const { usedSize } = (await ask("Runtime.getHeapUsage")) as { usedSize: number };
  await cdp.detach();
  return usedSize / 1e6;
}
