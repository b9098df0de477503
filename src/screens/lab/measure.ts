/** Measures the device while it streams: frames, long tasks, input latency, memory and network traffic. */
import { traffic } from "#src/streams/market.ts";

/** Measurements over a period. Times in milliseconds. */
export interface Measured {
  seconds: number;
  framesPerSecond: number;
  longestGapMs: number;
  longTasks: number;
  longTaskMs: number;
  /** Latency from an input to the next painted frame: median and 95th percentile. */
  inputP50Ms: number;
  inputP95Ms: number;
  /** Number of DOM elements. */
  elements: number;
  /** JavaScript heap in megabytes; null where the browser does not report it. */
  heapMb: number | null;
  bytesPerSecond: number;
  quotesPerSecond: number;
}

const PROBE_MS = 250;
const round = (value: number): number => Math.round(value * 10) / 10;

/** The value at a quantile (0 to 1); 0 for an empty list. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function heapMb(): number | null {
  const memory: unknown = "memory" in performance ? performance.memory : null;
  if (typeof memory !== "object" || memory === null || !("usedJSHeapSize" in memory)) return null;
  return round(Number(memory.usedJSHeapSize) / 1_048_576);
}

/** Measures from construction until it is stopped. */
export class Meter {
  #frames = 0;
  #last = performance.now();
  #gap = 0;
  readonly #longTasks: number[] = [];
  readonly #inputs: number[] = [];
  readonly #began = performance.now();
  #raf = 0;
  readonly #probe: number;
  readonly #observer: PerformanceObserver | null = null;
  readonly #before = traffic();

  constructor() {
    const frame = (now: number): void => {
      this.#frames += 1;
      this.#gap = Math.max(this.#gap, now - this.#last);
      this.#last = now;
      this.#raf = requestAnimationFrame(frame);
    };
    this.#raf = requestAnimationFrame(frame);
    // Simulates an input: queues like one and measures until the frame after it is painted.
    this.#probe = window.setInterval(() => {
      const startedAt = performance.now();
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = (): void => void this.#inputs.push(performance.now() - startedAt);
        painted.port2.postMessage(null);
      });
    }, PROBE_MS);
    if (PerformanceObserver.supportedEntryTypes.includes("longtask")) {
      this.#observer = new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => this.#longTasks.push(duration)));
      this.#observer.observe({ type: "longtask" });
    }
  }

  stop(): void {
    cancelAnimationFrame(this.#raf);
    clearInterval(this.#probe);
    this.#observer?.disconnect();
  }

  /** The measurements so far. */
  async read(): Promise<Measured> {
    const seconds = (performance.now() - this.#began) / 1000;
    const [before, now] = await Promise.all([this.#before, traffic()]);
    return {
      seconds: round(seconds),
      framesPerSecond: round(this.#frames / seconds),
      longestGapMs: round(this.#gap),
      longTasks: this.#longTasks.length,
      longTaskMs: round(this.#longTasks.reduce((sum, one) => sum + one, 0)),
      inputP50Ms: round(quantile(this.#inputs, 0.5)),
      inputP95Ms: round(quantile(this.#inputs, 0.95)),
      elements: document.getElementsByTagName("*").length,
      heapMb: heapMb(),
      bytesPerSecond: Math.round((now.bytes - before.bytes) / seconds),
      quotesPerSecond: Math.round((now.quotes - before.quotes) / seconds),
    };
  }
}

/** Device properties as far as the browser reports them, to make reports comparable. */
export function deviceOf(): Record<string, string | number | null> {
  const memory = "deviceMemory" in navigator ? Number(navigator.deviceMemory) : null;
  return {
    browser: navigator.userAgent,
    cores: navigator.hardwareConcurrency,
    memoryGb: memory,
    screen: `${window.innerWidth}x${window.innerHeight}@${window.devicePixelRatio}`,
  };
}
