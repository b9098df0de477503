/** The chart's settings sheet: studies and their parameters, price adjustment, comparison, and links to the lines and the table. */
import { PencilLine, Table2 } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADJUSTMENTS } from "#contract/corporate-action.ts";
import { MAIN_STUDIES, SUB_STUDIES, USUAL_STUDIES } from "#contract/preference.ts";
import type { Preferences, StudySettings } from "#contract/preference.ts";
import { savePreferences } from "#src/streams/preferences.ts";
import { Button } from "#src/ui/button.tsx";
import { Chip, Segmented, Switch } from "#src/ui/choice.tsx";
import { List, Row } from "#src/ui/row.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { StudyFields } from "./study-fields.tsx";
import { MAX_SUBS, toggled } from "./study-form.ts";
import styles from "./tools.module.css";

interface ToolsSheetProps {
  open: boolean;
  onClose: () => void;
  preferences: Preferences;
  /** The intraday line has the average price over it instead of the chosen study. */
  line: boolean;
  /** The index the chart can be compared with; null for none. */
  compare: { name: string; on: boolean; onSwitch: (on: boolean) => void } | null;
  /** How many lines there are, and how many have a waiting alert. */
  lines: { count: number; waiting: number };
  onLines: () => void;
  onTable: () => void;
}

/** The sheet; each choice takes effect at once. */
export function ToolsSheet({ open, onClose, ...props }: ToolsSheetProps) {
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t("chart.tools")}>
      <Tools {...props} />
    </Sheet>
  );
}

function Tools({ preferences, line, compare, lines, onLines, onTable }: Omit<ToolsSheetProps, "open" | "onClose">) {
  const { t } = useTranslation();
  const { main, sub, adjustment } = preferences;
  const [reset, setReset] = useState(0);
  const [settings, setSettings] = useDebouncedSettings(preferences.studies);
  const chosen = [...(main ? [main] : []), ...sub];
  return (
    <div className={styles.tools}>
      <section className={styles.part} aria-labelledby="chart-main">
        <h3 id="chart-main">{t("chart.main")}</h3>
        <div className={styles.chips} role="group" aria-labelledby="chart-main">
          {MAIN_STUDIES.map((study) => (
            <Chip key={study} pressed={main === study} onPress={() => void savePreferences({ main: main === study ? null : study })}>
              {t(`chart.study.${study}`)}
            </Chip>
          ))}
        </div>
        {line && <p className={styles.hint}>{t("chart.mainOverLine")}</p>}
      </section>
      <section className={styles.part} aria-labelledby="chart-sub">
        <h3 id="chart-sub">{t("chart.sub")}</h3>
        <div className={styles.chips} role="group" aria-labelledby="chart-sub">
          {SUB_STUDIES.map((study) => (
            <Chip key={study} pressed={sub.includes(study)} onPress={() => void savePreferences({ sub: toggled(sub, study) })}>
              {t(`chart.study.${study}`)}
            </Chip>
          ))}
        </div>
        <p className={styles.hint}>{t("chart.subMost", { n: MAX_SUBS })}</p>
      </section>
      <section className={styles.part} aria-labelledby="chart-adjustment">
        <h3 id="chart-adjustment">{t("chart.adjustment")}</h3>
        <Segmented
          label={t("chart.adjustment")}
          options={ADJUSTMENTS.map((value) => ({ value, label: t(`chart.adjust.${value}`) }))}
          value={adjustment}
          onChoose={(value) => void savePreferences({ adjustment: value })}
        />
        <p className={styles.hint}>{t(`chart.adjustSays.${adjustment}`)}</p>
      </section>
      <div className={styles.rows}>
        {compare && (
          <Switch
            label={t("chart.compare", { name: compare.name })}
            hint={t("chart.compareSays")}
            on={compare.on}
            onSwitch={compare.onSwitch}
          />
        )}
        <List>
          <Row
            title={t("chart.lines.title")}
            subtitle={lines.count === 0 ? t("chart.lines.none") : t("chart.lines.count", { count: lines.count, waiting: lines.waiting })}
            leading={<PencilLine size={20} aria-hidden />}
            compact
            onPress={onLines}
          />
          <Row title={t("chart.showTable")} leading={<Table2 size={20} aria-hidden />} compact onPress={onTable} />
        </List>
      </div>
      {chosen.length > 0 && (
        <section className={styles.part} aria-labelledby="chart-parameters">
          <h3 id="chart-parameters">{t("chart.parameters")}</h3>
          {chosen.map((study) => (
            <StudyFields key={`${study} ${reset}`} study={study} settings={settings} onSettings={setSettings} />
          ))}
          <Button
            tone="quiet"
            onClick={() => {
              setSettings(USUAL_STUDIES);
              setReset(reset + 1);
            }}
          >
            {t("chart.usual")}
          </Button>
        </section>
      )}
    </div>
  );
}

/** How long after the last keystroke the parameters are saved. */
const SAVE_DELAY_MS = 500;

/** The parameters as typed; saved shortly after the last change, and when the sheet closes. */
function useDebouncedSettings(saved: StudySettings): [StudySettings, (settings: StudySettings) => void] {
  const [typed, setTyped] = useState<StudySettings | null>(null);
  const timer = useRef(0);
  const save = useEffectEvent(() => {
    if (typed) void savePreferences({ studies: typed });
  });
  useEffect(() => {
    if (!typed) return;
    timer.current = window.setTimeout(() => {
      save();
      setTyped(null);
    }, SAVE_DELAY_MS);
    return () => window.clearTimeout(timer.current);
  }, [typed]);
  useEffect(() => () => save(), []);
  return [typed ?? saved, setTyped];
}
