/** Measuring the device while it streams: frames, long tasks, how soon an input shows, memory, and what came over the line. */
import { traffic } from "#src/streams/market.ts";

/** What was measured over a while. Times in milliseconds. */
export interface Measured {
  seconds: number;
  framesPerSecond: number;
  longestGapMs: number;
  longTasks: number;
  longTaskMs: number;
  /** From an input's moment to the next painted frame: half of them were sooner, 95 of 100 were sooner. */
  inputP50Ms: number;
  inputP95Ms: number;
  /** The page's elements. */
  elements: number;
  /** Script memory in megabytes; null where the browser does not tell. */
  heapMb: number | null;
  bytesPerSecond: number;
  quotesPerSecond: number;
}

const PROBE_MS = 250;
const round = (value: number): number => Math.round(value * 10) / 10;

/** The value below which a part of them lie; 0 for none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function heapMb(): number | null {
  const memory: unknown = "memory" in performance ? performance.memory : null;
  if (typeof memory !== "object" || memory === null || !("usedJSHeapSize" in memory)) return null;
  return round(Number(memory.usedJSHeapSize) / 1_048_576);
}

/** Measures from its making until it is read or stopped. */
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
    // Stands in line like an input does, and counts until the frame after it is on screen.
    this.#probe = window.setInterval(() => {
      const asked = performance.now();
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = (): void => void this.#inputs.push(performance.now() - asked);
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

  /** What was measured so far. */
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

/** The device, as far as it tells: what makes two reports comparable. */
export function deviceOf(): Record<string, string | number | null> {
  const memory = "deviceMemory" in navigator ? Number(navigator.deviceMemory) : null;
  return {
    browser: navigator.userAgent,
    cores: navigator.hardwareConcurrency,
    memoryGb: memory,
    screen: `${window.innerWidth}x${window.innerHeight}@${window.devicePixelRatio}`,
  };
}
