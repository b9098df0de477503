/** A choice of currency with its name, as a labelled native select. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CURRENCIES } from "#contract/kernel/currency.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import styles from "./money.module.css";

export interface CurrencyFieldProps {
  label: string;
  value: Currency;
  onChoose: (currency: Currency) => void;
  /** The translated error; null when there is none. */
  error?: string | null;
  hint?: string;
}

export function CurrencyField({ label, value, onChoose, error = null, hint }: CurrencyFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : `${id}-error`}
        onChange={(event) => {
          const chosen = CURRENCIES.find((currency) => currency === event.currentTarget.value);
          if (chosen) onChoose(chosen);
        }}
      >
        {CURRENCIES.map((currency) => (
          <option key={currency} value={currency}>
            {currency} · {t(`wallet.currency.${currency}`)}
          </option>
        ))}
      </select>
      {error !== null && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </div>
  );
}
