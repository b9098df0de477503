/** The sheet to amend the resting part of an order: fewer lots keep time priority, another price loses it. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice, typedPrice } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { haptic } from "#src/gateway/shell.ts";
import { FIRST_DRAFT, limitOf, lotsOf, outside, settled, stepped, steppedLots } from "#src/screens/ticket/draft.ts";
import type { Draft, Ladder } from "#src/screens/ticket/draft.ts";
import { useConnection } from "#src/streams/connection.ts";
import { instrumentOf, useInstruments } from "#src/streams/instruments.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { useQuote } from "#src/streams/quotes.ts";
import { Button } from "#src/ui/button.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { useOrderName, useSizeWord } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";
import { UnknownOutcome, isReady } from "./unknown-outcome.tsx";
import styles from "./trade.module.css";

/** Open while `order` is not null. */
export function AmendSheet({ order, onClose }: { order: Order | null; onClose: () => void }) {
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now, lock) => <AmendForm key={now.orderNo} order={now} onClose={onClose} onLock={lock} />}
    </OrderSheet>
  );
}

/** The resting part: the closing order if there is one, else the whole order. */
export const restingOf = (order: Order): { lots: number; price: Order["price"] } =>
  order.status === "readyToClose" ? { lots: order.closingLots, price: order.closePrice } : { lots: order.lots, price: order.price };

function draftOf(order: Order, ladder: Ladder): Draft {
  const { lots, price } = restingOf(order);
  return {
    ...FIRST_DRAFT,
    direction: order.direction,
    priceText: price === null ? "" : typedPrice(price, ladder.decimals),
    lotsText: String(lots),
  };
}

function AmendForm({ order, onClose, onLock }: { order: Order; onClose: () => void; onLock: (locked: boolean) => void }) {
  const { t } = useTranslation();
  useInstruments();
  const instrument = instrumentOf(order.code);
  const ladder: Ladder = { kind: instrument?.kind ?? "stock", decimals: instrument?.decimals ?? 2 };
  const view = useQuote(order.code);
  const nameOf = useOrderName();
  const size = useSizeWord();
  const { tradable } = useConnection();
  const [draft, setDraft] = useState(() => draftOf(order, ladder));
  const resting = restingOf(order);
  const limits = view?.limits ?? null;
  const request = useRequest("amendOrder", {
    fields: ["lots", "price"],
    check: ({ price }) => (outside(price as never, limits) ? [{ field: "price", code: "TRD_PRICE_LIMIT_EXCEEDED", params: {} }] : []),
    onAccepted: (amended) => {
      haptic("success");
      takeOrder(amended);
      showToast(t("trade.amended"), "success");
      onClose();
    },
    onArrived: onClose,
  });
  const sending = request.state === "submitting";
  useEffect(() => onLock(sending), [sending, onLock]);
  const change = (next: Draft, field: string): void => {
    setDraft(next);
    request.edit(field);
  };
  const send = (): void => {
    const final = settled(draft, ladder);
    setDraft(final);
    // A price just rounded to its tick must be seen before it is sent.
    if (final.snappedFrom !== null && final.priceText !== draft.priceText) return;
    if (!isReady(request)) return;
    const lots = lotsOf(final);
    const price = limitOf(final);
    request.submit({
      orderNo: order.orderNo,
      lots: lots === resting.lots ? null : (lots ?? draft.lotsText),
      price: price === resting.price ? null : (price ?? (resting.price === null && draft.priceText === "" ? null : 0)),
    });
  };
  const range = limits ? { down: formatPrice(limits.down, ladder.decimals), up: formatPrice(limits.up, ladder.decimals) } : null;
  const priceError = outside(limitOf(draft), limits) && range ? t("ticket.outside", range) : request.errorAt("price");
  const snapped = draft.snappedFrom === null ? null : t("ticket.snapped", { typed: draft.snappedFrom, price: draft.priceText ?? "" });
  const message =
    request.state === "failed" ? t("trade.notSent") : request.state === "coolingDown" ? t("ticket.coolDown") : request.errorOfForm;
  const reason = tradable ? message : t("ticket.notLive");
  return (
    <UnknownOutcome request={request}>
      <div className={styles.form}>
        <p className={styles.what}>{`${t(`ticket.${order.direction}`)} · ${nameOf(order)} · ${size(order)}`}</p>
        <NumberStepper
          label={t("ticket.price")}
          value={draft.priceText ?? ""}
          error={priceError}
          hint={priceError ? undefined : (snapped ?? (range ? t("ticket.range", range) : undefined))}
          onType={(priceText) => change({ ...draft, priceText, snappedFrom: null }, "price")}
          onStep={(by, ticks) => change(stepped(draft, ladder, by, ticks, view?.quote.last ?? 0), "price")}
          onEdit={(on) => !on && setDraft(settled(draft, ladder))}
          onDone={send}
        />
        <NumberStepper
          label={t(order.lotShares === 1 ? "ticket.oddShares" : "ticket.lots")}
          value={draft.lotsText}
          inputMode="numeric"
          error={request.errorAt("lots")}
          onType={(lotsText) => change({ ...draft, lotsText }, "lots")}
          onStep={(by, count) => change(steppedLots(draft, by, count, resting.lots), "lots")}
          onDone={send}
        />
        <p className={styles.hint}>{t("trade.amendWhy")}</p>
        {reason && (
          <p className={styles.problem} role="alert">
            {reason}
          </p>
        )}
        <Button
          size="large"
          block
          tone="primary"
          busy={request.busy}
          aria-disabled={!tradable || undefined}
          onClick={() => tradable && send()}
        >
          {t("trade.amend")}
        </Button>
      </div>
    </UnknownOutcome>
  );
}
