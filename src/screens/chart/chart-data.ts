/** A chart's bars over time: what the feed brings, what the drawing is told, and when older bars are asked for. */
import type { Candle } from "#contract/candle.ts";
import { HOUR_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import type { StudyUpdate } from "#src/streams/worker.ts";
import { form, placeAt, prepended } from "./bar.ts";
import type { Drawing } from "./drawing.ts";
import { beside, formStudies } from "./study.ts";
import type { StudyLines } from "./study.ts";
import type { View } from "./view.ts";

/** What a feed of candles brings, oldest bar first; studies are over all bars, `values` those of the forming one. */
export type CandleNews =
  | { change: "loaded" | "older"; bars: Candle[]; more: boolean; studies: StudyUpdate[] }
  | { change: "studied"; studies: StudyUpdate[] }
  | { change: "forming"; bar: Candle; values: number[][] }
  | { change: "failed" };

/** Where the chart stands: `failed` only when it has nothing to show. */
export type ChartPhase = "loading" | "ready" | "empty" | "failed";

export interface ChartHooks {
  /** Ask the feed for one more page of older bars. */
  older: () => void;
  /** The phase, the set of bars or their studies are other ones now; not called for a forming bar. */
  onChange: (phase: ChartPhase, count: number) => void;
  /** The newest bar changed or a new one began. */
  onForm: (bar: Candle) => void;
}

type Canvas = Pick<Drawing, "setBars" | "setStudies" | "form" | "show">;

/** Sessions up to this long keep room for their rest; an always open market does not. */
const ROOMY_SESSION_MS = 8 * HOUR_MS;
/** The fewest places a line is spread over, so that the first minutes of a session are not drawn a mile wide. */
const FEWEST_PLACES = 60;
/** A page that never came is asked for again after this long. */
const ASK_AGAIN_MS = 2_000;
const STEP_MS: Partial<Record<View["period"], number>> = { minute: MINUTE_MS, minute5: 5 * MINUTE_MS };

/** One chart's data from its first page to its end. Draws when a canvas is attached, which may be later than the data. */
export class ChartData {
  readonly #view: View;
  readonly #session: { opensAt: number; closesAt: number };
  readonly #hooks: ChartHooks;
  #bars: Candle[] = [];
  #studies: StudyLines[] = [];
  #phase: ChartPhase = "loading";
  #more = false;
  #askedAt = 0;
  #canvas: Canvas | null = null;
  #shown = false;

  constructor(view: View, session: { opensAt: number; closesAt: number }, hooks: ChartHooks) {
    this.#view = view;
    this.#session = session;
    this.#hooks = hooks;
  }

  /** The bars there are, oldest first; the list is the model's own. */
  get bars(): readonly Candle[] {
    return this.#bars;
  }

  /** The studies' values beside the bars; the list is the model's own. */
  get studies(): readonly StudyLines[] {
    return this.#studies;
  }

  /** Other studies were asked for: what is known belongs to none of them. */
  forgetStudies(): void {
    this.#study([]);
  }

  /** The close a bar is compared with; null for the oldest. */
  before(place: number): number | null {
    return this.#bars[place - 1]?.close ?? null;
  }

  /** The canvas is there: draw what has come meanwhile. */
  attach(canvas: Canvas): void {
    this.#canvas = canvas;
    this.#draw();
  }

  /** The oldest bars came into view. */
  nearStart(): void {
    if (this.#view.shape === "candles") this.#askOlder();
  }

  /** Take one piece of news. */
  take(news: CandleNews): void {
    switch (news.change) {
      case "loaded":
        this.#bars = this.#ofView(news.bars);
        this.#settle(news);
        return;
      case "older":
        this.#bars = prepended(this.#ofView(news.bars), this.#bars);
        this.#settle(news);
        return;
      case "studied":
        this.#study(news.studies);
        this.#hooks.onChange(this.#phase, this.#bars.length);
        return;
      case "forming":
        this.#form(news.bar, news.values);
        return;
      case "failed":
        this.#askedAt = 0;
        if (this.#bars.length === 0) this.#enter("failed");
        return;
    }
  }

  /** The day's line shows its own session only. */
  #ofView(bars: Candle[]): Candle[] {
    const { shape, since } = this.#view;
    return shape === "line" && since !== null ? bars.slice(placeAt(bars, since)) : bars;
  }

  #study(told: readonly StudyUpdate[]): void {
    this.#studies = beside(told, this.#bars.length);
    this.#canvas?.setStudies(this.#studies);
  }

  #settle({ more, studies }: { more: boolean; studies: readonly StudyUpdate[] }): void {
    this.#more = more;
    this.#askedAt = 0;
    this.#studies = beside(studies, this.#bars.length);
    this.#draw();
    this.#enter(this.#bars.length === 0 ? "empty" : "ready");
    const { since } = this.#view;
    // A first page may not reach as far back as the range asked for.
    const oldest = this.#bars[0];
    if (since !== null && oldest && oldest.at > since) this.#askOlder();
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

  #askOlder(): void {
    if (!this.#more || Date.now() - this.#askedAt < ASK_AGAIN_MS) return;
    this.#askedAt = Date.now();
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
    // While a range is still being filled from older pages, its start moves into view with each of them.
    const { since } = this.#view;
    this.#shown = since === null || !this.#more || (this.#bars[0]?.at ?? 0) <= since;
    const end = Math.max(this.#bars.length, room.length);
    this.#canvas.show(this.#start() - 0.5, this.#view.shape === "line" ? Math.max(end, FEWEST_PLACES) - 0.5 : end + 1.5);
  }

  /** The first place to show. */
  #start(): number {
    const { since, bars } = this.#view;
    return since === null ? Math.max(0, this.#bars.length - (bars ?? 0)) : placeAt(this.#bars, since);
  }

  #room(): number[] {
    const { opensAt, closesAt } = this.#session;
    const step = STEP_MS[this.#view.period];
    if (this.#view.shape !== "line" || step === undefined || closesAt - opensAt > ROOMY_SESSION_MS) return [];
    const places: number[] = [];
    for (let at = opensAt; at < closesAt; at += step) places.push(at);
    return places;
  }
}
