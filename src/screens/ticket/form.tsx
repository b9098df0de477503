/** The ticket's form: direction, order type, price, lots and totals; errors are shown at their fields. */
import { SlidersHorizontal } from "lucide-react";
import { Suspense, lazy, useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Direction, Pricing } from "#contract/order.ts";
import { haptic } from "#src/gateway/shell.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Skeleton } from "#src/ui/state.tsx";
import { NumberPad } from "#src/ui/number-pad.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { typeKey } from "#src/ui/pad-key.ts";
import type { PadKey } from "#src/ui/pad-key.ts";
import { choicesMade } from "./choices.ts";
import { limitOf, outside, settled, stepped, steppedLots } from "./draft.ts";
import { shareOfLots } from "./estimate.ts";
import { OPTION_FIELDS } from "./option-fields.ts";
import { Totals } from "./totals.tsx";
import type { TicketModel } from "./use-ticket.ts";
import { useChoiceWords } from "./words.ts";
import styles from "./ticket.module.css";

type FieldName = "price" | "lots";
const SHARES = [25, 50, 75, 100] as const;
const DIGITS = { price: 7, lots: 3 } as const;

const TicketOptions = lazy(() => import("./ticket-options.tsx").then((module) => ({ default: module.TicketOptions })));

/** Touch devices have no keyboard: they get the docked number pad. */
const hasFinger = (): boolean => window.matchMedia("(pointer: coarse)").matches;

