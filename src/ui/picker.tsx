/** A choice among several that takes little space: a native select that shows its value. */
import { ChevronDown } from "lucide-react";
import styles from "./picker.module.css";

export interface PickerProps<Value extends string> {
  /** The select's accessible name. */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChoose: (value: Value) => void;
}

/** For a header, where a row of chips would cost the list below it a row. */
export function Picker<Value extends string>({ label, options, value, onChoose }: PickerProps<Value>) {
  return (
    <label className={styles.picker}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen) onChoose(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden />
    </label>
  );
}
