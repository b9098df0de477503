/** A labelled input bound to its error and hint. */
import { Eye, EyeOff } from "lucide-react";
import { useId, useState } from "react";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button.tsx";
import styles from "./text-field.module.css";

export interface TextFieldProps extends Omit<ComponentPropsWithRef<"input">, "className" | "id" | "onChange" | "value"> {
  label: string;
  value: string;
  /** Called with the new text. */
  onText: (text: string) => void;
  /** The translated error; null or absent when there is none. */
  error?: string | null | undefined;
  hint?: string | undefined;
  /** Shown inside, at the end. */
  end?: ReactNode;
}

/** A text input with its label above and its error below. A password gets a show/hide button. */
export function TextField({ label, value, onText, error, hint, end, type = "text", ...rest }: TextFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [shown, setShown] = useState(false);
  const secret = type === "password";
  const described = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error ? true : undefined}>
        <input
          {...rest}
          id={id}
          className={styles.input}
          type={secret && shown ? "text" : type}
          value={value}
          onChange={(event) => onText(event.currentTarget.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        {secret && (
          <IconButton
            label={shown ? t("ui.hidePassword") : t("ui.showPassword")}
            icon={shown ? <EyeOff size={20} aria-hidden /> : <Eye size={20} aria-hidden />}
            onClick={() => setShown(!shown)}
          />
        )}
        {end}
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
