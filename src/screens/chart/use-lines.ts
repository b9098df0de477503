/** Lets a member draw, move and remove the chart lines of an instrument, and set alerts on them. */
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Alert } from "#contract/alert.ts";
import { MAX_LINES } from "#contract/preference.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { newRequestId } from "#src/gateway/pending-commands.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { alerts, setAlert, useAlerts, withdrawAlert } from "#src/streams/alerts.ts";
import type { AlertOutcome } from "#src/streams/alerts.ts";
import { saveLines, useLines as useSavedLines } from "#src/streams/lines.ts";
import { showFailure } from "#src/streams/serial-queue.ts";
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

/** The lines of an instrument, as a hook. `last` reads the newest price, 0 for none. */
export function useLineEditor({ code, decimals }: Pick<ChartSubject, "code" | "decimals">, last: () => number): LineEditor {
  const { t } = useTranslation();
  const { value: saved, state, retry } = useSavedLines(code);
  const { value: known } = useAlerts();
  const { moving, moveTo, finish, cancel } = useMovingLine(saveMoved);
  const lines = useMemo(() => {
    const shown = (saved ?? []).map((line) => (line.id === moving?.id ? { ...line, price: moving.price } : line));
    return drawnLines(shown, known);
  }, [saved, known, moving]);
  /** The current lines, for responses that arrive later. */
  const newest = useRef(lines);
  useEffect(() => {
    newest.current = lines;
  });
  const save = (next: readonly DrawnLine[]): Promise<Outcome<unknown>> =>
    saveLines(
      code,
      next.map(({ id, price, alertId }) => ({ id, price, alert: alertId })),
    );
  const change: ChangeLine = (id, to) => save(newest.current.map((one) => (one.id === id ? { ...one, ...to } : one)));
  const { attach, detach, withdraw, follow } = useLineAlerts(code, last, change);
  return {
    lines,
    state: saved ? "ready" : state,
    retry,
    add: (price) => {
      if (!saved) showToast(t("chart.lines.failed"), "danger");
      else if (lines.length >= MAX_LINES) showToast(t("refusal.GEN_LIST_FULL", { n: MAX_LINES }), "danger");
      else if (lines.every((line) => line.price !== price)) {
        void save([...lines, { id: newRequestId(), price, alertId: null, alert: null }]);
        showToast(t("chart.lines.drawn", { price: formatPrice(price, decimals) }));
      }
    },
    move: (id, price) => {
      if (lines.find((line) => line.id === id)?.price !== price) moveTo(id, price);
    },
    remove: (id, alertToo) => {
      const line = lines.find((one) => one.id === id);
      cancel(id);
      void save(lines.filter((one) => one.id !== id));
      if (alertToo && line?.alert?.status === "waiting") void withdraw(line.alert);
    },
    watch: async (id, on) => {
      const line = lines.find((one) => one.id === id);
      if (!line) return null;
      if (!on && moving?.id === id) {
        // Saved without an alert at once: no alert is set at the new price first.
        cancel(id);
        return detach(line, { price: line.price });
      }
      finish();
      return on ? attach(line) : detach(line);
    },
  };

  /** Saves the moved line; a waiting alert follows it. */
  async function saveMoved(id: string): Promise<void> {
    const line = lines.find((one) => one.id === id);
    if (!line) return;
    const stored = await change(id, { price: line.price, alertId: null });
    // Otherwise the saved line shows again, with its alert.
    if (stored.ok && line.alert?.status === "waiting") await follow(line, line.alert);
  }
}

/** Steps come in bursts: a moved line is saved once it has not moved for this long. */
const SAVE_DELAY_MS = 600;

/** The line being moved. `onRest` is called once it rests, before another line moves, and when the chart is left. */
function useMovingLine(onRest: (id: string) => Promise<void>) {
  const [moving, setMoving] = useState<{ id: string; price: number } | null>(null);
  const finish = (): void => {
    if (moving) void onRest(moving.id);
    setMoving(null);
  };
  const finishNow = useEffectEvent(finish);
  useEffect(() => {
    if (!moving) return;
    const timer = window.setTimeout(() => finishNow(), SAVE_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [moving]);
  useEffect(() => () => finishNow(), []);
  return {
    moving,
    finish,
    moveTo: (id: string, price: number): void => {
      if (moving && moving.id !== id) void onRest(moving.id);
      setMoving({ id, price });
    },
    /** Forgets where a line was moved to. */
    cancel: (id: string): void => {
      if (moving?.id === id) setMoving(null);
    },
  };
}

/** Saves a line's new price or alert. */
type ChangeLine = (id: string, to: Partial<Pick<DrawnLine, "price" | "alertId">>) => Promise<Outcome<unknown>>;

/** Sets and withdraws the alerts of an instrument's lines. */
function useLineAlerts(code: string, last: () => number, change: ChangeLine) {
  const { t } = useTranslation();
  const errorOf = (outcome: AlertOutcome): string | null => {
    if (outcome.ok || outcome.failed === "expired") return null;
    return outcome.refused ? refusalTextNow(outcome.refused) : t("operation.OP_SAVE_FAIL");
  };
  /** Sets an alert at the line. Returns an error text, or null on success. */
  const attach = async (line: DrawnLine): Promise<string | null> => {
    const id = newRequestId();
    const outcome = await setAlert({ id, code, kind: sideOf(line.price, last()), level: line.price });
    if (outcome.ok) void change(line.id, { alertId: id });
    return errorOf(outcome);
  };
  /** Withdraws the line's alert, and saves the line without it. Returns an error text, or null on success. */
  const detach = async (line: DrawnLine, moved: { price?: number } = {}): Promise<string | null> => {
    const outcome = line.alert?.status === "waiting" ? await withdrawAlert(line.alert.id) : null;
    if (outcome && !outcome.ok) return errorOf(outcome);
    void change(line.id, { ...moved, alertId: null });
    return null;
  };
  /** Withdraws an alert and reports a failure. Returns whether it was withdrawn; null if the member has left. */
  const withdraw = async ({ id }: Alert): Promise<boolean | null> => {
    const outcome = await withdrawAlert(id);
    if (outcome.ok) return true;
    if (outcome.failed === "expired" || outcome.failed === "cancelled") return null;
    showFailure(outcome, t("alert.notWithdrawn"));
    // It may have been withdrawn all the same, or be gone.
    alerts.refetch();
    return false;
  };
  /** Moves a waiting alert to its moved line. If it cannot be withdrawn, the line goes back to it. */
  const follow = async (line: DrawnLine, alert: Alert): Promise<void> => {
    const withdrawn = await withdraw(alert);
    if (withdrawn === false) void change(line.id, { price: alert.level, alertId: alert.id });
    if (withdrawn !== true) return;
    const error = await attach(line);
    if (error !== null) showToast(error, "danger");
  };
  return { attach, detach, withdraw, follow };
}
