/** The sheet to set, change and cancel the exit orders of a position together; the first to trigger cancels the others. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Condition } from "#contract/condition.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import { TRIGGERS } from "#contract/order.ts";
import type { Trigger } from "#contract/order.ts";
import type { Order } from "#contract/order.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { haptic } from "#src/gateway/shell.ts";
import { triggerOf } from "#src/screens/ticket/draft.ts";
import type { Draft, Ladder } from "#src/screens/ticket/draft.ts";
import { Exits } from "#src/screens/ticket/exits.tsx";
import { exitProblem } from "#src/screens/ticket/problems.ts";
import { takeConditions, useConditionsOf } from "#src/streams/conditions.ts";
import { instrumentOf, useInstruments } from "#src/streams/instruments.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { useQuote } from "#src/streams/quotes.ts";
import { Button } from "#src/ui/button.tsx";
import { useOrderName, useSizeWord } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";
import { AsyncSection } from "./async-section.tsx";
import { UnknownOutcome, isReady } from "./unknown-outcome.tsx";
import styles from "./trade.module.css";

interface ExitsSheetProps {
  order: Order | null;
  onClose: () => void;
  /** An exit with a new price to begin with, such as one dragged on the chart. */
  moved?: Trigger | null;
}

/** Open while `order` is not null. */
export function ExitsSheet({ order, onClose, moved = null }: ExitsSheetProps) {
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now, lock) => (
        <LoadedExits key={`${now.orderNo} ${moved?.kind} ${moved?.price}`} order={now} moved={moved} onClose={onClose} onLock={lock} />
      )}
    </OrderSheet>
  );
}

interface Props {
  order: Order;
  moved: Trigger | null;
  onClose: () => void;
  onLock: (locked: boolean) => void;
}

function LoadedExits(props: Props) {
  const read = useConditionsOf(props.order.orderNo);
  return (
    <AsyncSection read={read} rows={3}>
      {read.value && <ExitsForm {...props} waiting={read.value.filter(({ status }) => status === "waiting")} />}
    </AsyncSection>
  );
}

/** Waiting exit orders as draft texts. */
const typedOf = (waiting: readonly Condition[], { decimals }: Ladder): Draft["exits"] =>
  Object.fromEntries(waiting.map(({ kind, price }) => [kind, typedPrice(price, decimals)]));

function ExitsForm({ order, moved, waiting, onClose, onLock }: Props & { waiting: readonly Condition[] }) {
  const { t } = useTranslation();
  useInstruments();
  const instrument = instrumentOf(order.code);
  const ladder: Ladder = { kind: instrument?.kind ?? "stock", decimals: instrument?.decimals ?? 2 };
  const last = useQuote(order.code)?.quote.last ?? 0;
  const nameOf = useOrderName();
  const size = useSizeWord();
  const [exits, setExits] = useState(() => ({
    ...typedOf(waiting, ladder),
    ...(moved && { [moved.kind]: typedPrice(moved.price, ladder.decimals) }),
  }));
  // Before the position is opened, exits are compared with its expected opening price.
  const from = order.filledLots > 0 ? last : (order.price ?? order.trigger?.price ?? last);
  const request = useRequest("setConditions", {
    fields: ["exits"],
    check: ({ exits: wanted }) => [exitProblem(wanted, order.direction, from, ladder)].filter((problem) => problem !== null),
    onAccepted: ({ order: now, conditions }) => {
      haptic("success");
      takeOrder(now);
      takeConditions(now.orderNo, conditions);
      showToast(t("trade.exitsSet"), "success");
      onClose();
    },
    onArrived: onClose,
  });
  const sending = request.state === "submitting";
  useEffect(() => onLock(sending), [sending, onLock]);
  const send = (): void => {
    const wanted = TRIGGERS.flatMap((kind) => (exits[kind] === undefined ? [] : [triggerOf(kind, exits[kind])]));
    if (isReady(request)) request.submit({ orderNo: order.orderNo, exits: wanted });
  };
  const none = Object.keys(exits).length === 0;
  const message =
    request.state === "failed" ? t("trade.notSent") : request.state === "coolingDown" ? t("ticket.coolDown") : request.errorOfForm;
  return (
    <UnknownOutcome request={request}>
      <div className={styles.form}>
        <p className={styles.what}>{`${t(`ticket.${order.direction}`)} · ${nameOf(order)} · ${size(order)}`}</p>
        <Exits
          exits={exits}
          direction={order.direction}
          ladder={ladder}
          from={from}
          error={request.errorAt("exits")}
          onChange={(next) => {
            setExits(next);
            request.edit("exits");
          }}
        />
        {message && (
          <p className={styles.problem} role="alert">
            {message}
          </p>
        )}
        <Button size="large" block tone={none && waiting.length > 0 ? "danger" : "primary"} busy={request.busy} onClick={send}>
          {t(none && waiting.length > 0 ? "trade.exitsCancel" : "trade.exitsSave")}
        </Button>
      </div>
    </UnknownOutcome>
  );
}
