/** Choices among few options: segmented bar, radio list, chip, switch and checkbox, built on native inputs and buttons. */
import { useId } from "react";
import type { ReactNode } from "react";
import { Check } from "lucide-react";
import styles from "./choice.module.css";

export interface Option<Value extends string> {
  value: Value;
  label: string;
  /** The language of the label, where it is not that of the page. */
  lang?: string;
  /** Colours the chosen segment; for trading directions only. */
  tone?: "up" | "down";
  hint?: string;
  disabled?: boolean;
}

interface OneOf<Value extends string> {
  /** The group's accessible name. */
  label: string;
  options: readonly Option<Value>[];
  value: Value | null;
  onChoose: (value: Value) => void;
}

/** A bar of two to four segments; arrow keys move the choice. */
export function Segmented<Value extends string>({ label, options, value, onChoose }: OneOf<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.segmented} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.segment} data-tone={option.tone}>
          <input
            type="radio"
            className={styles.radio}
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChoose(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A list of radio rows. */
export function RadioList<Value extends string>({ label, options, value, onChoose }: OneOf<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.list} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.row}>
          <input
            type="radio"
            className={styles.radio}
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChoose(option.value)}
          />
          <span className={styles.text}>
            <span lang={option.lang}>{option.label}</span>
            {option.hint && <span className={styles.hint}>{option.hint}</span>}
          </span>
          <Check className={styles.check} size={20} aria-hidden />
        </label>
      ))}
    </fieldset>
  );
}

/** A pill-shaped toggle or action. */
export function Chip({ pressed, onPress, children }: { pressed?: boolean; onPress: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.chip} aria-pressed={pressed} onClick={onPress}>
      {children}
    </button>
  );
}

interface ChipRowProps {
  label: string;
  inset?: boolean;
  wraps?: boolean;
  children: ReactNode;
}

/** Chips in one line that scrolls sideways, from edge to edge of the screen; `inset` keeps it within its container, and so does `wraps`, in more lines. */
export function ChipRow({ label, inset = false, wraps = false, children }: ChipRowProps) {
  return (
    <div className={styles.chips} role="group" aria-label={label} data-inset={inset || wraps || undefined} data-wraps={wraps || undefined}>
      {children}
    </div>
  );
}

/** An on/off setting that takes effect at once. */
export function Switch({
  label,
  hint,
  on,
  onSwitch,
  disabled = false,
}: {
  label: string;
  hint?: string;
  on: boolean;
  onSwitch: (on: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label className={styles.row}>
      <span className={styles.text}>
        {label}
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={on}
        disabled={disabled}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
    </label>
  );
}

/** A checkbox with its label beside it. */
export function Checkbox({ label, on, onCheck }: { label: ReactNode; on: boolean; onCheck: (on: boolean) => void }) {
  return (
    <label className={styles.checkbox}>
      <input type="checkbox" className={styles.tickbox} checked={on} onChange={(event) => onCheck(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
