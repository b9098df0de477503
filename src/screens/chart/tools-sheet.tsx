/** The chart's settings sheet: studies and their parameters, price adjustment, comparison, and links to the lines and the table. */
import { ChartSpline, PencilLine, Table2 } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADJUSTMENTS } from "#contract/corporate-action.ts";
import { MAIN_STUDIES, SUB_STUDIES } from "#contract/preference.ts";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import type { Preferences, StudySettings } from "#contract/preference.ts";
import { savePreferences } from "#src/streams/preferences.ts";
import { Button } from "#src/ui/button.tsx";
import { Chip, Segmented } from "#src/ui/choice.tsx";
import { List, Row } from "#src/ui/row.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { StudyFields } from "./study-fields.tsx";
import { MAX_SUBS, toggled } from "./study-form.ts";
import type { Study } from "./study-form.ts";
import styles from "./tools.module.css";

interface ToolsSheetProps {
  open: boolean;
  onClose: () => void;
  preferences: Preferences;
  /** The intraday line has the average price over it instead of the chosen study. */
  line: boolean;
  /** The name of what it is compared with; null for nothing. */
  compared: string | null;
  onCompare: () => void;
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

function Tools({ preferences, line, compared, onCompare, lines, onLines, onTable }: Omit<ToolsSheetProps, "open" | "onClose">) {
  const { t } = useTranslation();
  const { main, sub, adjustment } = preferences;
  const [settings, setSettings] = useDebouncedSettings(preferences.studies);
  const chosen = [...(main ? [main] : []), ...sub];
  return (
    <div className={styles.tools}>
      <StudyChips
        part="main"
        studies={MAIN_STUDIES}
        isOn={(study) => main === study}
        onPress={(study) => void savePreferences({ main: main === study ? null : study })}
        hint={line ? t("chart.mainOverLine") : null}
      />
      <StudyChips
        part="sub"
        studies={SUB_STUDIES}
        isOn={(study) => sub.includes(study)}
        onPress={(study) => void savePreferences({ sub: toggled(sub, study) })}
        hint={t("chart.subMost", { n: MAX_SUBS })}
      />
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
        <List>
          <Row
            title={t("chart.comparison.title")}
            subtitle={compared ?? t("chart.comparison.off")}
            leading={<ChartSpline size={20} aria-hidden />}
            compact
            onPress={onCompare}
          />
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
      {chosen.length > 0 && <StudyParameters studies={chosen} settings={settings} onSettings={setSettings} />}
    </div>
  );
}

interface StudyChipsProps<One extends Study> {
  /** Over the prices, or in panes below them. */
  part: "main" | "sub";
  studies: readonly One[];
  isOn: (study: One) => boolean;
  onPress: (study: One) => void;
  hint: string | null;
}

/** Studies to choose from. */
function StudyChips<One extends Study>({ part, studies, isOn, onPress, hint }: StudyChipsProps<One>) {
  const { t } = useTranslation();
  const id = `chart-${part}`;
  const nameOf = (study: Study): string => t(`chart.study.${study}`);
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h3 id={id}>{t(`chart.${part}`)}</h3>
      <div className={styles.chips} role="group" aria-labelledby={id}>
        {studies.map((study) => (
          <Chip key={study} pressed={isOn(study)} onPress={() => onPress(study)}>
            {nameOf(study)}
          </Chip>
        ))}
      </div>
      {hint !== null && <p className={styles.hint}>{hint}</p>}
    </section>
  );
}

interface StudyParametersProps {
  studies: readonly Study[];
  settings: StudySettings;
  onSettings: (settings: StudySettings) => void;
}

/** The parameters of the chosen studies, and a button that restores the usual ones. */
function StudyParameters({ studies, settings, onSettings }: StudyParametersProps) {
  const { t } = useTranslation();
  // The fields keep what is typed; a new key makes them read the settings again.
  const [reset, setReset] = useState(0);
  return (
    <section className={styles.part} aria-labelledby="chart-parameters">
      <h3 id="chart-parameters">{t("chart.parameters")}</h3>
      {studies.map((study) => (
        <StudyFields key={`${study} ${reset}`} study={study} settings={settings} onSettings={onSettings} />
      ))}
      <Button
        tone="quiet"
        onClick={() => {
          onSettings(USUAL_STUDIES);
          setReset(reset + 1);
        }}
      >
        {t("chart.usual")}
      </Button>
    </section>
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
