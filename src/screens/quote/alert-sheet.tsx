/** The price alert sheet of one instrument: a form for a new alert, and the list of waiting ones. */
import { newRequestId } from "#src/gateway/pending-commands.ts";
import { Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { alertDue } from "#contract/alert.ts";
import type { AlertKind, PriceRange } from "#contract/alert.ts";
import { volumeUnit } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { alertCondition } from "#src/actors/alert-words.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { haptic } from "#src/gateway/shell.ts";
import { setAlert, useAlerts } from "#src/streams/alerts.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { Button, ButtonLink, IconButton } from "#src/ui/button.tsx";
import { Chip } from "#src/ui/choice.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { alertKinds, parseLevel, steppedLevel, typedLevel, usualLevel } from "./alert-draft.ts";
import { useCalmQuote } from "./calm-quote.ts";
import { fullName } from "./names.ts";
import { useAlertWithdrawal } from "./use-alert-withdrawal.ts";
import styles from "./alert-sheet.module.css";

export interface AlertSheetProps {
  instrument: Instrument;
  open: boolean;
  onClose: () => void;
}

/** A new alert, and this instrument's waiting ones. Remounted each time it opens, so that it starts at the current price. */
export function AlertSheet({ instrument, open, onClose }: AlertSheetProps) {
  const { t } = useTranslation();
  const { code } = instrument;
  const title = (
    <>
      {t("alert.of", { code })} · <QuoteCell code={code} field="last" /> <QuoteCell code={code} field="percent" className={styles.small} />
    </>
  );
  return (
    <Sheet open={open} onClose={onClose} title={title}>
      <AlertForm instrument={instrument} onSet={onClose} />
      <Waiting instrument={instrument} />
    </Sheet>
  );
}

interface Draft {
  kind: AlertKind;
  text: string;
}

/** Why an alert was not set. */
interface FormError {
  /** At the level field, or for the whole form. */
  at: "level" | "form";
  text: string;
}

/** Sets one alert, which keeps its id across retries, so that it is never set twice; `renew` starts another. */
function useSetAlert() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const id = useRef("");
  const set = async (alert: { code: string; kind: AlertKind; level: number }): Promise<FormError | null> => {
    id.current ||= newRequestId();
    setBusy(true);
    const outcome = await setAlert({ id: id.current, ...alert });
    setBusy(false);
    if (outcome.ok) return null;
    if (!outcome.refused) return { at: "form", text: t("alert.notSet") };
    const atLevel = outcome.refused.code === "VAL_ALERT_LEVEL" || outcome.refused.code === "VAL_ALERT_REACHED";
    return { at: atLevel ? "level" : "form", text: refusalTextNow(outcome.refused) };
  };
  const renew = (): void => {
    id.current = "";
  };
  return { busy, set, renew };
}

/** The form, once a price is known to start at. */
function AlertForm({ instrument, onSet }: { instrument: Instrument; onSet: () => void }) {
  const quote = useCalmQuote(instrument.code)?.quote ?? null;
  const [first, setFirst] = useState<PriceRange | null>(null);
  const skeleton = useSkeleton(first === null);
  // Taken once: a live price never changes a field.
  if (first === null && quote) setFirst(quote);
  if (first === null) return skeleton && <Skeleton shape="text" rows={4} />;
  return <NewAlert instrument={instrument} first={first} quote={quote} onSet={onSet} />;
}

/** A draft at the usual distance from a price. */
const usualDraft = (kind: AlertKind, instrument: Instrument, range: PriceRange): Draft => ({
  kind,
  text: typedLevel(kind, usualLevel(kind, instrument, range), instrument.decimals),
});

interface NewAlertProps {
  instrument: Instrument;
  /** The price the level starts at. */
  first: PriceRange;
  /** The price now, which the level must not have reached. */
  quote: PriceRange | null;
  onSet: () => void;
}

