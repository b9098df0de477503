/** Buttons, and links that look like buttons: one tone per meaning, at least 44 px, busy without losing focus. */
import { LoaderCircle } from "lucide-react";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { Link } from "./link.tsx";
import type { Path } from "#src/paths.ts";
import { useTranslation } from "react-i18next";
import { Hidden } from "./hidden.tsx";
import styles from "./button.module.css";

/** `up` and `down` follow the colour convention and are for trading only; `danger` is for destructive actions. */
export type ButtonTone = "primary" | "secondary" | "up" | "down" | "danger" | "quiet";

interface Look {
  tone?: ButtonTone;
  /** `large` is the one primary action of a screen (52 px). */
  size?: "regular" | "large";
  /** As wide as its container. */
  block?: boolean;
  icon?: ReactNode;
}

export interface ButtonProps extends Look, Omit<ComponentPropsWithRef<"button">, "className"> {
  /** An action is in progress: presses are ignored, focus stays. */
  busy?: boolean;
}

/** A button. While busy it ignores presses, keeps focus and announces its state. */
export function Button({
  tone = "secondary",
  size = "regular",
  block = false,
  busy = false,
  icon,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      {...rest}
      className={styles.button}
      data-tone={tone}
      data-size={size}
      data-block={block || undefined}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <LoaderCircle className={styles.spin} size={20} aria-hidden /> : icon}
      <span className={styles.label}>{children}</span>
      {busy && <Hidden>{t("ui.busy")}</Hidden>}
    </button>
  );
}

export interface ButtonLinkProps extends Look {
  to: Path;
  state?: unknown;
  replace?: boolean;
  children: ReactNode;
}

/** A link to a route that looks like a button. */
export function ButtonLink({
  tone = "secondary",
  size = "regular",
  block = false,
  icon,
  to,
  state,
  replace = false,
  children,
}: ButtonLinkProps) {
  return (
    <Link
      to={to}
      state={state}
      replace={replace}
      className={styles.button ?? ""}
      data-tone={tone}
      data-size={size}
      data-block={block || undefined}
    >
      {icon}
      <span className={styles.label}>{children}</span>
    </Link>
  );
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "className" | "children"> {
  /** The accessible name, since the icon has none. */
  label: string;
  icon: ReactNode;
  /** Whether a toggle is on (a star, a mute); omit for plain actions. */
  pressed?: boolean;
}

/** A 44 px square icon button. */
export function IconButton({ label, icon, pressed, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={styles.icon} aria-label={label} title={label} aria-pressed={pressed}>
      {icon}
    </button>
  );
}
