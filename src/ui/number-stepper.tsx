/** A number field between minus and plus keys: typed, stepped by key or arrow, repeated while held. The caller defines a step. */
import { Minus, Plus } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import styles from "./number-stepper.module.css";

const FIRST_REPEAT_MS = 400;
const SLOW_REPEAT_MS = 120;
const FAST_REPEAT_MS = 50;
/** After this many repeats the key repeats fast. */
const SLOW_REPEATS = 8;

export interface NumberStepperProps {
  label: string;
  /** The text in the field, as typed. */
  value: string;
  onType: (text: string) => void;
  /** One step (or ten, for Page keys) up or down. */
  onStep: (direction: 1 | -1, steps: number) => void;
  /** The field took or lost focus: the caller may dock a number pad meanwhile. */
  onEdit?: (editing: boolean) => void;
  /** Enter was pressed. */
  onDone?: () => void;
  error?: string | null | undefined;
  hint?: string | undefined;
  /** `none` suppresses the system keyboard where a NumberPad is docked; hardware keys still work. */
  inputMode?: "none" | "numeric" | "decimal";
  disabled?: boolean;
  /** Keep the label for screen readers only, where the row has no room. */
  labelHidden?: boolean;
}

/** Digits that fit beside the steppers in the usual letters. */
const LONG = 9;

/** The field with its two keys. */
export function NumberStepper({
  label,
  value,
  onType,
  onStep,
  onEdit,
  onDone,
  error,
  hint,
  inputMode = "decimal",
  disabled = false,
  labelHidden = false,
}: NumberStepperProps) {
  const { t } = useTranslation();
  const id = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      onStep(step > 0 ? 1 : -1, Math.abs(step));
    } else if (event.key === "Enter") {
      event.preventDefault();
      onDone?.();
    }
  };
  const described = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean).join(" ");
  return (
    <div className={styles.field} data-label-hidden={labelHidden || undefined}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error ? true : undefined}>
        <HoldKey label={t("ui.decrease", { what: label })} disabled={disabled} onPress={() => onStep(-1, 1)} sign={-1} />
        <input
          id={id}
          className={styles.input}
          inputMode={inputMode}
          autoComplete="off"
          enterKeyHint="done"
          value={value}
          data-long={value.length > LONG || undefined}
          disabled={disabled}
          onChange={(event) => onType(event.currentTarget.value)}
          onFocus={(event) => {
            event.currentTarget.select();
            onEdit?.(true);
          }}
          onBlur={() => onEdit?.(false)}
          onKeyDown={onKeyDown}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        <HoldKey label={t("ui.increase", { what: label })} disabled={disabled} onPress={() => onStep(1, 1)} sign={1} />
      </div>
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface HoldKeyProps {
  label: string;
  sign: 1 | -1;
  disabled: boolean;
  onPress: () => void;
}

/** A key that acts at once and repeats, faster and faster, while it is held. */
function HoldKey({ label, sign, disabled, onPress }: HoldKeyProps) {
  const press = useRef(onPress);
  const timer = useRef(0);
  const held = useRef(false);
  useEffect(() => {
    press.current = onPress;
  });
  const stop = (): void => window.clearTimeout(timer.current);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const repeat = (count: number): void => {
    held.current = true;
    press.current();
    timer.current = window.setTimeout(repeat, count < SLOW_REPEATS ? SLOW_REPEAT_MS : FAST_REPEAT_MS, count + 1);
  };
  const Icon = sign > 0 ? Plus : Minus;
  return (
    <button
      type="button"
      className={styles.key}
      aria-label={label}
      disabled={disabled}
      onPointerDown={() => {
        held.current = false;
        stop();
        timer.current = window.setTimeout(repeat, FIRST_REPEAT_MS, 0);
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => {
        // The click that ends a hold is not another step.
        if (!held.current) onPress();
        held.current = false;
      }}
    >
      <Icon size={20} aria-hidden />
    </button>
  );
}
