/** The sheet to amend the resting part of an order: fewer lots keep time priority, another price loses it. */
import { sizeLabel } from "#src/screens/quote/units.ts";
import { quantumOf } from "#src/screens/ticket/quantity.ts";
import { useTranslation } from "react-i18next";
import type { Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { steppedLots } from "#src/screens/ticket/draft.ts";
import { TriggerPrice } from "#src/screens/ticket/trigger-price.tsx";
import { useConnection } from "#src/streams/connection.ts";
import { Button } from "#src/ui/button.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { SlideToConfirm } from "#src/ui/slide-to-confirm.tsx";
import { AmendTotals } from "./amend-totals.tsx";
import { LimitField } from "./limit-field.tsx";
import { useOrderName } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";
import { RequestProblem, useLockWhileSending } from "./request-problem.tsx";
import { restingOf, useRestingWords } from "./resting-order.ts";
import { UnknownOutcome } from "./unknown-outcome.tsx";
import { useAmend } from "./use-amend.ts";
import type { AmendModel } from "./use-amend.ts";
import styles from "./trade.module.css";

interface AmendSheetProps {
  order: Order | null;
  onClose: () => void;
  /** A new price to begin with, such as one dragged on the chart; the order's own when not given. */
  price?: Price | null;
  /** The same for the price that a conditional order waits for. */
  trigger?: Price | null;
}

/** Open while `order` is not null. */
export function AmendSheet({ order, onClose, price = null, trigger = null }: AmendSheetProps) {
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now, lock) => (
        <AmendForm key={`${now.orderNo} ${price} ${trigger}`} order={now} price={price} trigger={trigger} onClose={onClose} onLock={lock} />
      )}
    </OrderSheet>
  );
}

interface AmendFormProps {
  order: Order;
  price: Price | null;
  trigger: Price | null;
  onClose: () => void;
  onLock: (locked: boolean) => void;
}

function AmendForm({ order, price, trigger, onClose, onLock }: AmendFormProps) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const { side, size } = useRestingWords(order);
  const onAmended = (): void => {
    showToast(t("trade.amended"), "success");
    onClose();
  };
  const model = useAmend(order, { price, trigger, onAmended, onArrived: onClose });
  const { draft, ladder, view, request, change, send } = model;
  const quantum = quantumOf(ladder.kind, view?.quote.last ?? null);
  useLockWhileSending(request, onLock);
  return (
    <UnknownOutcome request={request}>
      <div className={styles.form}>
        <p className={styles.what}>{`${side} · ${nameOf(order)} · ${size}`}</p>
        {draft.entry && (
          <TriggerPrice
            label={t("ticket.triggerPrice")}
            text={draft.entry.text}
            ladder={ladder}
            from={view?.quote.last ?? 0}
            error={request.errorAt("trigger")}
            onText={(text) => draft.entry && change({ ...draft, entry: { ...draft.entry, text } }, "trigger")}
          />
        )}
        <LimitField draft={draft} ladder={ladder} view={view} problem={request.errorAt("price")} onChange={change} onDone={send} />
        <NumberStepper
          label={t(sizeLabel(order))}
          value={draft.lotsText}
          inputMode={quantum.per > 1 ? "decimal" : "numeric"}
          error={request.errorAt("lots")}
          onType={(lotsText) => change({ ...draft, lotsText }, "lots")}
          onStep={(by, count) => change(steppedLots(draft, by, count, restingOf(order).lots, quantum), "lots")}
          onDone={send}
        />
        <AmendTotals order={order} model={model} />
        <p className={styles.hint}>{t("trade.amendWhy")}</p>
        <AmendButton request={request} slides={model.slides} onSend={send} />
      </div>
    </UnknownOutcome>
  );
}

/** Sends the amendment, below the reason why it cannot or could not be sent. */
function AmendButton({ request, slides, onSend }: Pick<AmendModel, "request" | "slides"> & { onSend: () => void }) {
  const { t } = useTranslation();
  const { tradable } = useConnection();
  return (
    <div className={styles.foot}>
      <RequestProblem request={request} live={tradable} />
      {slides ? (
        <SlideToConfirm label={t("trade.amend")} busy={request.busy} onConfirm={() => tradable && onSend()} />
      ) : (
        <Button
          size="large"
          block
          tone="primary"
          busy={request.busy}
          aria-disabled={!tradable || undefined}
          onClick={() => tradable && onSend()}
        >
          {t("trade.amend")}
        </Button>
      )}
    </div>
  );
}
