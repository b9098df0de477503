/** Tests parsing and validating typed study parameters. */
import { describe, expect, it } from "vitest";
import { MAIN_STUDIES, StudySettings, SUB_STUDIES } from "#contract/preference.ts";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import { FIELDS, readTexts, textsOf, toggled } from "#src/screens/chart/study-form.ts";
import type { Study } from "#src/screens/chart/study-form.ts";

const STUDIES: readonly Study[] = [...MAIN_STUDIES, ...SUB_STUDIES];
const read = (study: Study, ...texts: string[]) => readTexts(study, texts, USUAL_STUDIES);

describe("current settings", () => {
  it.each(STUDIES)("%s is unchanged when nothing is typed", (study) => {
    const texts = textsOf(study, USUAL_STUDIES);
    expect(texts).toHaveLength(FIELDS[study].length);
    expect(readTexts(study, texts, USUAL_STUDIES)).toEqual({ ok: true, settings: USUAL_STUDIES });
  });
});

describe("typed parameters", () => {
  it("become settings that match the contract", () => {
    const typed = [read("boll", "26", "2.5"), read("sar", "0.03", "0,3"), read("kd", "5", "2", "2"), read("vol", "", "", "")];
    for (const one of typed) expect(one.ok && StudySettings.parse(one.settings)).toEqual(one.ok && one.settings);
    expect(typed[0]).toMatchObject({ settings: { boll: { length: 26, deviations: 250 }, ma: USUAL_STUDIES.ma } });
    expect(typed[1]).toMatchObject({ settings: { sar: { step: 3, most: 30 } } });
    expect(typed[3]).toMatchObject({ settings: { vol: [] } });
  });

  it("skip empty fields of a list and keep its order", () => {
    expect(read("ma", "5", "", "60", "", " 120 ")).toMatchObject({ ok: true, settings: { ma: [5, 60, 120] } });
  });

  it("are rejected at their own field", () => {
    expect(read("ma", "5", "0", "", "", "")).toEqual({ ok: false, wrong: { at: 1, what: "bars", least: "1", most: "500" } });
    expect(read("kd", "9", "501", "3")).toMatchObject({ wrong: { at: 1, what: "bars" } });
    expect(read("kd", "9", "3", "")).toMatchObject({ wrong: { at: 2, what: "bars" } });
    expect(read("obv", "1.5")).toMatchObject({ wrong: { at: 0, what: "bars" } });
    expect(read("boll", "20", "0.05")).toEqual({ ok: false, wrong: { at: 1, what: "between", least: "0.1", most: "10" } });
    expect(read("boll", "20", "2.555")).toMatchObject({ wrong: { at: 1 } });
    expect(read("boll", "20", "-2")).toMatchObject({ wrong: { at: 1 } });
  });

  it("are rejected as a whole where they make no study", () => {
    expect(read("rsi", "", "", "")).toEqual({ ok: false, wrong: { at: 0, what: "none" } });
    expect(read("bias", "10", "10", "")).toEqual({ ok: false, wrong: { at: 1, what: "twice" } });
    expect(read("macd", "26", "12", "9")).toEqual({ ok: false, wrong: { at: 1, what: "order" } });
    expect(read("sar", "0.3", "0.2")).toEqual({ ok: false, wrong: { at: 1, what: "order" } });
    expect(read("sar", "0.2", "0.2").ok).toBe(true);
  });
});

describe("chosen panes", () => {
  it("are added and removed, at most three: a fourth replaces the last", () => {
    expect(toggled([], "vol")).toEqual(["vol"]);
    expect(toggled(["vol", "kd"], "vol")).toEqual(["kd"]);
    expect(toggled(["vol", "kd", "rsi"], "obv")).toEqual(["vol", "kd", "obv"]);
  });
});
