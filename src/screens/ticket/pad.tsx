/** The number pad docked below the ticket on touch devices, which have no keyboard. */
import { haptic } from "#src/gateway/shell.ts";
import { NumberPad } from "#src/ui/number-pad.tsx";
import { typeKey } from "#src/ui/pad-key.ts";
import type { PadKey } from "#src/ui/pad-key.ts";
import { withLots } from "./draft.ts";
import type { TicketModel } from "./use-ticket.ts";
import styles from "./ticket.module.css";

export type FieldName = "price" | "lots";
const DIGITS = { price: 7, lots: 3 } as const;

/** Touch devices have no keyboard: they get the docked number pad. */
export const hasFinger = (): boolean => window.matchMedia("(pointer: coarse)").matches;

export function Pad({ model, field }: { model: TicketModel; field: FieldName }) {
  const { draft, ladder, quantum } = model;
  const decimals = field === "price" ? ladder.decimals : String(quantum.per).length - 1;
  const press = (key: PadKey): void => {
    haptic("tick");
    const limit = { decimals, digits: decimals > 0 ? DIGITS.price : DIGITS.lots };
    // A newly focused field is fully selected: the first key replaces its text.
    const fresh = isSelected();
    const before = fresh ? "" : field === "price" ? (draft.priceText ?? "") : draft.lotsText;
    const text = typeKey(before, key, limit);
    if (field === "price") model.change({ ...draft, priceText: text, snappedFrom: null }, "price");
    else model.change(withLots(draft, text), "lots", "shares");
  };
  return (
    <div className={styles.pad}>
      <NumberPad
        onKey={press}
        onDone={() => document.activeElement instanceof HTMLElement && document.activeElement.blur()}
        decimal={decimals > 0}
      />
    </div>
  );
}

function isSelected(): boolean {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || field.value === "") return false;
  return field.selectionStart === 0 && field.selectionEnd === field.value.length;
}
