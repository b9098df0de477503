/** The ticket's form: side, kind, order type, price, quantity and totals; errors are shown at their fields. */
import { SlidersHorizontal } from "lucide-react";
import { Suspense, lazy, useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Pricing } from "#contract/order.ts";
import { haptic } from "#src/gateway/shell.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Skeleton } from "#src/ui/state.tsx";
import { choicesMade } from "./choices.ts";
import { settled, turned } from "./draft.ts";
import { ChangedIntent, Effect, Paused, Reserved } from "./effect.tsx";
import { SIDES } from "./intent.ts";
import type { Side } from "./intent.ts";
import { KindChips } from "./kind-chips.tsx";
import { OPTION_FIELDS } from "./option-fields.ts";
import { LockUpNotice } from "./lock-up.tsx";
import { Pad, hasFinger } from "./pad.tsx";
import type { FieldName } from "./pad.tsx";
import { PriceField } from "./price-field.tsx";
import { QuantityField, QuantityKeys } from "./quantity-field.tsx";
import { StepHeading } from "./step-heading.tsx";
import { TONES } from "./tones.ts";
import { Totals } from "./totals.tsx";
import type { TicketModel } from "./use-ticket.ts";
import { useChoiceWords } from "./words.ts";
import styles from "./ticket.module.css";

const TicketOptions = lazy(() => import("./ticket-options.tsx").then((module) => ({ default: module.TicketOptions })));

/** The form; Review stays enabled and focuses the first problem. `returned`: it replaced another step, so its heading takes the focus. */
export function TicketForm({ model, returned }: { model: TicketModel; returned: boolean }) {
  const { t } = useTranslation();
  const { draft } = model;
  const [editing, setEditing] = useState<FieldName | null>(null);
  const [more, setMore] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  useFocusOnProblem(form, model);
  if (more) {
    return (
      <Suspense fallback={<Skeleton shape="text" rows={9} />}>
        <TicketOptions model={model} onDone={() => setMore(false)} />
      </Suspense>
    );
  }
  const withPad = editing !== null && hasFinger();
  const edit = (field: FieldName) => (on: boolean) => {
    setEditing(on ? field : null);
    if (!on && field === "price") model.change(settled(draft, model.ladder));
  };
  // Reviewing nothing, or what the member did not choose, shows why instead.
  const review = (always?: boolean): void =>
    model.intent.nothing || model.changed ? form.current?.querySelector<HTMLElement>("[role=alert]")?.focus() : model.review(always);
  const shown = { ...model, review };
  return (
    <div ref={form} className={styles.form} data-editing={withPad || undefined}>
      <StepHeading focused={returned} className={styles.hidden}>
        {t("ticket.step.order")}
      </StepHeading>
      {withPad ? <Summary model={shown} /> : <Choices model={shown} onMore={() => setMore(true)} />}
      {model.changed && <ChangedIntent model={model} was={model.changed} />}
      <PriceField model={shown} quiet={withPad} onEdit={edit("price")} />
      <QuantityField model={shown} onEdit={edit("lots")} />
      {/* The pad takes the room of the fields that are not being edited; of nothing there are no parts. */}
      {!(withPad && editing === "price") && model.intent.nothing === null && <QuantityKeys model={shown} />}
      <Totals model={shown} />
      {withPad ? <Pad model={shown} field={editing} /> : <Foot model={shown} />}
    </div>
  );
}

function useFocusOnProblem(form: RefObject<HTMLDivElement | null>, { request }: TicketModel): void {
  const { problems, refusal } = request;
  useEffect(() => {
    if (problems.length === 0 && refusal === null) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], [role=alert]")?.focus();
  }, [form, problems, refusal]);
}

