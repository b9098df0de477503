/** The price alert sheet of one instrument: a form for a new alert, and the list of waiting ones. */
import { newRequestId } from "#src/gateway/pending-commands.ts";
import { Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { alertDue } from "#contract/alert.ts";
import type { AlertKind, PriceRange } from "#contract/alert.ts";
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
import { useWithdrawal } from "./use-withdrawal.ts";
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

/** A submit error shown in the form. */
interface FormError {
  /** At the level field, or for the whole form. */
  at: "level" | "form";
  text: string;
}

function AlertForm({ instrument, onSet }: { instrument: Instrument; onSet: () => void }) {
  const { t } = useTranslation();
  const { code, decimals } = instrument;
  const quote = useCalmQuote(code)?.quote ?? null;
  const initialDraft = (kind: AlertKind, range: PriceRange): Draft => ({
    kind,
    text: typedLevel(kind, usualLevel(kind, instrument, range), decimals),
  });
  const [draft, setDraft] = useState<Draft | null>(null);
  const [formError, setFormError] = useState<FormError | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const skeleton = useSkeleton(draft === null);
  // The same alert keeps its id across retries, so that it is never set twice.
  const id = useRef("");
  // Initialised once, at the first known price: a live price never changes a field.
  if (draft === null && quote) setDraft(initialDraft("above", quote));
  if (draft === null) return skeleton && <Skeleton shape="text" rows={4} />;

  const change = (next: Draft): void => {
    id.current = "";
    setFormError(null);
    setDraft(next);
  };
  const level = parseLevel(draft.kind, draft.text);
  const reached = level !== null && quote !== null && alertDue({ kind: draft.kind, level }, quote);
  const wrong = reached ? t("refusal.VAL_ALERT_REACHED") : null;
  const refuse = (next: FormError): void => {
    setFormError(next);
    if (next.at === "level") form.current?.querySelector("input")?.focus();
  };
  const submit = async (): Promise<void> => {
    if (busy) return;
    if (level === null || level === 0) return refuse({ at: "level", text: t("refusal.VAL_ALERT_LEVEL") });
    if (wrong !== null) return refuse({ at: "level", text: wrong });
    id.current ||= newRequestId();
    setBusy(true);
    const outcome = await setAlert({ id: id.current, code, kind: draft.kind, level });
    setBusy(false);
    if (outcome.ok) {
      haptic("success");
      showToast(t("alert.set"), "success");
      return onSet();
    }
    if (outcome.refused) {
      const atLevel = outcome.refused.code === "VAL_ALERT_LEVEL" || outcome.refused.code === "VAL_ALERT_REACHED";
      return refuse({ at: atLevel ? "level" : "form", text: refusalTextNow(outcome.refused) });
    }
    refuse({ at: "form", text: t("alert.notSet") });
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
      <div className={styles.kinds} role="group" aria-label={t("alert.when")}>
        {alertKinds(instrument).map((kind) => (
          <Chip key={kind} pressed={kind === draft.kind} onPress={() => kind !== draft.kind && quote && change(initialDraft(kind, quote))}>
            {t(`alert.kind.${kind}`)}
          </Chip>
        ))}
      </div>
      <NumberStepper
        label={t(`alert.level.${draft.kind}`)}
        value={draft.text}
        inputMode={draft.kind === "volume" ? "numeric" : "decimal"}
        error={formError?.at === "level" ? formError.text : wrong}
        hint={t("alert.once")}
        onType={(text) => change({ ...draft, text })}
        onStep={(by, steps) => {
          haptic("tick");
          const next = steppedLevel(draft.kind, level ?? 0, instrument, by, steps);
          change({ ...draft, text: typedLevel(draft.kind, next, decimals) });
        }}
        onDone={() => void submit()}
      />
      {formError?.at === "form" && (
        <p className={styles.trouble} role="alert">
          {formError.text}
        </p>
      )}
      <Button type="submit" tone="primary" size="large" block busy={busy}>
        {t("alert.setIt")}
      </Button>
    </form>
  );
}

/** The waiting alerts of this instrument. */
function Waiting({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useAlerts();
  const { leaving, withdraw } = useWithdrawal();
  if (value === null && state === "failed") return <ErrorState what={t("alert.failed")} code={failure ?? ""} onRetry={retry} />;
  const waiting = (value ?? []).filter((alert) => alert.code === instrument.code && alert.status === "waiting");
  if (waiting.length === 0) return null;
  return (
    <section className={styles.waiting} aria-labelledby="alerts-waiting">
      <h3 id="alerts-waiting">{t("alert.waiting")}</h3>
      <ul role="list">
        {waiting.map((alert) => {
          const condition = alertCondition(alert, instrument.decimals, t);
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
