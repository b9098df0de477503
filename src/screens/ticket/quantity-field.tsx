/** The ticket's quantity: lots or shares, typed or stepped, with keys for usual quantities and parts of what is possible. */
import { ArrowLeftRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { typedUnits } from "#contract/kernel/money.ts";
import { haptic } from "#src/gateway/shell.ts";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { steppedLots, withLots } from "./draft.ts";
import { shareOfLots } from "./estimate.ts";
import { hasFinger } from "./pad.tsx";
import { QUICK_LOTS } from "./quantity.ts";
import type { TicketModel } from "./use-ticket.ts";
import fields from "./fields.module.css";

const PERCENTS = [25, 50, 75, 100] as const;

/** The unit of a quantity: board lots, single shares of the odd-lot market, or coins. */
const unitOf = ({ draft: { market }, quantum }: Pick<TicketModel, "draft" | "quantum">) =>
  quantum.per > 1 ? "coins" : market === "odd" ? "shares" : "lots";

/** What the field is called. */
export const UNIT_LABELS = { lots: "ticket.lots", shares: "ticket.oddShares", coins: "ticket.coins" } as const;

export function QuantityField({ model, onEdit }: { model: TicketModel; onEdit: (on: boolean) => void }) {
  const { t } = useTranslation();
  const { draft, request, plan } = model;
  return (
    <div className={fields.quantity}>
      <UnitSwitch model={model} />
      <NumberStepper
        label={t(UNIT_LABELS[unitOf(model)])}
        labelHidden
        value={draft.lotsText}
        inputMode={hasFinger() ? "none" : model.quantum.per > 1 ? "decimal" : "numeric"}
        error={request.errorAt("lots") ?? request.errorAt("shares")}
        onType={(lotsText) => model.change(withLots(draft, lotsText), "lots", "shares")}
        onStep={(by, count) => {
          haptic("tick");
          model.change(steppedLots(draft, by, count, plan?.most ?? model.maxLots, model.quantum), "lots", "shares");
        }}
        onEdit={onEdit}
        onDone={() => model.review(true)}
      />
    </div>
  );
}

/** Switches between lots and shares, where both can be ordered. */
function UnitSwitch({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { draft, choices, change } = model;
  const unit = unitOf(model);
  const other = draft.market === "odd" ? "board" : "odd";
  const label = t(UNIT_LABELS[unit]);
  if (draft.market === "fixed" || choices.market[other] !== null) return <span className={fields.unitName}>{label}</span>;
  return (
    <button
      type="button"
      className={fields.unit}
      aria-label={t("ticket.switchUnit", { unit: label, other: t(unit === "shares" ? "ticket.lots" : "ticket.oddShares") })}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        haptic("tick");
        change({ ...draft, market: other, lotsTyped: false }, "market", "lots", "shares", "price");
      }}
    >
      {label}
      <ArrowLeftRight size={16} aria-hidden />
    </button>
  );
}

/**
 * Usual quantities, and parts of what the money buys or of what is held. Two keys may
 * stand for the same quantity: only the one that was pressed is marked. A press keeps the field's focus, so that the layout does not jump.
 */
export function QuantityKeys({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { draft, most, least, plan, quantum } = model;
  const { per } = quantum;
  const floor = plan === null ? least : 1;
  const fixed = QUICK_LOTS[unitOf(model)].map((n) => ({ label: String(n), lots: Math.max(floor, n) }));
  const parts = PERCENTS.map((percent) => ({ label: `${percent}%`, lots: shareOfLots(most, percent) }));
  return (
    <div
      className={fields.quarters}
      data-parts={per > 1 || undefined}
      role="group"
      aria-label={t(plan === null ? "ticket.shareOfAvailable" : "ticket.shareOfHeld")}
    >
      {[...fixed, ...parts].map(({ label, lots }) => (
        <button
          key={label}
          type="button"
          className={fields.quarter}
          aria-pressed={lots > 0 && draft.lotsTyped && draft.lotsKey === label && draft.lotsText === typedUnits(lots, per)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            haptic("tick");
            model.change(withLots(draft, typedUnits(lots, per), label), "lots", "shares");
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
