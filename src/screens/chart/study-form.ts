/** Converts study parameters between settings and form texts, and validates them. */
import type { MainStudy, StudySettings, SubStudy } from "#contract/preference.ts";

export type Study = MainStudy | SubStudy;

/** Names a field: `chart.parameter.<name>`. */
export type FieldName = "length" | "deviations" | "step" | "most" | "fast" | "slow" | "signal" | "k" | "d" | "average";

export interface StudyField {
  name: FieldName;
  /** Its number among fields of the same name; null if it is the only one. */
  n: number | null;
  /** A whole number of bars, or a two-decimal number between two bounds (in hundredths). */
  bounds: { least: number; most: number } | "bars";
  optional: boolean;
}

/** A field error: `chart.wrong.<what>`. */
export type Wrong =
  | { at: number; what: "bars"; least: string; most: string }
  | { at: number; what: "between"; least: string; most: string }
  | { at: number; what: "none" | "twice" | "order" };

type Read = { ok: true; settings: StudySettings } | { ok: false; wrong: Wrong };

const MIN_BARS = 1;
const MAX_BARS = 500;

const field = (name: FieldName, bounds: StudyField["bounds"] = "bars"): StudyField => ({ name, n: null, bounds, optional: false });
const lengths = (count: number): StudyField[] =>
  Array.from({ length: count }, (_, at) => ({ name: "length", n: at + 1, bounds: "bars", optional: true }));
const PART = { least: 1, most: 100 };

/** The fields of each study, in order. A list of lengths has as many fields as the maximum. */
export const FIELDS: { readonly [One in Study]: readonly StudyField[] } = {
  ma: lengths(5),
  ema: lengths(5),
  boll: [field("length"), field("deviations", { least: 10, most: 1000 })],
  sar: [field("step", PART), field("most", PART)],
  vol: lengths(3),
  macd: [field("fast"), field("slow"), field("signal")],
  kd: [field("length"), field("k"), field("d")],
  rsi: lengths(3),
  bias: lengths(3),
  obv: [field("average")],
};

const hundredths = (value: number): string => String(value / 100);

/** The form texts of a study's parameters. */
export function textsOf(study: Study, settings: StudySettings): string[] {
  const values = valuesOf(study, settings);
  return FIELDS[study].map(({ bounds }, at) => {
    const value = values[at];
    if (value === undefined) return "";
    return bounds === "bars" ? String(value) : hundredths(value);
  });
}

function valuesOf(study: Study, settings: StudySettings): number[] {
  const value = settings[study];
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return values.filter((one) => typeof one === "number");
}

function readText(text: string, { bounds }: StudyField): number | null {
  if (bounds === "bars") return /^\d{1,3}$/.test(text) && within(Number(text), MIN_BARS, MAX_BARS) ? Number(text) : null;
  const match = /^(\d{1,2})(?:[.,](\d{1,2}))?$/.exec(text);
  const value = match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : NaN;
  return within(value, bounds.least, bounds.most) ? value : null;
}

const within = (value: number, least: number, most: number): boolean => value >= least && value <= most;

function wrongText(at: number, { bounds }: StudyField): Wrong {
  if (bounds === "bars") return { at, what: "bars", least: String(MIN_BARS), most: String(MAX_BARS) };
  return { at, what: "between", least: hundredths(bounds.least), most: hundredths(bounds.most) };
}

/** Parses the form texts into the settings, or returns the first error. */
export function readTexts(study: Study, texts: readonly string[], settings: StudySettings): Read {
  const fields = FIELDS[study];
  const values: number[] = [];
  for (const [at, one] of fields.entries()) {
    const text = (texts[at] ?? "").trim();
    if (text === "" && one.optional) continue;
    const value = readText(text, one);
    if (value === null) return { ok: false, wrong: wrongText(at, one) };
    if (one.optional && values.includes(value)) return { ok: false, wrong: { at, what: "twice" } };
    values.push(value);
  }
  // Volume needs no average; every other study needs at least one line.
  if (values.length === 0 && study !== "vol") return { ok: false, wrong: { at: 0, what: "none" } };
  return checkOrder(study, values, { ...settings, ...settingsOf(study, values, settings) });
}

/** The fast length must be shorter than the slow one, and the step no larger than its maximum. */
function checkOrder(study: Study, [first = 0, second = 0]: readonly number[], settings: StudySettings): Read {
  const reversed = (study === "macd" && first >= second) || (study === "sar" && first > second);
  return reversed ? { ok: false, wrong: { at: 1, what: "order" } } : { ok: true, settings };
}

function settingsOf(study: Study, values: number[], { macd }: StudySettings): Partial<StudySettings> {
  const [first = 0, second = 0, third = 0] = values;
  switch (study) {
    case "boll":
      return { boll: { length: first, deviations: second } };
    case "sar":
      return { sar: { step: first, most: second } };
    case "macd":
      return { macd: { ...macd, fast: first, slow: second, signal: third } };
    case "kd":
      return { kd: { length: first, k: second, d: third } };
    case "obv":
      return { obv: { average: first } };
    default:
      return { [study]: values };
  }
}

/** The maximum number of panes below the prices. */
export const MAX_SUBS = 3;

/** The panes after toggling one. When all are used, the new one replaces the last. */
export function toggled(subs: readonly SubStudy[], sub: SubStudy): SubStudy[] {
  if (subs.includes(sub)) return subs.filter((one) => one !== sub);
  return [...subs.slice(0, MAX_SUBS - 1), sub];
}
