/** The sheet to set, change and cancel the exit orders of an order or of a position together; the first to trigger cancels the others. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Condition } from "#contract/condition.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import { TRIGGERS } from "#contract/order.ts";
import type { Trigger } from "#contract/order.ts";
import type { Order } from "#contract/order.ts";
import { keyOf } from "#contract/position.ts";
import type { Position } from "#contract/position.ts";
import type { Problem } from "#machines/request.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { haptic } from "#src/gateway/shell.ts";
import { usePositionKind, useSharesWord } from "#src/screens/quote/position-words.ts";
import { triggerOf } from "#src/screens/ticket/draft.ts";
import type { Draft, Ladder } from "#src/screens/ticket/draft.ts";
import { Exits } from "#src/screens/ticket/exits.tsx";
import { exitProblem } from "#src/screens/ticket/problems.ts";
import { ladderOf } from "#src/screens/ticket/use-placing.ts";
import { takeConditions, useConditions } from "#src/streams/conditions.ts";
import { instrumentOf, useInstruments } from "#src/streams/instruments.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { useQuote } from "#src/streams/quotes.ts";
import { Button } from "#src/ui/button.tsx";
import { useOrderName, useSizeWord } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";
import { PositionSheet } from "./position-sheet.tsx";
import { AsyncSection } from "./async-section.tsx";
import { RequestProblem, useLockWhileSending } from "./request-problem.tsx";
import { UnknownOutcome, isReady } from "./unknown-outcome.tsx";
import styles from "./trade.module.css";

interface ExitsSheetProps {
  order: Order | null;
  onClose: () => void;
  /** An exit with a new price to begin with, such as one dragged on the chart. */
  moved?: Trigger | null;
}

/** The exits of one order. Open while `order` is not null. */
export function ExitsSheet({ order, onClose, moved = null }: ExitsSheetProps) {
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now, lock) => (
        <LoadedExits
          key={`${now.orderNo} ${moved?.kind} ${moved?.price}`}
          orders={[now]}
          position={null}
          moved={moved}
          onClose={onClose}
          onLock={lock}
        />
      )}
    </OrderSheet>
  );
}

/** The exits of a whole position, the same for each of its orders. Open while `position` is not null. */
export function PositionExitsSheet({ position, onClose }: { position: Position | null; onClose: () => void }) {
  return (
    <PositionSheet position={position} onClose={onClose}>
      {(now, lock) => <LoadedExits key={now.id} orders={now.orders} position={now} moved={null} onClose={onClose} onLock={lock} />}
    </PositionSheet>
  );
}

interface Props {
  /** At least one, all of one direction. */
  orders: readonly Order[];
  /** The position they make up; null if the exits are those of one order only. */
  position: Position | null;
  moved: Trigger | null;
  onClose: () => void;
  onLock: (locked: boolean) => void;
}

function LoadedExits(props: Props) {
  const read = useConditions();
  const isOurs = ({ status, orderNo }: Condition): boolean =>
    status === "waiting" && props.orders.some((order) => order.orderNo === orderNo);
  return (
    <AsyncSection read={read} rows={3}>
      {read.value && <ExitsForm {...props} waiting={read.value.filter(isOurs)} />}
    </AsyncSection>
  );
}

/** Waiting exit orders as draft texts; of orders that differ, one of each kind. */
const typedOf = (waiting: readonly Condition[], { decimals }: Ladder): Draft["exits"] =>
  Object.fromEntries(waiting.map(({ kind, price }) => [kind, typedPrice(price, decimals)]));

/** Tells whether these orders do not all have the same waiting exits. */
export function exitsDiffer(orders: readonly Pick<Order, "orderNo">[], waiting: readonly Condition[]): boolean {
  const each = orders.map(({ orderNo }) =>
    waiting
      .filter((one) => one.orderNo === orderNo)
      .map(({ kind, price }) => `${kind} ${price}`)
      .toSorted()
      .join(),
  );
  return new Set(each).size > 1;
}