/** The form; Review stays enabled and focuses the first problem. */
export function TicketForm({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { draft, request } = model;
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
  return (
    <div ref={form} className={styles.form}>
      {withPad ? <Summary model={model} /> : <Choices model={model} onMore={() => setMore(true)} />}
      <PriceField model={model} quiet={withPad && editing !== "price"} onEdit={edit("price")} />
      <NumberStepper
        label={t(draft.market === "odd" ? "ticket.oddShares" : "ticket.lots")}
        value={draft.lotsText}
        inputMode={hasFinger() ? "none" : "numeric"}
        error={request.errorAt("lots")}
        onType={(lotsText) => model.change({ ...draft, lotsText }, "lots")}
        onStep={(by, count) => {
          haptic("tick");
          model.change(steppedLots(draft, by, count, model.maxLots), "lots");
        }}
        onEdit={edit("lots")}
        onDone={model.review}
      />
      {/* The pad takes the room of the fields that are not being edited. */}
      {!(withPad && editing === "price") && <ShareButtons model={model} />}
      <Totals model={model} brief={withPad} />
      {withPad ? <Pad model={model} field={editing} /> : <Foot model={model} />}
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
      <Segmented<Direction>
        label={t("ticket.direction")}
        value={draft.direction}
        onChoose={(direction) => {
          haptic("tick");
          model.change({ ...draft, direction }, "direction", "lots");
        }}
        options={[
          { value: "rise", label: t("ticket.rise"), tone: "up" },
          {
            value: "fall",
            label: t(choices.direction.fall === null ? "ticket.fall" : "ticket.notShortable"),
            tone: "down",
            disabled: choices.direction.fall !== null,
          },
        ]}
      />
      <div className={styles.kinds}>
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
      <ChosenOptions model={model} />
    </>
  );
}

/** The button that opens the order options most orders do not need. */
function OptionsButton({ model: { draft }, onMore }: { model: TicketModel; onMore: () => void }) {
  const { t } = useTranslation();
  const made = choicesMade(draft);
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
function ChosenOptions({ model: { draft, choices, ladder } }: { model: TicketModel }) {
  const { t } = useTranslation();
  const words = useChoiceWords()(draft, ladder.decimals);
  const why = draft.market === "fixed" ? null : choices.pricing.market;
  if (words.length === 0 && why === null) return null;
  return (
    <div className={styles.chosen}>
      {words.length > 0 && <p>{words.join(" · ")}</p>}
      {why !== null && <p>{t(`refusal.${why}`)}</p>}
    </div>
  );
}

/** Direction and order type in one line, while the pad needs the room. */
function Summary({ model: { draft } }: { model: TicketModel }) {
  const { t } = useTranslation();
  return (
    <p className={styles.summary}>
      <strong data-trend={draft.direction === "rise" ? "up" : "down"}>{t(`ticket.${draft.direction}`)}</strong>
      {t(`ticket.${draft.pricing}`)}
    </p>
  );
}

function PriceField({ model, quiet, onEdit }: { model: TicketModel; quiet: boolean; onEdit: (on: boolean) => void }) {
  const { t } = useTranslation();
  const { draft, view, ladder, request } = model;
  const limits = view?.limits ?? null;
  const range = limits ? { down: formatPrice(limits.down, ladder.decimals), up: formatPrice(limits.up, ladder.decimals) } : null;
  if (draft.pricing === "market") {
    return (
      <div className={styles.atMarket}>
        <span>{t("ticket.price")}</span>
        <p>{t(draft.market === "fixed" ? "ticket.atClose" : "ticket.atMarket")}</p>
        {!quiet && draft.market !== "fixed" && <p className={styles.hint}>{t("ticket.marketNote")}</p>}
      </div>
    );
  }
  const isOutside = outside(limitOf(draft), limits);
  const error = isOutside && range ? t("ticket.outside", range) : request.errorAt("price");
  const snapped = draft.snappedFrom === null ? null : t("ticket.snapped", { typed: draft.snappedFrom, price: draft.priceText ?? "" });
  return (
    <NumberStepper
      label={t("ticket.price")}
      value={draft.priceText ?? ""}
      inputMode={hasFinger() ? "none" : "decimal"}
      error={error}
      hint={error || quiet ? undefined : (snapped ?? (range ? t("ticket.range", range) : undefined))}
      onType={(priceText) => model.change({ ...draft, priceText, snappedFrom: null }, "price")}
      onStep={(by, ticks) => {
        haptic("tick");
        model.change(stepped(draft, ladder, by, ticks, view?.quote.last || (view?.quote.reference ?? 0)), "price");
      }}
      onEdit={onEdit}
      onDone={model.review}
    />
  );
}

/** Percentages of what the available money buys. A press keeps the field's focus, so that the layout does not jump. */
function ShareButtons({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { draft, most } = model;
  return (
    <div className={styles.quarters} role="group" aria-label={t("ticket.shareOfAvailable")}>
      {SHARES.map((percent) => {
        const lots = String(shareOfLots(most, percent));
        return (
          <button
            key={percent}
            type="button"
            className={styles.quarter}
            aria-pressed={most > 0 && draft.lotsText === lots}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              haptic("tick");
              model.change({ ...draft, lotsText: lots }, "lots");
            }}
          >
            {percent === 100 ? t("ticket.max") : `${percent}%`}
          </button>
        );
      })}
    </div>
  );
}

function Pad({ model, field }: { model: TicketModel; field: FieldName }) {
  const { draft, ladder } = model;
  const press = (key: PadKey): void => {
    haptic("tick");
    const limit = { decimals: field === "price" ? ladder.decimals : 0, digits: DIGITS[field] };
    // A newly focused field is fully selected: the first key replaces its text.
    const fresh = isSelected();
    const before = fresh ? "" : field === "price" ? (draft.priceText ?? "") : draft.lotsText;
    const text = typeKey(before, key, limit);
    if (field === "price") model.change({ ...draft, priceText: text, snappedFrom: null }, "price");
    else model.change({ ...draft, lotsText: text }, "lots");
  };
  return (
    <div className={styles.pad}>
      <NumberPad
        onKey={press}
        onDone={() => document.activeElement instanceof HTMLElement && document.activeElement.blur()}
        decimal={field === "price"}
      />
    </div>
  );
}

function isSelected(): boolean {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || field.value === "") return false;
  return field.selectionStart === 0 && field.selectionEnd === field.value.length;
}

function Foot({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { draft, request, tradable } = model;
  const cooling = request.state === "coolingDown";
  const message = request.state === "failed" ? t("ticket.notSent") : cooling ? t("ticket.coolDown") : request.errorOfForm;
  const option = OPTION_FIELDS.map(request.errorAt).find((text) => text !== null);
  const reason = tradable ? (option ?? message) : t("ticket.notLive");
  return (
    <div className={styles.foot}>
      {reason && (
        <p className={styles.problem} role="alert" tabIndex={-1} data-tone={tradable && !cooling ? "danger" : "warn"}>
          {reason}
        </p>
      )}
      <Button
        size="large"
        block
        tone={draft.direction === "rise" ? "up" : "down"}
        busy={request.busy}
        aria-disabled={!tradable || cooling || undefined}
        onClick={() => tradable && !cooling && model.review()}
      >
        {t("ticket.review")}
      </Button>
    </div>
  );
}
