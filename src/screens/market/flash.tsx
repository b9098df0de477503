/** Flash orders: while they are on, a tap on a price of the book sends a limit order at once. Off until switched on in a sheet. */
import { Zap } from "lucide-react";
import { useObservableState } from "observable-hooks";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { useRequest } from "#src/actors/request.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { SIDES } from "#src/screens/ticket/intent.ts";
import type { Side } from "#src/screens/ticket/intent.ts";
import { OrderStatus } from "#src/screens/ticket/order-status.tsx";
import { OutcomeUnknown } from "#src/screens/ticket/outcome.tsx";
import { TONES } from "#src/screens/ticket/tones.ts";
import { useConnection } from "#src/streams/connection.ts";
import { newestOrders$, takeOrder } from "#src/streams/orders.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { FlashSheet } from "./flash-sheet.tsx";
import { useFlash } from "./use-flash.ts";
import type { FlashModel } from "./use-flash.ts";
import styles from "./flash.module.css";

export interface FlashProps {
  instrument: Instrument;
  /** Called with what a tap on a price does, and with null when flash orders are off. */
  onArm: (send: ((price: Price) => void) | null) => void;
  onOff: () => void;
}

/** First the sheet with its risk, then the bar above the book. Stale prices switch it off. */
export function Flash(props: FlashProps) {
  const [on, setOn] = useState(false);
  const { tradable } = useConnection();
  const { onOff } = props;
  useEffect(() => {
    if (on && !tradable) onOff();
  }, [on, tradable, onOff]);
  return on ? <FlashBar {...props} /> : <FlashSheet onOn={() => setOn(true)} onClose={onOff} />;
}

function FlashBar({ instrument, onArm, onOff }: FlashProps) {
  const { t } = useTranslation();
  const units = useUnits();
  const [side, setSide] = useState<Side>("buy");
  const model = useFlash(instrument, side);
  const { send } = model;
  useEffect(() => onArm(send), [send, onArm]);
  useEffect(() => () => onArm(null), [onArm]);
  const { state } = model.request;
  return (
    <div className={styles.bar} role="group" aria-label={t("flash.title")}>
      <p className={styles.badge} id="flash-state">
        <Zap size={16} aria-hidden /> <b>{t("flash.on")}</b>{" "}
        {[
          model.intent && t(`ticket.act.${model.intent.act}`),
          model.intent && t(instrument.kind === "crypto" ? "position.coin" : `ticket.kind.${model.intent.kind}`),
          units(model.lots, instrument),
          t("flash.upTo", { amount: formatMoney(model.limitCents) }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <div className={styles.keys}>
        <Segmented<Side>
          label={t("ticket.sideTitle")}
          value={side}
          onChoose={setSide}
          options={SIDES.map((value) => ({ value, label: t(`ticket.side.${value}`), tone: TONES[value] }))}
        />
        <Button onClick={onOff}>{t("flash.off")}</Button>
      </div>
      {state === "unknown" || state === "asking" || state === "notReceived" ? (
        <OutcomeUnknown request={model.request} />
      ) : (
        <div className={styles.last}>
          {model.refused ? (
            <p role="alert" className={styles.refused}>
              {t(`flash.refused.${model.refused}`)}
            </p>
          ) : (
            model.sent.length > 0 && <Sent key={model.sent[0]?.requestId} model={model} decimals={instrument.decimals} />
          )}
        </div>
      )}
    </div>
  );
}

/** Whether an order rests, so that it can still be taken back. */
const rests = ({ status }: Order): boolean => status === "pending" || status === "readyToClose";

/** The last flash, with its key to undo it while it rests. */
function Sent({ model, decimals }: { model: FlashModel; decimals: number }) {
  const { t } = useTranslation();
  const newest$ = useMemo(() => newestOrders$(model.sent), [model.sent]);
  const orders = useObservableState(newest$, model.sent);
  const cancel = useRequest("cancelOrder", { onAccepted: takeOrder });
  const resting = orders.find(rests);
  const [first] = orders;
  if (!first) return null;
  const closing = first.status === "readyToClose" || first.closedLots > 0;
  const act = closing ? (first.direction === "rise" ? "sell" : "cover") : "buy";
  const price = closing ? (first.closeAverage ?? first.closePrice) : (first.openAverage ?? first.price);
  return (
    <div className={styles.sent}>
      <p role="status">
        {t(`ticket.act.${act}`)} {formatPrice(price, decimals)} <OrderStatus order={first} />
      </p>
      {resting && (
        <Button busy={cancel.busy} onClick={() => !cancel.busy && cancel.submit({ orderNo: resting.orderNo })}>
          {t("flash.undo")}
        </Button>
      )}
    </div>
  );
}
