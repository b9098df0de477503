/** The sheet to close a position: how many lots, at market or at a limit, and the estimated proceeds. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import type { Order, Pricing } from "#contract/order.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { Confirmation } from "#src/screens/ticket/confirmation.tsx";
import { OutcomeUnknown } from "#src/screens/ticket/outcome.tsx";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { LimitField } from "./limit-field.tsx";
import { LockUpNotice, useLockUpLeft } from "./lock-up.tsx";
import { useClose } from "./use-close.ts";
import type { CloseModel } from "./use-close.ts";
import { useOrderName } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";
import styles from "./trade.module.css";

/** Open while `order` is not null. */
export function CloseSheet({ order, onClose }: { order: Order | null; onClose: () => void }) {
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now, lock) => <CloseTicket key={now.orderNo} order={now} onClose={onClose} onLock={lock} />}
    </OrderSheet>
  );
}

interface CloseTicketProps {
  order: Order;
  onClose: () => void;
  onLock: (locked: boolean) => void;
}

function CloseTicket({ order, onClose, onLock }: CloseTicketProps) {
  const { t } = useTranslation();
  const model = useClose(order, () => {
    showToast(t("operation.OP_SUBMIT_OK"), "success");
    onClose();
  });
  const { state } = model.request;
  const sending = state === "submitting";
  useEffect(() => onLock(sending), [sending, onLock]);
  if (state === "unknown" || state === "asking" || state === "notReceived") return <OutcomeUnknown request={model.request} />;
  return state === "reviewing" || state === "submitting" ? <CloseReview model={model} /> : <CloseForm model={model} />;
}

function CloseForm({ model }: { model: CloseModel }) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const units = useUnits();
  const { draft, order, held, request } = model;
  return (
    <div className={styles.form}>
      <p className={styles.what}>{t("trade.closeSize", { what: nameOf(order), size: units(held, order.lotShares) })}</p>
      <Segmented<Pricing>
        label={t("ticket.pricing")}
        value={draft.pricing}
        onChoose={(pricing) => model.change({ ...draft, pricing }, "price")}
        options={[
          { value: "market", label: t(model.fixed ? "ticket.atClose" : "ticket.market"), disabled: model.why !== null },
          { value: "limit", label: t("ticket.limit"), disabled: model.fixed },
        ]}
      />
      {model.why !== null && <p className={styles.hint}>{t(`refusal.${model.why}`)}</p>}
      {draft.pricing === "limit" && (
        <LimitField
          draft={draft}
          ladder={model.ladder}
          view={model.view}
          problem={request.errorAt("price")}
          onChange={model.change}
          onDone={model.review}
        />
      )}
      <NumberStepper
        label={t(order.lotShares === 1 ? "ticket.oddShares" : "ticket.lots")}
        value={draft.lotsText}
        inputMode="numeric"
        error={request.errorAt("lots")}
        onType={(lotsText) => model.change({ ...draft, lotsText }, "lots")}
        onStep={(by, count) => {
          const next = Math.min(held, Math.max(1, (Number(draft.lotsText) || 0) + by * count));
          model.change({ ...draft, lotsText: String(next) }, "lots");
        }}
        onDone={model.review}
      />
      <Proceeds model={model} />
      <CloseFoot model={model} />
    </div>
  );
}

/** The proceeds of closing, itemised. */
function Proceeds({ model: { closing, draft } }: { model: CloseModel }) {
  const { t } = useTranslation();
  const money = (amount: number | undefined): string => (closing ? formatMoney(amount) : "--");
  return (
    <FieldList
      fields={[
        {
          label: t("trade.proceeds"),
          value: <strong>{`${draft.pricing === "market" ? "≈ " : ""}${money(closing?.proceedsCents)}`}</strong>,
        },
        { label: t("ticket.fee"), value: money(closing?.feeCents) },
        { label: t("ticket.tax"), value: money(closing?.taxCents) },
        {
          label: t("trade.profit"),
          value: closing ? (
            <Direction trend={trendOf(closing.profitCents)} text={formatMoney(closing.profitCents, "always")} arrow={false} />
          ) : (
            "--"
          ),
        },
      ]}
    />
  );
}

function CloseFoot({ model }: { model: CloseModel }) {
  const { t } = useTranslation();
  const { order, request, tradable } = model;
  const locked = useLockUpLeft(order.lockedUntil) > 0;
  const cooling = request.state === "coolingDown";
  const message = request.state === "failed" ? t("ticket.notSent") : cooling ? t("ticket.coolDown") : request.errorOfForm;
  const reason = tradable ? message : t("ticket.notLive");
  const disabled = locked || cooling || !tradable;
  return (
    <div className={styles.foot}>
      <LockUpNotice order={order} />
      {reason && (
        <p className={styles.problem} role="alert">
          {reason}
        </p>
      )}
      <Button
        size="large"
        block
        tone={order.direction === "rise" ? "down" : "up"}
        busy={request.busy}
        aria-disabled={disabled || undefined}
        onClick={() => !disabled && model.review()}
      >
        {t("trade.reviewClose")}
      </Button>
    </div>
  );
}

function CloseReview({ model }: { model: CloseModel }) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const { order, request, ladder, readAt, tradable } = model;
  const { body } = request;
  if (!body) return null;
  return (
    <div className={styles.form}>
      <FieldList
        fields={[
          { label: t("ticket.instrument"), value: nameOf(order) },
          { label: t("order.orderNo"), value: order.orderNo },
          {
            label: t("ticket.price"),
            value:
              body.price === null
                ? t(model.fixed ? "ticket.atClose" : "ticket.atMarket")
                : `${t("ticket.limit")} ${formatPrice(body.price, ladder.decimals)}`,
          },
          {
            label: t(order.lotShares === 1 ? "ticket.oddShares" : "ticket.lots"),
            value: t("trade.lotsOf", { n: body.lots, of: model.held }),
          },
        ]}
      />
      <Proceeds model={model} />
      {readAt !== null && readAt.was !== null && (
        <p className={styles.problem} role="alert">
          {t("ticket.moved", { was: formatPrice(readAt.was, ladder.decimals), now: formatPrice(readAt.price, ladder.decimals) })}
        </p>
      )}
      <Confirmation
        request={request}
        label={t("trade.close")}
        tone={order.direction === "rise" ? "down" : "up"}
        slides={model.slides}
        tradable={tradable}
        reading={readAt?.price ?? 0}
        onConfirm={model.confirm}
      />
    </div>
  );
}
