/** The fields for exit orders: stop-loss, take-profit and trailing stop; the first to trigger cancels the others. */
import { useTranslation } from "react-i18next";
import { TRIGGERS } from "#contract/order.ts";
import type { TriggerKind } from "#contract/order.ts";
import { tickSize } from "#contract/tick.ts";
import { Switch } from "#src/ui/choice.tsx";
import type { Draft, Ladder } from "./draft.ts";
import { TriggerPrice } from "./trigger-price.tsx";
import styles from "./ticket.module.css";

export interface ExitsProps {
  exits: Draft["exits"];
  ladder: Ladder;
  /** The price exits are compared with. */
  from: number;
  error: string | null;
  onChange: (exits: Draft["exits"]) => void;
}

/** A tick or so is noise: a trailing stop starts this many ticks away. */
const FIRST_DISTANCE_TICKS = 10;

/** One switch per exit, with its price once it is on. */
export function Exits({ exits, ladder, from, error, onChange }: ExitsProps) {
  const { t } = useTranslation();
  const setExit = (kind: TriggerKind, text: string | undefined): void => {
    const { [kind]: _, ...others } = exits;
    onChange(text === undefined ? others : { ...others, [kind]: text });
  };
  return (
    <div className={styles.option}>
      <h3>{t("ticket.exitsTitle")}</h3>
      {TRIGGERS.map((kind) => {
        const text = exits[kind];
        return (
          <div key={kind}>
            <Switch label={t(`ticket.exit.${kind}`)} on={text !== undefined} onSwitch={(on) => setExit(kind, on ? "" : undefined)} />
            {text !== undefined && (
              <TriggerPrice
                label={t(kind === "trailing" ? "ticket.distance" : "ticket.triggerPrice")}
                text={text}
                ladder={ladder}
                from={kind === "trailing" ? tickSize(ladder.kind, from) * FIRST_DISTANCE_TICKS : from}
                distance={kind === "trailing" ? tickSize(ladder.kind, from) : undefined}
                error={null}
                onText={(next) => setExit(kind, next)}
              />
            )}
          </div>
        );
      })}
      {error && (
        <p className={styles.problem} role="alert">
          {error}
        </p>
      )}
      <p className={styles.hint}>{t("ticket.exitsWhy")}</p>
    </div>
  );
}
