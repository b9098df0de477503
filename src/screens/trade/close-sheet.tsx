/** The sheet to close a position: how much of it and from which orders, at market or at a limit, and the estimated proceeds. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import type { BulkOutcome, Pricing } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import { Confirmation } from "#src/screens/ticket/confirmation.tsx";
import { OutcomeUnknown } from "#src/screens/ticket/outcome.tsx";
import { TicketTitle } from "#src/screens/ticket/ticket.tsx";
import { usePositions } from "#src/streams/positions.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import type { ClosingPart } from "#src/screens/ticket/closing.ts";
import { ChooseOrders } from "./choose-orders.tsx";
import { CloseResult, useOrderUpdates } from "./close-result.tsx";
import { LimitField } from "./limit-field.tsx";
import { LockUpNotice } from "./lock-up.tsx";
import { useOrderName } from "./order-lines.tsx";
import { usePositionKind, useSharesWord } from "#src/screens/quote/position-words.ts";
import { useClose } from "./use-close.ts";
import type { CloseModel, CloseUnit } from "./use-close.ts";
import styles from "./trade.module.css";

/** What to close: a position, or of it only these orders. */
export interface CloseTarget {
  position: Position;
  orderNos: readonly OrderNo[];
}

/** Open while `target` is not null. */
export function CloseSheet({ target, onClose }: { target: CloseTarget | null; onClose: () => void }) {
  const [last, setLast] = useState(target);
  if (target !== null && target !== last) setLast(target);
  const [locked, setLocked] = useState(false);
  // Another device may change it; once it is closed, the last state is kept for the result.
  const now = usePositions().value?.find(({ id }) => id === last?.position.id) ?? last?.position;
  return (
    <Sheet open={target !== null} onClose={onClose} locked={locked} title={last && <TicketTitle code={last.position.code} />}>
      {last && now && (
        <CloseTicket key={`${now.id} ${last.orderNos.join()}`} position={now} first={last.orderNos} onClose={onClose} onLock={setLocked} />
      )}
    </Sheet>
  );
}

interface CloseTicketProps {
  position: Position;
  first: readonly OrderNo[];
  onClose: () => void;
  onLock: (locked: boolean) => void;
}

/** What was sent, and the answer. */
interface Closed {
  outcome: BulkOutcome;
  parts: readonly ClosingPart[];
}

function CloseTicket({ position, first, onClose, onLock }: CloseTicketProps) {
  const [closed, setClosed] = useState<Closed | null>(null);
  const latest = useOrderUpdates(position.code);
  const model = useClose(position, first, (outcome, parts) => setClosed({ outcome, parts }));
  const { state } = model.request;
  const sending = state === "submitting";
  useEffect(() => onLock(sending), [sending, onLock]);
  if (closed) return <CloseResult {...closed} latest={latest} position={position} decimals={model.ladder.decimals} onDone={onClose} />;
  if (state === "unknown" || state === "asking" || state === "notReceived") return <OutcomeUnknown request={model.request} />;
  return state === "reviewing" || state === "submitting" ? <CloseReview model={model} /> : <CloseForm model={model} />;
}

function CloseForm({ model }: { model: CloseModel }) {
  const { t } = useTranslation();
  const { draft, request, most } = model;
  return (
    <div className={styles.form}>
      <What model={model} />
      {model.mixed && (
        <Segmented<CloseUnit>
          label={t("ticket.atTitle")}
          value={model.unit}
          onChoose={model.chooseUnit}
          options={[
            { value: "lots", label: t("ticket.at.board") },
            { value: "shares", label: t("ticket.at.odd") },
          ]}
        />
      )}
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
        label={t(model.unitShares === 1 ? "ticket.oddShares" : "ticket.lots")}
        value={draft.lotsText}
        inputMode="numeric"
        error={request.errorAt("shares")}
        onType={(lotsText) => model.change({ ...draft, lotsText }, "shares")}
        onStep={(by, count) => {
          const next = Math.min(most, Math.max(1, (Number(draft.lotsText) || 0) + by * count));
          model.change({ ...draft, lotsText: String(next) }, "shares");
        }}
        onDone={model.review}
      />
      {model.position.orders.length > 1 && <ChooseOrders model={model} />}
      <Proceeds model={model} />
      <CloseFoot model={model} />
    </div>
  );
}

/** `2330 TSMC · Long · 3 lots held`. */
function What({ model: { position } }: { model: CloseModel }) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const kindOf = usePositionKind();
  const sharesOf = useSharesWord();
  const what = `${nameOf(position)} · ${kindOf(position)}`;
  return <p className={styles.what}>{t("trade.closeSize", { what, size: sharesOf(position, position.shares) })}</p>;
}

/** The proceeds of closing, itemised; every order of it is charged its own fee. */
function Proceeds({ model: { closing, draft, parts } }: { model: CloseModel }) {
  const { t } = useTranslation();
  const money = (amount: number | undefined): string => (closing ? formatMoney(amount) : "--");
  const n = parts?.length ?? 0;
  return (
    <FieldList
      fields={[
        {
          label: t("trade.proceeds"),
          value: <strong>{`${draft.pricing === "market" ? "≈ " : ""}${money(closing?.proceedsCents)}`}</strong>,
        },
        { label: n > 1 ? t("trade.feeOfOrders", { n }) : t("ticket.fee"), value: money(closing?.feeCents) },
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
  const { position, request, tradable, lockedUntil } = model;
  const locked = model.most === 0 && lockedUntil !== null;
  const cooling = request.state === "coolingDown";
  const message = request.state === "failed" ? t("ticket.notSent") : cooling ? t("ticket.coolDown") : request.errorOfForm;
  const reason = tradable ? message : t("ticket.notLive");
  const disabled = locked || cooling || !tradable;
  return (
    <div className={styles.foot}>
      <LockUpNotice order={{ lockedUntil }} />
      {reason && (
        <p className={styles.problem} role="alert">
          {reason}
        </p>
      )}
      <Button
        size="large"
        block
        tone={position.direction === "rise" ? "down" : "up"}
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
  const kindOf = usePositionKind();
  const sharesOf = useSharesWord();
  const { position, request, ladder, readAt, tradable, parts } = model;
  const { body } = request;
  if (!body) return null;
  const action = t(`trade.closeSide.${position.direction}`);
  return (
    <div className={styles.form}>
      <FieldList
        fields={[
          { label: t("ticket.instrument"), value: nameOf(position) },
          { label: action, value: `${kindOf(position)} · ${sharesOf(position, body.shares)}` },
          {
            label: t("ticket.price"),
            value:
              body.price === null
                ? t(model.fixed ? "ticket.atClose" : "ticket.atMarket")
                : `${t("ticket.limit")} ${formatPrice(body.price, ladder.decimals)}`,
          },
          ...(position.orders.length > 1
            ? [
                {
                  label: t("trade.from"),
                  value: t(body.orderNos?.length ? "trade.fromChosen" : "trade.fromOldest", { n: parts?.length ?? 0 }),
                },
              ]
            : []),
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
        label={action}
        tone={position.direction === "rise" ? "down" : "up"}
        slides={model.slides}
        tradable={tradable}
        reading={readAt?.price ?? 0}
        onConfirm={model.confirm}
      />
    </div>
  );
}