function Choices({ model, onMore }: { model: TicketModel; onMore: () => void }) {
  const { t } = useTranslation();
  const { draft, choices } = model;
  return (
    <>
      <div className={styles.kinds}>
        <Segmented<Side>
          label={t("ticket.sideTitle")}
          value={draft.side}
          onChoose={(side) => {
            haptic("tick");
            model.change(turned(draft, side), "lots", "shares");
          }}
          options={SIDES.map((value) => ({ value, label: t(`ticket.side.${value}`), tone: TONES[value] }))}
        />
        <Segmented<Pricing>
          label={t("ticket.pricing")}
          value={draft.pricing}
          onChoose={(pricing) => {
            haptic("tick");
            model.change({ ...draft, pricing }, "price", "lots");
          }}
          options={[
            { value: "limit", label: t("ticket.limit"), disabled: choices.pricing.limit !== null },
            { value: "market", label: t("ticket.market"), disabled: choices.pricing.market !== null },
          ]}
        />
        <OptionsButton model={model} onMore={onMore} />
      </div>
      {model.instrument?.kind !== "crypto" && <KindChips model={model} />}
      {model.instrument && <Paused code={model.instrument.code} />}
      <Reserved until={model.reservesFor} />
      <Effect model={model} />
      <ChosenOptions model={model} />
    </>
  );
}

/** The button that opens the order options most orders do not need. */
function OptionsButton({ model: { draft, intent }, onMore }: { model: TicketModel; onMore: () => void }) {
  const { t } = useTranslation();
  const made = choicesMade(draft, intent);
  return (
    <button
      type="button"
      className={styles.more}
      aria-label={made > 0 ? t("ticket.optionsChosen", { count: made, n: made }) : t("ticket.options")}
      onClick={onMore}
    >
      <SlidersHorizontal size={20} aria-hidden />
      {made > 0 && <b aria-hidden>{made}</b>}
    </button>
  );
}

/** The chosen options, and why a choice is unavailable now. Empty for an ordinary order. */
function ChosenOptions({ model: { draft, intent, choices, ladder, reservesFor } }: { model: TicketModel }) {
  const { t } = useTranslation();
  const words = useChoiceWords()(draft, intent, ladder.decimals);
  const why = draft.market === "fixed" || reservesFor !== null ? null : choices.pricing.market;
  if (words.length === 0 && why === null) return null;
  return (
    <div className={styles.chosen}>
      {words.length > 0 && <p>{words.join(" · ")}</p>}
      {why !== null && <p>{t(`refusal.${why}`)}</p>}
    </div>
  );
}

/** Side, kind and order type in one line, while the pad needs the room. */
function Summary({ model: { draft, intent, instrument } }: { model: TicketModel }) {
  const { t } = useTranslation();
  return (
    <p className={styles.summary}>
      <strong data-trend={TONES[intent.act]}>{t(`ticket.act.${intent.act}`)}</strong>
      {t(instrument?.kind === "crypto" ? "position.coin" : `ticket.kind.${intent.kind}`)} · {t(`ticket.${draft.pricing}`)}
    </p>
  );
}

function Foot({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { intent, request, tradable, locked, lockedUntil } = model;
  const cooling = request.state === "coolingDown";
  const message = request.state === "failed" ? t("ticket.notSent") : cooling ? t("ticket.coolDown") : request.errorOfForm;
  const option = OPTION_FIELDS.map(request.errorAt).find((text) => text !== null);
  const reason = tradable ? (option ?? message) : t("ticket.notLive");
  return (
    <div className={styles.foot}>
      {locked && <LockUpNotice order={{ lockedUntil, direction: intent.direction }} />}
      {reason && (
        <p className={styles.problem} role="alert" tabIndex={-1} data-tone={tradable && !cooling ? "danger" : "warn"}>
          {reason}
        </p>
      )}
      <Button
        size="large"
        block
        tone={TONES[intent.act]}
        busy={request.busy}
        aria-disabled={!tradable || cooling || locked || undefined}
        onClick={() => tradable && !cooling && !locked && model.review()}
      >
        {t(model.skips && intent.act !== "short" ? `ticket.send.${intent.act}` : "ticket.review")}
      </Button>
    </div>
  );
}
