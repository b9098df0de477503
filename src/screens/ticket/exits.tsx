/** The fields for exit orders: stop-loss, take-profit and trailing stop; the first to trigger cancels the others. */
import { useTranslation } from "react-i18next";
import { TRIGGERS } from "#contract/order.ts";
import type { Direction, TriggerKind } from "#contract/order.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import { Switch } from "#src/ui/choice.tsx";
import type { Draft, Ladder } from "./draft.ts";
import { TriggerPrice } from "./trigger-price.tsx";
import styles from "./ticket.module.css";

export interface ExitsProps {
  exits: Draft["exits"];
  /** Of the position they close. */
  direction: Direction;
  ladder: Ladder;
  /** The price exits are compared with. */
  from: number;
  error: string | null;
  onChange: (exits: Draft["exits"]) => void;
}

/** A tick or so is noise: a trailing stop starts this many ticks away. */
const FIRST_DISTANCE_TICKS = 10;

/** How far from the price a stop-loss or take-profit starts, in percent. */
const FIRST_PERCENT = 5;

/** The first price of an exit order that is switched on, so that it never starts empty; empty only while no price is known. */
export function firstExit(kind: TriggerKind, direction: Direction, from: number, ladder: Ladder): string {
  if (from <= 0) return "";
  if (kind === "trailing") return typedPrice(tickSize(ladder.kind, from) * FIRST_DISTANCE_TICKS, ladder.decimals);
  const up = (kind === "takeProfit") === (direction === "rise");
  return typedPrice(toTick(ladder.kind, (from * (100 + (up ? FIRST_PERCENT : -FIRST_PERCENT))) / 100), ladder.decimals);
}

/** One switch per exit, with its price once it is on. */
export function Exits({ exits, direction, ladder, from, error, onChange }: ExitsProps) {
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
            <Switch
              label={t(`ticket.exit.${kind}`)}
              on={text !== undefined}
              onSwitch={(on) => setExit(kind, on ? firstExit(kind, direction, from, ladder) : undefined)}
            />
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
