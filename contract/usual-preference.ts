/** The preferences of a member who has chosen none, without the schemas: the client needs them before it saves any. */
import type { Preferences, StudySettings } from "./preference.ts";
import { USUAL_FLASH } from "./usual-flash.ts";

/** The defaults: the parameters customary in Taiwan. */
export const USUAL_STUDIES: StudySettings = {
  ma: [5, 10, 20, 60],
  ema: [12, 26],
  boll: { length: 20, deviations: 200 },
  sar: { step: 2, most: 20 },
  vol: [5, 20],
  macd: { fast: 12, slow: 26, signal: 9, price: null },
  kd: { length: 9, k: 3, d: 3 },
  rsi: [6, 12],
  bias: [10, 20],
  obv: { average: 10 },
};

export const USUAL_PREFERENCES: Preferences = {
  main: "ma",
  sub: ["vol"],
  studies: USUAL_STUDIES,
  collapsed: [],
  frame: null,
  bigLots: 50,
  adjustment: "none",
  density: "compact",
  saveData: false,
  notify: false,
  sound: false,
  vibrate: true,
  ticketKind: "cash",
  skipReviewCents: null,
  flash: USUAL_FLASH,
};
