/** The load lab's settings: data volume, update rate and what is shown. */
import { useTranslation } from "react-i18next";
import type { LoadSettings } from "#src/streams/worker.ts";
import { Segmented, Switch } from "#src/ui/choice.tsx";
import styles from "./load.module.css";

/** Every setting. */
export interface LoadChoice extends LoadSettings {
  flash: boolean;
  show: "list" | "chart";
}

export const DEFAULT_LOAD: LoadChoice = { rows: 2_000, categories: 53, updatesPerSecond: 2_000, flash: true, show: "list" };

const ROWS = [500, 2_000, 20_000] as const;
const CATEGORIES = [1, 53, 200] as const;
const UPDATES = [200, 2_000, 10_000] as const;

interface LoadControlsProps {
  choice: LoadChoice;
  /** Whether the chart can be shown. */
  chartable: boolean;
  onChoose: (change: Partial<LoadChoice>) => void;
}

function Numbers({ label, of, value, onChoose }: { label: string; of: readonly number[]; value: number; onChoose: (n: number) => void }) {
  return (
    <div className={styles.setting}>
      <p className={styles.label}>{label}</p>
      <Segmented
        label={label}
        options={of.map((n) => ({ value: String(n), label: String(n) }))}
        value={String(value)}
        onChoose={(n) => onChoose(Number(n))}
      />
    </div>
  );
}

/** The controls; each takes effect at once. */
export function LoadControls({ choice, chartable, onChoose }: LoadControlsProps) {
  const { t } = useTranslation();
  const { rows, categories, updatesPerSecond, flash, show } = choice;
  return (
    <div className={styles.settings}>
      <Numbers label={t("load.rows")} of={ROWS} value={rows} onChoose={(n) => onChoose({ rows: n })} />
      <Numbers label={t("load.categories")} of={CATEGORIES} value={categories} onChoose={(n) => onChoose({ categories: n })} />
      <Numbers label={t("load.updates")} of={UPDATES} value={updatesPerSecond} onChoose={(n) => onChoose({ updatesPerSecond: n })} />
      <div className={styles.setting}>
        <p className={styles.label}>{t("load.show")}</p>
        <Segmented
          label={t("load.show")}
          options={[
            { value: "list", label: t("load.list") },
            { value: "chart", label: t("load.chart"), disabled: !chartable },
          ]}
          value={show}
          onChoose={(value) => onChoose({ show: value })}
        />
      </div>
      <Switch label={t("load.flash")} on={flash} onSwitch={(on) => onChoose({ flash: on })} />
    </div>
  );
}
