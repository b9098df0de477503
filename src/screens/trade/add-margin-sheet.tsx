/** The sheet to add margin to a leveraged position in whole NT$, showing how that moves the liquidation price. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cents, formatMoney, formatPrice } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { liquidationPrice } from "#contract/profit.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { haptic } from "#src/gateway/shell.ts";
import { useMember } from "#src/streams/member.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { Button } from "#src/ui/button.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { useDecimals, useOrderName } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";
import { RequestProblem, useLockWhileSending } from "./request-problem.tsx";
import { UnknownOutcome, isReady } from "./unknown-outcome.tsx";
import styles from "./trade.module.css";

/** Open while `order` is not null. */
export function AddMarginSheet({ order, onClose }: { order: Order | null; onClose: () => void }) {
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now, lock) => <AddMarginForm key={now.orderNo} order={now} onClose={onClose} onLock={lock} />}
    </OrderSheet>
  );
}

/** The liquidation price after adding a whole NT$ amount: it lowers the loan of a long and raises the collateral of a short. */
export function liquidationAfter(order: Order, amount: number): Price | null {
  const added = amount * 100;
  return order.direction === "rise"
    ? liquidationPrice({ ...order, loanCents: cents(Math.max(0, order.loanCents - added)) })
    : liquidationPrice({ ...order, collateralCents: cents(order.collateralCents + added) });
}

function AddMarginForm({ order, onClose, onLock }: { order: Order; onClose: () => void; onLock: (locked: boolean) => void }) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const decimals = useDecimals()(order.code);
  const member = useMember().value;
  const [text, setText] = useState("");
  const amount = /^\d{1,10}$/.test(text.replaceAll(",", "")) ? Number(text.replaceAll(",", "")) : null;
  const request = useRequest("addMargin", {
    fields: ["amount"],
    onAccepted: (now) => {
      haptic("success");
      takeOrder(now);
      showToast(t("operation.OP_ADD_MARGIN_OK"), "success");
      onClose();
    },
  });
  useLockWhileSending(request, onLock);
  const price = (units: Price | null): string => formatPrice(units, decimals);
  return (
    <UnknownOutcome request={request}>
      <div className={styles.form}>
        <p className={styles.what}>{nameOf(order)}</p>
        <TextField
          label={t("trade.addMarginAmount", { currency: member?.currency ?? "" })}
          value={text}
          inputMode="numeric"
          error={request.errorAt("amount")}
          onText={(next) => {
            setText(next);
            request.edit("amount");
          }}
        />
        <FieldList
          fields={[
            { label: t("ticket.available"), value: formatMoney(member?.availableCents) },
            { label: t("ticket.loan"), value: formatMoney(order.loanCents) },
            { label: t("ticket.liquidation"), value: price(liquidationPrice(order)) },
          ]}
        />
        <div className={styles.foot}>
          <p className={styles.due}>
            <span>{t("trade.liquidationAfter")}</span>
            <strong>{amount === null ? "--" : price(liquidationAfter(order, amount))}</strong>
          </p>
          <RequestProblem request={request} />
          <Button
            size="large"
            block
            tone="primary"
            busy={request.busy}
            onClick={() => isReady(request) && request.submit({ orderNo: order.orderNo, amount: amount ?? text })}
          >
            {t("trade.addMargin")}
          </Button>
        </div>
      </div>
    </UnknownOutcome>
  );
}
