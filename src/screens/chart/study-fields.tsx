/** The parameter fields of one study, validated while typing. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { MACD_PRICES } from "#contract/preference.ts";
import type { StudySettings } from "#contract/preference.ts";
import { Segmented } from "#src/ui/choice.tsx";
import { FIELDS, readTexts, textsOf } from "./study-form.ts";
import type { Study } from "./study-form.ts";
import { customary } from "./study.ts";
import styles from "./tools.module.css";

interface StudyFieldsProps {
  study: Study;
  settings: StudySettings;
  /** Called with valid settings only. */
  onSettings: (settings: StudySettings) => void;
}

/** Remount it when the settings change from elsewhere. */
export function StudyFields({ study, settings, onSettings }: StudyFieldsProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const [texts, setTexts] = useState(() => textsOf(study, settings));
  const read = readTexts(study, texts, settings);
  const wrong = read.ok ? null : read.wrong;
  const write = (at: number, text: string): void => {
    const next = texts.with(at, text);
    setTexts(next);
    const now = readTexts(study, next, settings);
    if (now.ok) onSettings(now.settings);
  };
  return (
    <fieldset className={styles.parameters}>
      <legend>{t(`chart.studyName.${study}`)}</legend>
      <div className={styles.fields}>
        {FIELDS[study].map(({ name, n, bounds }, at) => (
          <label key={`${name} ${n}`} className={styles.field}>
            <span>{t(`chart.parameter.${name}`, { n })}</span>
            <input
              inputMode={bounds === "bars" ? "numeric" : "decimal"}
              autoComplete="off"
              value={texts[at]}
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => write(at, event.currentTarget.value)}
              aria-invalid={wrong?.at === at || undefined}
              aria-describedby={wrong?.at === at ? `${id}-wrong` : undefined}
            />
          </label>
        ))}
      </div>
      {study === "macd" && (
        <Segmented
          label={t("chart.macdPrice.title")}
          options={MACD_PRICES.map((value) => ({ value, label: t(`chart.macdPrice.${value}`) }))}
          value={customary(settings, i18n.language).macd.price ?? "close"}
          onChoose={(price) => onSettings({ ...settings, macd: { ...settings.macd, price } })}
        />
      )}
      {wrong && (
        <p className={styles.wrong} id={`${id}-wrong`} role="alert">
          {wrong.what === "bars" || wrong.what === "between"
            ? t(`chart.wrong.${wrong.what}`, { least: wrong.least, most: wrong.most })
            : t(`chart.wrong.${wrong.what}`)}
        </p>
      )}
    </fieldset>
  );
}
