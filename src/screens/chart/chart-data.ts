/** Holds a chart's bars: applies updates from the candle source, draws them, and requests older bars. */
import type { Candle } from "#contract/candle.ts";
import { HOUR_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import type { StudyUpdate } from "#src/streams/worker.ts";
import { form, placeAt, prepended } from "./bar.ts";
import type { Drawing } from "./drawing.ts";
import { beside, formStudies } from "./study.ts";
import type { StudyLines } from "./study.ts";
import type { View } from "./view.ts";

/** An update from a candle source, oldest bar first; `studies` cover all bars, `values` are those of the forming one. */
export type CandleUpdate =
  | { change: "loaded" | "older"; bars: Candle[]; more: boolean; studies: StudyUpdate[] }
  | { change: "studied"; studies: StudyUpdate[] }
  | { change: "forming"; bar: Candle; values: number[][] }
  | { change: "failed" };

/** The chart's state: `failed` only when it has nothing to show. */
export type ChartPhase = "loading" | "ready" | "empty" | "failed";

export interface ChartHooks {
  /** Requests one more page of older bars. */
  older: () => void;
  /** The phase, the set of bars or their studies changed; not called for a forming bar. */
  onChange: (phase: ChartPhase, count: number) => void;
  /** The newest bar changed or a new one began. */
  onForm: (bar: Candle) => void;
}

type Canvas = Pick<Drawing, "setBars" | "setStudies" | "form" | "show">;

/** Sessions up to this long reserve room for their remainder; an always-open market does not. */
const MAX_RESERVED_SESSION_MS = 8 * HOUR_MS;
/** The minimum number of slots a line is spread over, so that the first minutes of a session are not stretched across the chart. */
const MIN_SLOTS = 60;
/** A page that never arrived is requested again after this long. */
const RETRY_OLDER_MS = 2_000;
const STEP_MS: Partial<Record<View["period"], number>> = { minute: MINUTE_MS, minute5: 5 * MINUTE_MS };

/** One chart's data. Draws when a canvas is attached, which may be after the data arrived. */
export class ChartData {
  readonly #view: View;
  readonly #session: { opensAt: number; closesAt: number };
  readonly #hooks: ChartHooks;
  #bars: Candle[] = [];
  #studies: StudyLines[] = [];
  #phase: ChartPhase = "loading";
  #more = false;
  #requestedAt = 0;
  #canvas: Canvas | null = null;
  #shown = false;

  constructor(view: View, session: { opensAt: number; closesAt: number }, hooks: ChartHooks) {
    this.#view = view;
    this.#session = session;
    this.#hooks = hooks;
  }

  /** The bars, oldest first; the list belongs to this object. */
  get bars(): readonly Candle[] {
    return this.#bars;
  }

  /** The studies' values, aligned with the bars; the list belongs to this object. */
  get studies(): readonly StudyLines[] {
    return this.#studies;
  }

  /** Drops the study values, because other studies were requested. */
  forgetStudies(): void {
    this.#study([]);
  }

  /** The close a bar is compared with; null for the oldest bar. */
  before(place: number): number | null {
    return this.#bars[place - 1]?.close ?? null;
  }

  /** Attaches the canvas and draws what has arrived so far. */
  attach(canvas: Canvas): void {
    this.#canvas = canvas;
    this.#draw();
  }

  /** Requests older bars, because the oldest ones came into view. */
  nearStart(): void {
    if (this.#view.shape === "candles") this.#requestOlder();
  }

  /** Applies one update. */
  apply(update: CandleUpdate): void {
    switch (update.change) {
      case "loaded":
        this.#bars = this.#ofView(update.bars);
        this.#applyPage(update);
        return;
      case "older":
        this.#bars = prepended(this.#ofView(update.bars), this.#bars);
        this.#applyPage(update);
        return;
      case "studied":
        this.#study(update.studies);
        this.#hooks.onChange(this.#phase, this.#bars.length);
        return;
      case "forming":
        this.#form(update.bar, update.values);
        return;
      case "failed":
        this.#requestedAt = 0;
        if (this.#bars.length === 0) this.#enter("failed");
        return;
    }
  }

  /** The intraday line shows its own session only. */
  #ofView(bars: Candle[]): Candle[] {
    const { shape, since } = this.#view;
    return shape === "line" && since !== null ? bars.slice(placeAt(bars, since)) : bars;
  }

  #study(updates: readonly StudyUpdate[]): void {
    this.#studies = beside(updates, this.#bars.length);
    this.#canvas?.setStudies(this.#studies);
  }

  #applyPage({ more, studies }: { more: boolean; studies: readonly StudyUpdate[] }): void {
    this.#more = more;
    this.#requestedAt = 0;
    this.#studies = beside(studies, this.#bars.length);
    this.#draw();
    this.#enter(this.#bars.length === 0 ? "empty" : "ready");
    const { since } = this.#view;
    // The first page may not reach back to the start of the requested range.
    const oldest = this.#bars[0];
    if (since !== null && oldest && oldest.at > since) this.#requestOlder();
  }

  #form(bar: Candle, values: readonly number[][]): void {
    const { shape, since } = this.#view;
    if (this.#phase === "loading" || (shape === "line" && since !== null && bar.at < since)) return;
    if (!form(this.#bars, bar)) return;
    formStudies(this.#studies, values, this.#bars.length);
    if (this.#phase !== "ready") {
      this.#draw();
      this.#enter("ready");
      return;
    }
    this.#canvas?.form(bar);
    this.#hooks.onForm(bar);
  }

  #requestOlder(): void {
    if (!this.#more || Date.now() - this.#requestedAt < RETRY_OLDER_MS) return;
    this.#requestedAt = Date.now();
    this.#hooks.older();
  }

  #enter(phase: ChartPhase): void {
    this.#phase = phase;
    this.#hooks.onChange(phase, this.#bars.length);
  }

  #draw(): void {
    if (!this.#canvas || this.#bars.length === 0) return;
    const room = this.#room();
    this.#canvas.setBars(this.#bars, room);
    this.#canvas.setStudies(this.#studies);
    if (this.#shown) return;
    // While older pages are still filling the range, its start moves into view with each of them.
    const { since } = this.#view;
    this.#shown = since === null || !this.#more || (this.#bars[0]?.at ?? 0) <= since;
    const end = Math.max(this.#bars.length, room.length);
    this.#canvas.show(this.#start() - 0.5, this.#view.shape === "line" ? Math.max(end, MIN_SLOTS) - 0.5 : end + 1.5);
  }

  /** The index of the first bar to show. */
  #start(): number {
    const { since, bars } = this.#view;
    return since === null ? Math.max(0, this.#bars.length - (bars ?? 0)) : placeAt(this.#bars, since);
  }

  #room(): number[] {
    const { opensAt, closesAt } = this.#session;
    const step = STEP_MS[this.#view.period];
    if (this.#view.shape !== "line" || step === undefined || closesAt - opensAt > MAX_RESERVED_SESSION_MS) return [];
    const places: number[] = [];
    for (let at = opensAt; at < closesAt; at += step) places.push(at);
    return places;
  }
}
