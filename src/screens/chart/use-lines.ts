/** Lets a member draw, move and remove the chart lines of an instrument, and set alerts on them. */
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { MAX_LINES } from "#contract/preference.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { newRequestId } from "#src/gateway/pending-commands.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { setAlert, useAlerts, withdrawAlert } from "#src/streams/alerts.ts";
import type { AlertOutcome } from "#src/streams/alerts.ts";
import { saveLines, useLines as useSavedLines } from "#src/streams/lines.ts";
import { drawnLines, sideOf } from "./line.ts";
import type { DrawnLine } from "./line.ts";
import type { ChartSubject } from "./chart-spec.ts";

export interface LineEditor {
  lines: readonly DrawnLine[];
  /** `failed` when the lines could not be loaded: then they cannot be changed either. */
  state: "loading" | "ready" | "failed";
  /** Loads them again. */
  retry: () => void;
  /** Adds a line; shows a toast when the list is full. */
  add: (price: number) => void;
  /** Moves a line, together with its waiting alert. */
  move: (id: string, price: number) => void;
  /** Removes a line, and its alert too if `withdraw`. */
  remove: (id: string, withdraw: boolean) => void;
  /** Sets or withdraws the line's alert. Resolves to an error text, or null on success. */
  watch: (id: string, on: boolean) => Promise<string | null>;
}

/** Steps come in bursts: a moved line is saved once it has not moved for this long. */
const SAVE_DELAY_MS = 600;

/** The lines of an instrument, as a hook. `last` reads the newest price, 0 for none. */
export function useLineEditor({ code, decimals }: Pick<ChartSubject, "code" | "decimals">, last: () => number): LineEditor {
  const { t } = useTranslation();
  const { value: saved, state, retry } = useSavedLines(code);
  const { value: alerts } = useAlerts();
  const [moving, setMoving] = useState<{ id: string; price: number } | null>(null);
  const lines = useMemo(() => {
    const shown = (saved ?? []).map((line) => (line.id === moving?.id ? { ...line, price: moving.price } : line));
    return drawnLines(shown, alerts);
  }, [saved, alerts, moving]);
  /** The current lines, for responses that arrive later. */
  const newest = useRef(lines);
  useEffect(() => {
    newest.current = lines;
  });
  const save = (next: readonly DrawnLine[]): void => {
    void saveLines(
      code,
      next.map(({ id, price, alertId }) => ({ id, price, alert: alertId })),
    );
  };
  const wrong = (outcome: AlertOutcome): string | null => {
    if (outcome.ok || outcome.failed === "expired") return null;
    return outcome.refused ? refusalTextNow(outcome.refused) : t("operation.OP_SAVE_FAIL");
  };
  const storeAlertId = (line: Pick<DrawnLine, "id">, alertId: string | null): void =>
    save(newest.current.map((one) => (one.id === line.id ? { ...one, alertId } : one)));
  /** Sets an alert on the line and stores its id with the line. */
  const attachAlert = async (line: DrawnLine): Promise<string | null> => {
    const id = newRequestId();
    const outcome = await setAlert({ id, code, kind: sideOf(line.price, last()), level: line.price });
    if (!outcome.ok) return wrong(outcome);
    storeAlertId(line, id);
    return null;
  };
  /** Saves the moved line; a waiting alert is withdrawn and set again at the new price. */
  const saveMoved = (): void => {
    const line = moving && lines.find(({ id }) => id === moving.id);
    if (!line) return;
    const waiting = line.alert?.status === "waiting" ? line.alert : null;
    save(lines.map((one) => (one.id === line.id ? { ...line, alertId: null } : one)));
    if (!waiting) return;
    void withdrawAlert(waiting.id)
      .then(() => attachAlert(line))
      .then((why) => why !== null && showToast(why, "danger"));
  };
  const saveMovedNow = useEffectEvent(() => saveMoved());
  useEffect(() => {
    if (!moving) return;
    const timer = window.setTimeout(() => {
      saveMovedNow();
      setMoving(null);
    }, SAVE_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [moving]);
  useEffect(() => () => saveMovedNow(), []);
  const finishMove = (): void => {
    saveMoved();
    setMoving(null);
  };
  return {
    lines,
    state: saved ? "ready" : state,
    retry,
    add: (price) => {
      if (!saved) showToast(t("chart.lines.failed"), "danger");
      else if (lines.length >= MAX_LINES) showToast(t("refusal.GEN_LIST_FULL", { n: MAX_LINES }), "danger");
      else if (lines.every((line) => line.price !== price)) {
        save([...lines, { id: newRequestId(), price, alertId: null, alert: null }]);
        showToast(t("chart.lines.drawn", { price: formatPrice(price, decimals) }));
      }
    },
    move: (id, price) => {
      if (lines.find((line) => line.id === id)?.price === price) return;
      if (moving && moving.id !== id) saveMoved();
      setMoving({ id, price });
    },
    remove: (id, withdraw) => {
      const line = lines.find((one) => one.id === id);
      if (moving?.id === id) setMoving(null);
      save(lines.filter((one) => one.id !== id));
      if (withdraw && line?.alert?.status === "waiting") void withdrawAlert(line.alert.id);
    },
    watch: async (id, on) => {
      const line = lines.find((one) => one.id === id);
      if (!line) return null;
      finishMove();
      if (on) return attachAlert(line);
      const outcome = line.alert?.status === "waiting" ? await withdrawAlert(line.alert.id) : null;
      if (outcome && !outcome.ok) return wrong(outcome);
      storeAlertId(line, null);
      return null;
    },
  };
}