/** The request that sets the exits of one order or of a position. */
function useExitsRequest({ orders, position, onClose }: Props, check: (exits: readonly Trigger[]) => Problem[]) {
  const { t } = useTranslation();
  const done = (changed: readonly Order[], conditions: readonly Condition[]): void => {
    haptic("success");
    changed.forEach(takeOrder);
    for (const { orderNo } of changed)
      takeConditions(
        orderNo,
        conditions.filter((one) => one.orderNo === orderNo),
      );
    showToast(t("trade.exitsSet"), "success");
    onClose();
  };
  const ofOrder = useRequest("setConditions", {
    fields: ["exits"],
    check: ({ exits }) => check(exits),
    onAccepted: ({ order, conditions }) => done([order], conditions),
    onArrived: onClose,
  });
  const ofPosition = useRequest("setPositionConditions", {
    fields: ["exits"],
    check: ({ exits }) => check(exits),
    onAccepted: (answer) => done(answer.orders, answer.conditions),
    onArrived: onClose,
  });
  const send = (exits: Trigger[]): void => {
    if (position) ofPosition.submit({ ...keyOf(position), exits });
    else ofOrder.submit({ orderNo: orders[0]?.orderNo, exits });
  };
  return { request: position ? ofPosition : ofOrder, send };
}

function ExitsForm(props: Props & { waiting: readonly Condition[] }) {
  const { t } = useTranslation();
  const { orders, moved, waiting, onLock } = props;
  useInstruments();
  const code = orders[0]?.code ?? "";
  const direction = orders[0]?.direction ?? "rise";
  const ladder: Ladder = ladderOf(instrumentOf(code) ?? null);
  const last = useQuote(code)?.quote.last ?? 0;
  const [exits, setExits] = useState(() => ({
    ...typedOf(waiting, ladder),
    ...(moved && { [moved.kind]: typedPrice(moved.price, ladder.decimals) }),
  }));
  // Before the position is opened, exits are compared with its expected opening price.
  const unfilled = orders.find(({ filledLots }) => filledLots === 0);
  const from = unfilled ? (unfilled.price ?? unfilled.trigger?.price ?? last) : last;
  const { request, send } = useExitsRequest(props, (wanted) =>
    [exitProblem(wanted, direction, from, ladder)].filter((problem) => problem !== null),
  );
  useLockWhileSending(request, onLock);
  const none = Object.keys(exits).length === 0;
  return (
    <UnknownOutcome request={request}>
      <div className={styles.form}>
        <What {...props} />
        {exitsDiffer(orders, waiting) && <p className={styles.hint}>{t("trade.exitsDiffer")}</p>}
        <Exits
          exits={exits}
          direction={direction}
          ladder={ladder}
          from={from}
          error={request.errorAt("exits")}
          onChange={(next) => {
            setExits(next);
            request.edit("exits");
          }}
        />
        <RequestProblem request={request} />
        <Button
          size="large"
          block
          tone={none && waiting.length > 0 ? "danger" : "primary"}
          busy={request.busy}
          onClick={() =>
            isReady(request) && send(TRIGGERS.flatMap((kind) => (exits[kind] === undefined ? [] : [triggerOf(kind, exits[kind])])))
          }
        >
          {t(none && waiting.length > 0 ? "trade.exitsCancel" : "trade.exitsSave")}
        </Button>
      </div>
    </UnknownOutcome>
  );
}

/** What the exits are for: `Long · 2330 TSMC · 3 lots`. */
function What({ orders, position }: Pick<Props, "orders" | "position">) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const sizeOf = useSizeWord();
  const sharesOf = useSharesWord();
  const kindOf = usePositionKind();
  const [order] = orders;
  if (!order) return null;
  const words = position
    ? [kindOf(position), nameOf(position), sharesOf(position, position.shares)]
    : [t(`ticket.${order.direction}`), nameOf(order), sizeOf(order)];
  return <p className={styles.what}>{words.join(" · ")}</p>;
}
