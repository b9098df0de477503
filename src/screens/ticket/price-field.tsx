/** The ticket's price: typed or stepped by ticks, or one of the day's limits and the reference price by a key. */
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import { haptic } from "#src/gateway/shell.ts";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { limitOf, outside, priced, stepped } from "./draft.ts";
import { hasFinger } from "./pad.tsx";
import type { TicketModel } from "./use-ticket.ts";
import fields from "./fields.module.css";
import styles from "./ticket.module.css";

/** `quiet`: another field is being edited with the number pad, which needs the room. */
export function PriceField({ model, quiet, onEdit }: { model: TicketModel; quiet: boolean; onEdit: (on: boolean) => void }) {
  const { t } = useTranslation();
  const { draft, view, ladder, request } = model;
  const limits = view?.limits ?? null;
  const range = limits ? { down: formatPrice(limits.down, ladder.decimals), up: formatPrice(limits.up, ladder.decimals) } : null;
  if (draft.pricing === "market") {
    return (
      <div className={styles.atMarket}>
        <span>{t("ticket.price")}</span>
        <p>{t(draft.market === "fixed" ? "ticket.atClose" : "ticket.atMarket")}</p>
        {!quiet && draft.market !== "fixed" && model.intent.closes === null && <p className={styles.hint}>{t("ticket.marketNote")}</p>}
      </div>
    );
  }
  const isOutside = outside(limitOf(draft), limits);
  const error = isOutside && range ? t("ticket.outside", range) : request.errorAt("price");
  const snapped = draft.snappedFrom === null ? undefined : t("ticket.snapped", { typed: draft.snappedFrom, price: draft.priceText ?? "" });
  return (
    <>
      <NumberStepper
        label={t("ticket.price")}
        value={draft.priceText ?? ""}
        inputMode={hasFinger() ? "none" : "decimal"}
        error={error}
        hint={error || quiet ? undefined : snapped}
        onType={(priceText) => model.change({ ...draft, priceText, snappedFrom: null }, "price")}
        onStep={(by, ticks) => {
          haptic("tick");
          model.change(stepped(draft, ladder, by, ticks, view?.quote.last || (view?.quote.reference ?? 0)), "price");
        }}
        onEdit={onEdit}
        onDone={() => model.review(true)}
      />
      {!quiet && <PriceKeys model={model} />}
    </>
  );
}

/** Limit-down, flat and limit-up; nothing on a day without price limits. */
function PriceKeys({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { draft, view, ladder } = model;
  const limits = view?.limits;
  const reference = view?.quote.reference ?? 0;
  if (!limits || reference === 0) return null;
  const keys = [
    { name: "down", at: limits.down },
    { name: "flat", at: reference },
    { name: "up", at: limits.up },
  ] as const;
  return (
    <div className={fields.prices} role="group" aria-label={t("ticket.priceKeys")}>
      {keys.map(({ name, at }) => (
        <button
          key={name}
          type="button"
          className={fields.priceKey}
          aria-pressed={limitOf(draft) === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            haptic("tick");
            model.change(priced(draft, ladder, at), "price");
          }}
        >
          {t(`ticket.priceKey.${name}`)} <b>{formatPrice(at, ladder.decimals)}</b>
        </button>
      ))}
    </div>
  );
}
