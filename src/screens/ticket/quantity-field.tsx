/** The ticket's quantity: lots or shares, typed or stepped, with keys for usual quantities and parts of what is possible. */
import { ArrowLeftRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { haptic } from "#src/gateway/shell.ts";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { steppedLots, withLots } from "./draft.ts";
import { shareOfLots } from "./estimate.ts";
import { hasFinger } from "./pad.tsx";
import { QUICK_LOTS } from "./quantity.ts";
import type { TicketModel } from "./use-ticket.ts";
import fields from "./fields.module.css";

const PERCENTS = [25, 50, 75, 100] as const;

/** The unit of a quantity: board lots, or single shares of the odd-lot market. */
const unitOf = (market: TicketModel["draft"]["market"]) => (market === "odd" ? "shares" : "lots");

export function QuantityField({ model, onEdit }: { model: TicketModel; onEdit: (on: boolean) => void }) {
  const { t } = useTranslation();
  const { draft, request, plan } = model;
  return (
    <div className={fields.quantity}>
      <UnitSwitch model={model} />
      <NumberStepper
        label={t(draft.market === "odd" ? "ticket.oddShares" : "ticket.lots")}
        labelHidden
        value={draft.lotsText}
        inputMode={hasFinger() ? "none" : "numeric"}
        error={request.errorAt("lots") ?? request.errorAt("shares")}
        onType={(lotsText) => model.change(withLots(draft, lotsText), "lots", "shares")}
        onStep={(by, count) => {
          haptic("tick");
          model.change(steppedLots(draft, by, count, plan?.most ?? model.maxLots), "lots", "shares");
        }}
        onEdit={onEdit}
        onDone={() => model.review(true)}
      />
    </div>
  );
}

/** Switches between lots and shares, where both can be ordered. */
function UnitSwitch({ model: { draft, choices, change } }: { model: TicketModel }) {
  const { t } = useTranslation();
  const unit = unitOf(draft.market);
  const other = draft.market === "odd" ? "board" : "odd";
  const label = t(unit === "shares" ? "ticket.oddShares" : "ticket.lots");
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
  const { draft, most, least, plan } = model;
  const floor = plan === null ? least : 1;
  const fixed = QUICK_LOTS[unitOf(draft.market)].map((lots) => ({ label: String(lots), lots: Math.max(floor, lots) }));
  const parts = PERCENTS.map((percent) => ({ label: `${percent}%`, lots: shareOfLots(most, percent) }));
  return (
    <div className={fields.quarters} role="group" aria-label={t(plan === null ? "ticket.shareOfAvailable" : "ticket.shareOfHeld")}>
      {[...fixed, ...parts].map(({ label, lots }) => (
        <button
          key={label}
          type="button"
          className={fields.quarter}
          aria-pressed={lots > 0 && draft.lotsTyped && draft.lotsKey === label && draft.lotsText === String(lots)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            haptic("tick");
            model.change(withLots(draft, lots, label), "lots", "shares");
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
