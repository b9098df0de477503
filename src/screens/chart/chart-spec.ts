/** What a chart is made from: the instrument, its candle source, the view, and the member's studies. */
import type { Observable } from "rxjs";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Kind } from "#contract/instrument.ts";
import type { StudySettings } from "#contract/preference.ts";
import type { DayLimits } from "#contract/tick.ts";
import type { ChartRequest, StudyKind } from "#src/streams/worker.ts";
import type { CandleUpdate } from "./chart-data.ts";
import type { StudyPlan } from "./study.ts";
import type { View } from "./view.ts";

/** An open source of one instrument's candles. */
export interface CandleSource {
  updates$: Observable<CandleUpdate>;
  /** Requests one more page of older bars. */
  older: () => void;
  /** Requests other studies, or other parameters. */
  study: (studies: StudyKind[], settings: StudySettings) => void;
}

/** The instrument whose prices are drawn. */
export interface ChartSubject {
  code: string;
  /** The instrument's name, for screen readers. */
  name: string;
  kind: Kind;
  decimals: number;
  session: { opensAt: number; closesAt: number };
  /** The previous close in ten-thousandths; null while unknown. */
  reference: number | null;
  /** The day's limits; null where there are none. */
  limits: DayLimits | null;
  /** Opens a candle source. */
  open: (request: ChartRequest) => CandleSource;
}

/** Everything a drawing shows: the instrument, the view, and the member's studies. */
export interface ChartSpec {
  subject: ChartSubject;
  view: View;
  request: ChartRequest;
  plans: readonly StudyPlan[];
  /** Ex-events of the instrument, oldest first; empty where the view does not span days. */
  actions: readonly CorporateAction[];
}

/** The price before the first bar, in ten-thousandths: the previous close for the intraday line; null for candles, or while unknown. */
export function priceBefore({ view, subject }: Pick<ChartSpec, "view" | "subject">): number | null {
  return view.shape === "line" ? subject.reference : null;
}
