/** What shall close a position by itself: a stop-loss, a take-profit price, a trailing stop; the first to come true cancels the others. */
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
  /** The price they are set against. */
  from: number;
  error: string | null;
  onChange: (exits: Draft["exits"]) => void;
}

/** A tick or so away is noise: a trailing stop begins this many ticks off. */
const FIRST_DISTANCE_TICKS = 10;

/** A switch each, with its price once it is on. */
export function Exits({ exits, ladder, from, error, onChange }: ExitsProps) {
  const { t } = useTranslation();
  const put = (kind: TriggerKind, text: string | undefined): void => {
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
            <Switch label={t(`ticket.exit.${kind}`)} on={text !== undefined} onSwitch={(on) => put(kind, on ? "" : undefined)} />
            {text !== undefined && (
              <TriggerPrice
                label={t(kind === "trailing" ? "ticket.distance" : "ticket.triggerPrice")}
                text={text}
                ladder={ladder}
                from={kind === "trailing" ? tickSize(ladder.kind, from) * FIRST_DISTANCE_TICKS : from}
                distance={kind === "trailing" ? tickSize(ladder.kind, from) : undefined}
                error={null}
                onText={(next) => put(kind, next)}
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
