/** What a member can do with the lines of an instrument: draw, move and take them away, and have them watched. */
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { MAX_LINES } from "#contract/preference.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { newRequestId } from "#src/gateway/pending-commands.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { setAlert, useAlerts, withdrawAlert } from "#src/streams/alerts.ts";
import type { AlertOutcome } from "#src/streams/alerts.ts";
import { saveLines, useLines as useKeptLines } from "#src/streams/lines.ts";
import { drawnLines, sideOf } from "./line.ts";
import type { DrawnLine } from "./line.ts";
import type { ChartSubject } from "./use-chart.ts";

export interface LineEditor {
  lines: readonly DrawnLine[];
  /** `failed` when they could not be read: then none can be changed either. */
  state: "loading" | "ready" | "failed";
  /** Read them again. */
  retry: () => void;
  /** Draw a line; says so when there is no room for one more. */
  add: (price: number) => void;
  /** Move a line; an alert that waits goes along. */
  move: (id: string, price: number) => void;
  /** Take a line away, and its alert with it if wanted. */
  remove: (id: string, withdraw: boolean) => void;
  /** Have the line watched, or no longer. Resolves to what went wrong, in words; null when nothing did. */
  watch: (id: string, on: boolean) => Promise<string | null>;
}

/** Steps come in bursts: a line is kept where it rests, once it has rested this long. */
const REST_MS = 600;

/** The lines of an instrument, in a component. `last` reads the newest price, 0 for none. */
export function useLineEditor({ code, decimals }: Pick<ChartSubject, "code" | "decimals">, last: () => number): LineEditor {
  const { t } = useTranslation();
  const { value: kept, state, retry } = useKeptLines(code);
  const { value: alerts } = useAlerts();
  const [moving, setMoving] = useState<{ id: string; price: number } | null>(null);
  const lines = useMemo(() => {
    const shown = (kept ?? []).map((line) => (line.id === moving?.id ? { ...line, price: moving.price } : line));
    return drawnLines(shown, alerts);
  }, [kept, alerts, moving]);
  /** As they are now, for what an answer changes that was long on its way. */
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
  const tieTo = (line: Pick<DrawnLine, "id">, alertId: string | null): void =>
    save(newest.current.map((one) => (one.id === line.id ? { ...one, alertId } : one)));
  /** Sets an alert on the line and ties it to it. */
  const tie = async (line: DrawnLine): Promise<string | null> => {
    const id = newRequestId();
    const outcome = await setAlert({ id, code, kind: sideOf(line.price, last()), level: line.price });
    if (!outcome.ok) return wrong(outcome);
    tieTo(line, id);
    return null;
  };
  /** What was moved is kept there; an alert that waits is set anew. */
  const rest = (): void => {
    const line = moving && lines.find(({ id }) => id === moving.id);
    if (!line) return;
    const waiting = line.alert?.status === "waiting" ? line.alert : null;
    save(lines.map((one) => (one.id === line.id ? { ...line, alertId: null } : one)));
    if (!waiting) return;
    void withdrawAlert(waiting.id)
      .then(() => tie(line))
      .then((why) => why !== null && showToast(why, "danger"));
  };
  const restNow = useEffectEvent(() => rest());
  useEffect(() => {
    if (!moving) return;
    const timer = window.setTimeout(() => {
      restNow();
      setMoving(null);
    }, REST_MS);
    return () => window.clearTimeout(timer);
  }, [moving]);
  useEffect(() => () => restNow(), []);
  const settle = (): void => {
    rest();
    setMoving(null);
  };
  return {
    lines,
    state: kept ? "ready" : state,
    retry,
    add: (price) => {
      if (!kept) showToast(t("chart.lines.failed"), "danger");
      else if (lines.length >= MAX_LINES) showToast(t("refusal.GEN_LIST_FULL", { n: MAX_LINES }), "danger");
      else if (lines.every((line) => line.price !== price)) {
        save([...lines, { id: newRequestId(), price, alertId: null, alert: null }]);
        showToast(t("chart.lines.drawn", { price: formatPrice(price, decimals) }));
      }
    },
    move: (id, price) => {
      if (lines.find((line) => line.id === id)?.price === price) return;
      if (moving && moving.id !== id) rest();
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
      settle();
      if (on) return tie(line);
      const outcome = line.alert?.status === "waiting" ? await withdrawAlert(line.alert.id) : null;
      if (outcome && !outcome.ok) return wrong(outcome);
      tieTo(line, null);
      return null;
    },
  };
}
