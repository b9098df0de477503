/** The sheet to close a position: how much of it and from which orders, at market or at a limit, and the estimated proceeds. */
import { sizeLabel } from "#src/screens/quote/units.ts";
import { quantumOf } from "#src/screens/ticket/quantity.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OrderNo } from "#contract/kernel/id.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import type { Pricing } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import { usePositionKind, useSharesWord } from "#src/screens/quote/position-words.ts";
import { CloseResult } from "#src/screens/ticket/close-result.tsx";
import { CloseReview, useClosingFields } from "#src/screens/ticket/close-review.tsx";
import { steppedLots, withLots } from "#src/screens/ticket/draft.ts";
import { Reserved } from "#src/screens/ticket/effect.tsx";
import { closingAct } from "#src/screens/ticket/intent.ts";
import { LockUpNotice } from "#src/screens/ticket/lock-up.tsx";
import { OutcomeUnknown } from "#src/screens/ticket/outcome.tsx";
import { TONES } from "#src/screens/ticket/tones.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { ChooseOrders } from "./choose-orders.tsx";
import { LimitField } from "./limit-field.tsx";
import { useOrderName } from "./order-lines.tsx";
import { PositionSheet } from "./position-sheet.tsx";
import { RequestProblem, useLockWhileSending } from "./request-problem.tsx";
import { isUnknown } from "./unknown-outcome.tsx";
import { useClose } from "./use-close.ts";
import type { CloseModel } from "./use-close.ts";
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
  const first = last?.orderNos ?? [];
  return (
    <PositionSheet position={target && target.position} onClose={onClose}>
      {(now, lock) => <CloseTicket key={`${now.id} ${first.join()}`} position={now} first={first} onClose={onClose} onLock={lock} />}
    </PositionSheet>
  );
}

interface CloseTicketProps {
  position: Position;
  first: readonly OrderNo[];
  onClose: () => void;
  onLock: (locked: boolean) => void;
}

function CloseTicket({ position, first, onClose, onLock }: CloseTicketProps) {
  const model = useClose(position, first);
  const { request, closed, sent, body, ladder } = model;
  useLockWhileSending(request, onLock);
  if (closed) return <CloseResult closed={closed} sent={sent} decimals={ladder.decimals} onDone={onClose} />;
  if (isUnknown(request)) return <OutcomeUnknown request={request} />;
  const reviewed = request.state === "reviewing" || request.state === "submitting";
  if (!reviewed || !body) return <CloseForm model={model} />;
  const { plan, readAt, slides, tradable, confirm, reservesFor } = model;
  return <CloseReview body={body} {...{ plan, ladder, readAt, request, slides, tradable, confirm, reservesFor }} />;
}

/** Whether nothing of it can be closed yet: the notice says why, and there is nothing to estimate. */
const isLocked = ({ plan, lockedUntil }: CloseModel): boolean => plan.most === 0 && lockedUntil !== null;

function CloseForm({ model }: { model: CloseModel }) {
  const { t } = useTranslation();
  const { draft, request, plan, change, review } = model;
  const quantum = quantumOf(model.ladder.kind, model.view?.quote.last ?? null);
  const fixed = draft.market === "fixed";
  return (
    <div className={styles.form}>
      <What model={model} />
      {model.mixed && (
        <Segmented<"board" | "odd">
          label={t("ticket.atTitle")}
          value={draft.market === "odd" ? "odd" : "board"}
          onChoose={(market) => change({ ...draft, market, lotsTyped: false }, "shares", "price")}
          options={[
            { value: "board", label: t("ticket.at.board") },
            { value: "odd", label: t("ticket.at.odd") },
          ]}
        />
      )}
      <Segmented<Pricing>
        label={t("ticket.pricing")}
        value={draft.pricing}
        onChoose={(pricing) => change({ ...draft, pricing }, "price")}
        options={[
          { value: "market", label: t(fixed ? "ticket.atClose" : "ticket.market"), disabled: model.why !== null },
          { value: "limit", label: t("ticket.limit"), disabled: fixed },
        ]}
      />
      <Reserved until={model.reservesFor} />
      {model.why !== null && model.reservesFor === null && <p className={styles.hint}>{t(`refusal.${model.why}`)}</p>}
      {draft.pricing === "limit" && (
        <LimitField
          draft={draft}
          ladder={model.ladder}
          view={model.view}
          problem={request.errorAt("price")}
          onChange={change}
          onDone={review}
        />
      )}
      <NumberStepper
        label={t(sizeLabel({ lotShares: draft.market === "odd" ? 1 : 2, unitsPerWhole: quantum.per }))}
        value={draft.lotsText}
        inputMode={quantum.per > 1 ? "decimal" : "numeric"}
        error={request.errorAt("shares")}
        onType={(lotsText) => change(withLots(draft, lotsText), "shares")}
        onStep={(by, count) => change(steppedLots(draft, by, count, plan.most, quantum), "shares")}
        onDone={review}
      />
      {model.position.orders.length > 1 && <ChooseOrders model={model} />}
      {!isLocked(model) && model.notNow === null && <Proceeds model={model} />}
      <CloseFoot model={model} />
    </div>
  );
}

/** `Sell 2330 TSMC · Long: 3 lots held`. */
function What({ model: { position } }: { model: CloseModel }) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const kindOf = usePositionKind();
  const sharesOf = useSharesWord();
  return (
    <p className={styles.what}>
      {t("trade.closeSize", {
        act: t(`trade.closeSide.${position.direction}`),
        what: `${nameOf(position)} · ${kindOf(position)}`,
        size: sharesOf(position, position.shares),
      })}
    </p>
  );
}

function Proceeds({ model: { plan, draft } }: { model: CloseModel }) {
  const { t } = useTranslation();
  const costs = useClosingFields(plan);
  const proceeds = plan.closing && `${draft.pricing === "market" ? "≈ " : ""}${formatMoney(plan.closing.proceedsCents)}`;
  return <FieldList fields={[{ label: t("trade.proceeds"), value: <strong>{proceeds ?? "--"}</strong> }, ...costs]} />;
}

function CloseFoot({ model }: { model: CloseModel }) {
  const { t } = useTranslation();
  const { position, request, tradable, lockedUntil } = model;
  const locked = isLocked(model);
  const cooling = request.state === "coolingDown";
  const { notNow } = model;
  const disabled = locked || cooling || !tradable || notNow !== null;
  return (
    <div className={styles.foot}>
      {notNow !== null && <p className={styles.hint}>{t(`trade.${notNow}`)}</p>}
      <LockUpNotice order={{ lockedUntil, direction: position.direction }} />
      <RequestProblem request={request} live={tradable} notSent={t("ticket.notSent")} />
      <Button
        size="large"
        block
        tone={TONES[closingAct(position)]}
        busy={request.busy}
        aria-disabled={disabled || undefined}
        onClick={() => !disabled && model.review()}
      >
        {t("ticket.review")}
      </Button>
    </div>
  );
}
