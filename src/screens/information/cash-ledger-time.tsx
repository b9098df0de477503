/** Time filter of the cash ledger: common ranges, or two dates. */
import { useTranslation } from "react-i18next";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { backwards, PERIODS, timeRangeOf } from "./cash-ledger-period.ts";
import type { Period, TimeRange } from "./cash-ledger-period.ts";
import styles from "./information.module.css";

export interface Time {
  period: Period;
  /** The texts of the date fields. */
  first: string;
  last: string;
  range: TimeRange;
}

export const ALL_TIME: Time = { period: "all", first: "", last: "", range: { from: null, until: null } };

type Chosen = Partial<Omit<Time, "range">>;

/** Apply a choice and compute its range now. */
function withChoice(time: Time, part: Chosen): Time {
  const next = { ...time, ...part };
  return { ...next, range: timeRangeOf(next.period, next.first, next.last, Date.now()) };
}

export function CashLedgerTime({ time, onChoose }: { time: Time; onChoose: (time: Time) => void }) {
  const { t } = useTranslation();
  const choose = (part: Chosen): void => onChoose(withChoice(time, part));
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
            error={backwards(time.range) ? t("information.flow.backwards") : null}
            onText={(last) => choose({ last })}
          />
        </div>
      )}
    </>
  );
}
