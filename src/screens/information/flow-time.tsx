/** From when until when: a few usual stretches, or two dates of one's own. */
import { useTranslation } from "react-i18next";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { backwards, PERIODS, stretchOf } from "./flow-period.ts";
import type { Period, Stretch } from "./flow-period.ts";
import styles from "./information.module.css";

export interface Time {
  period: Period;
  /** What stands in the date fields. */
  first: string;
  last: string;
  stretch: Stretch;
}

export const ALL_TIME: Time = { period: "all", first: "", last: "", stretch: { from: null, until: null } };

type Chosen = Partial<Omit<Time, "stretch">>;

/** Another choice, and what it means at this moment. */
function chosen(time: Time, part: Chosen): Time {
  const next = { ...time, ...part };
  return { ...next, stretch: stretchOf(next.period, next.first, next.last, Date.now()) };
}

export function FlowTime({ time, onChoose }: { time: Time; onChoose: (time: Time) => void }) {
  const { t } = useTranslation();
  const choose = (part: Chosen): void => onChoose(chosen(time, part));
  return (
    <>
      <ChipRow label={t("information.flow.time")}>
        {PERIODS.map((period) => (
          <Chip key={period} pressed={time.period === period} onPress={() => choose({ period })}>
            {t(`information.flow.period.${period}`)}
          </Chip>
        ))}
      </ChipRow>
      {time.period === "own" && (
        <div className={styles.dates}>
          <TextField label={t("information.flow.from")} type="date" value={time.first} onText={(first) => choose({ first })} />
          <TextField
            label={t("information.flow.until")}
            type="date"
            value={time.last}
            error={backwards(time.stretch) ? t("information.flow.backwards") : null}
            onText={(last) => choose({ last })}
          />
        </div>
      )}
    </>
  );
}