function NewAlert({ instrument, first, quote, onSet }: NewAlertProps) {
  const { t } = useTranslation();
  const { code, decimals } = instrument;
  const [draft, setDraft] = useState(() => usualDraft("above", instrument, first));
  const [error, setError] = useState<FormError | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const { busy, set, renew } = useSetAlert();
  const level = parseLevel(draft.kind, draft.text);
  const reached = level !== null && quote !== null && alertDue({ kind: draft.kind, level }, quote);
  const wrong = reached ? t("refusal.VAL_ALERT_REACHED") : null;
  const change = (next: Draft): void => {
    renew();
    setError(null);
    setDraft(next);
  };
  const refuse = (next: FormError): void => {
    setError(next);
    if (next.at === "level") form.current?.querySelector("input")?.focus();
  };
  const submit = async (): Promise<void> => {
    if (busy) return;
    if (level === null || level === 0) return refuse({ at: "level", text: t("refusal.VAL_ALERT_LEVEL") });
    if (wrong !== null) return refuse({ at: "level", text: wrong });
    const refused = await set({ code, kind: draft.kind, level });
    if (refused) return refuse(refused);
    haptic("success");
    showToast(t("alert.set"), "success");
    onSet();
  };
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <KindChips instrument={instrument} kind={draft.kind} onChoose={(kind) => quote && change(usualDraft(kind, instrument, quote))} />
      <NumberStepper
        label={t(`alert.level.${draft.kind}`, { unit: t(`market.unit.${volumeUnit(instrument)}`) })}
        value={draft.text}
        inputMode={draft.kind === "volume" ? "numeric" : "decimal"}
        error={error?.at === "level" ? error.text : wrong}
        hint={t("alert.once")}
        onType={(text) => change({ ...draft, text })}
        onStep={(by, steps) => {
          haptic("tick");
          const next = steppedLevel(draft.kind, level ?? 0, instrument, by, steps);
          change({ ...draft, text: typedLevel(draft.kind, next, decimals) });
        }}
        onDone={() => void submit()}
      />
      {error?.at === "form" && (
        <p className={styles.trouble} role="alert">
          {error.text}
        </p>
      )}
      <Button type="submit" tone="primary" size="large" block busy={busy}>
        {t("alert.setIt")}
      </Button>
    </form>
  );
}

/** What the alert waits for. */
function KindChips({ instrument, kind, onChoose }: { instrument: Instrument; kind: AlertKind; onChoose: (kind: AlertKind) => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.kinds} role="group" aria-label={t("alert.when")}>
      {alertKinds(instrument).map((one) => (
        <Chip key={one} pressed={one === kind} onPress={() => one !== kind && onChoose(one)}>
          {t(`alert.kind.${one}`)}
        </Chip>
      ))}
    </div>
  );
}

/** The waiting alerts of this instrument. */
function Waiting({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useAlerts();
  const { leaving, withdraw } = useAlertWithdrawal();
  if (value === null && state === "failed") return <ErrorState what={t("alert.failed")} code={failure ?? ""} onRetry={retry} />;
  const waiting = (value ?? []).filter((alert) => alert.code === instrument.code && alert.status === "waiting");
  if (waiting.length === 0) return null;
  return (
    <section className={styles.waiting} aria-labelledby="alerts-waiting">
      <h3 id="alerts-waiting">{t("alert.waiting")}</h3>
      <ul role="list">
        {waiting.map((alert) => {
          const condition = alertCondition(alert, instrument, t);
          return (
            <li key={alert.id} className={styles.alert}>
              <span>{condition}</span>
              <IconButton
                label={t("alert.withdrawOne", { name: fullName(instrument), condition })}
                icon={<Trash2 size={20} aria-hidden />}
                aria-busy={leaving(alert.id) || undefined}
                onClick={() => void withdraw(alert.id)}
              />
            </li>
          );
        })}
      </ul>
      <ButtonLink tone="quiet" to="/information/alerts">
        {t("alert.all")}
      </ButtonLink>
    </section>
  );
}
