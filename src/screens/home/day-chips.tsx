/** A choice of one number of days, with a visible label. */
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import styles from "./fund.module.css";

interface DayChipsProps<Days extends number> {
  label: string;
  options: readonly Days[];
  value: Days;
  onChoose: (days: Days) => void;
}

export function DayChips<Days extends number>({ label, options, value, onChoose }: DayChipsProps<Days>) {
  return (
    <div>
      <p className={styles.label} aria-hidden>
        {label}
      </p>
      <ChipRow label={label} wraps>
        {options.map((days) => (
          <Chip key={days} pressed={days === value} onPress={() => onChoose(days)}>
            {days}
          </Chip>
        ))}
      </ChipRow>
    </div>
  );
}
