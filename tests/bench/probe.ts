/** What Chromium tells of a page: the main thread's own time, and what is alive after a collection: heap, nodes, listeners. */
import type { CDPSession, Page } from "playwright-core";

/** What is alive in a page. */
export interface Alive {
  heapMb: number;
  /** Nodes of every kind, those held by scripts alone included. */
  nodes: number;
  listeners: number;
}

/** Ways to measure one page. */
export interface Probe {
  cdp: CDPSession;
  /** Main-thread task time since the page began, in milliseconds of the thread's own clock: what other processes take does not count. */
  taskMs(): Promise<number>;
  /** Collect, then count. */
  alive(): Promise<Alive>;
  /** Slow the page's processor down so many times. */
  slowDown(times: number): Promise<void>;
}

/** Put a probe to a page. */
export async function probe(page: Page): Promise<Probe> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const metrics = async (): Promise<Map<string, number>> => {
    const { metrics: all } = await cdp.send("Performance.getMetrics");
    return new Map(all.map(({ name, value }) => [name, value]));
  };
  return {
    cdp,
    taskMs: async () => ((await metrics()).get("TaskDuration") ?? Number.NaN) * 1000,
    async alive() {
      // Twice: what the first collection's finalisers let go of is free after the second.
      await cdp.send("HeapProfiler.collectGarbage");
      await cdp.send("HeapProfiler.collectGarbage");
      const all = await metrics();
      const of = (name: string): number => all.get(name) ?? Number.NaN;
      return { heapMb: of("JSHeapUsedSize") / 1e6, nodes: of("Nodes"), listeners: of("JSEventListeners") };
    },
    slowDown: async (times) => void (await cdp.send("Emulation.setCPUThrottlingRate", { rate: times })),
  };
}

/** Live heap of the page's only worker after a collection, in MB; null when it has none. */
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
