/** The page of one order: live profit, every field, timeline, fills, and its actions. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useQuery } from "#src/ui/link.tsx";
import { OrderNo } from "#contract/kernel/id.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import type { Order, OrderDetail } from "#contract/order.ts";
import { detailPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { ProfitButton } from "#src/screens/quote/profit-button.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { OrderStatus } from "#src/screens/ticket/order-status.tsx";
import { useQueueWord } from "#src/screens/ticket/queue-place.tsx";
import { useInstruments } from "#src/streams/instruments.ts";
import { orderDetail } from "#src/streams/orders.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { useResource } from "#src/streams/resource.ts";
import { Button } from "#src/ui/button.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState } from "#src/ui/state.tsx";
import { OrderActions, orderActions, useActionWord } from "./order-actions.tsx";
import type { RunningAction } from "./order-actions.tsx";
import { Fills } from "./fills.tsx";
import { ExitOrders } from "./exit-orders.tsx";
import { CoverDayText } from "#src/screens/ticket/cover-day.tsx";
import { LockUpNotice } from "#src/screens/ticket/lock-up.tsx";
import { useMoneyFields, useOrderFields, useTimeFields } from "./order-fields.ts";
import { useDecimals, useOrderName } from "./order-lines.tsx";
import { AsyncSection } from "./async-section.tsx";
import { OrderTimeline } from "./order-timeline-steps.tsx";
import styles from "./trade.module.css";

/** `/trade/positionDetail?orderNo=`. */
export function PositionDetail() {
  const { t } = useTranslation();
  const [query] = useQuery<"/trade/positionDetail">();
  const orderNo = OrderNo.safeParse(query.get("orderNo"));
  if (orderNo.success) return <Detail key={orderNo.data} orderNo={orderNo.data} />;
  return (
    <Screen header={<BackHeader title={t("order.title")} fallback="/trade/index" />}>
      <EmptyState title={t("refusal.TRD_ORDER_NOT_FOUND")} action={{ label: t("trade.title"), to: "/trade/index" }} />
    </Screen>
  );
}

function Detail({ orderNo }: { orderNo: OrderNo }) {
  const { t } = useTranslation();
  const read = useResource(orderDetail(orderNo));
  const nameOf = useOrderName();
  const [running, setRunning] = useState<RunningAction | null>(null);
  const order = read.value?.order ?? null;
  const missing = read.failure === "TRD_ORDER_NOT_FOUND";
  return (
    <Screen
      header={
        <BackHeader
          title={order ? nameOf(order) : t("order.title")}
          subtitle={order && <OrderStatus order={order} />}
          fallback="/trade/index"
        />
      }
      top={<StaleNotice />}
      footer={order && <Actions order={order} onDo={setRunning} />}
    >
      {missing ? (
        <ErrorState what={t("refusal.TRD_ORDER_NOT_FOUND")} code={orderNo} onRetry={read.retry} />
      ) : (
        <AsyncSection read={read}>{read.value && <LoadedDetail detail={read.value} onDo={setRunning} />}</AsyncSection>
      )}
      <OrderActions running={running && order && "order" in running ? { ...running, order } : running} onDo={setRunning} />
    </Screen>
  );
}

function LoadedDetail({ detail, onDo }: { detail: OrderDetail; onDo: (running: RunningAction) => void }) {
  const { t } = useTranslation();
  const { order, fills } = detail;
  const decimals = useDecimals()(order.code);
  const orderFields = useOrderFields(order);
  const timeFields = useTimeFields(order);
  const moneyFields = useMoneyFields(order);
  const hasExits = order.status !== "cancelled" && (order.status !== "closed" || order.closeCause === "condition");
  return (
    <div className={styles.sections}>
      <Head order={order} />
      <Section title={t("order.life")} inset action={<ToStock code={order.code} />}>
        <OrderTimeline detail={detail} />
      </Section>
      {hasExits && (
        <Section
          title={t("trade.exits")}
          inset
          action={
            order.status !== "closed" && (
              <Button tone="quiet" onClick={() => onDo({ action: "exits", order })}>
                {t("order.setGuards")}
              </Button>
            )
          }
        >
          <ExitOrders order={order} />
        </Section>
      )}
      <Section title={t("order.ordered")} inset>
        <FieldList fields={orderFields} />
        {order.direction === "fall" && order.filledLots > order.closedLots && (
          <p className={styles.hint}>
            <CoverDayText code={order.code} />
          </p>
        )}
      </Section>
      <Section title={t("order.money")} inset>
        <FieldList fields={moneyFields} />
      </Section>
      <Section title={t("order.times")} inset>
        <FieldList fields={timeFields} />
      </Section>
      <Section title={t("order.fills")} inset>
        {fills.length === 0 ? (
          <p className={styles.hint}>{t("order.noFills")}</p>
        ) : (
          <Fills order={order} fills={fills} decimals={decimals} />
        )}
      </Section>
    </div>
  );
}

/** The profit: live while something is held, realised once closed; for a pending order, the current price. */
function Head({ order }: { order: Order }) {
  const { t } = useTranslation();
  const open = order.status === "holding" || order.status === "readyToClose";
  const queue = useQueueWord(order);
  return (
    <dl className={styles.summary}>
      {(open || order.status === "closed") && (
        <div data-main>
          <dt>{open ? t("trade.profit") : t("order.realised")}</dt>
          <dd>
            <ProfitButton of={{ kind: "order", order }} className={styles.total}>
              {open ? <LiveProfit order={order} /> : <Realised order={order} />}
            </ProfitButton>
          </dd>
        </div>
      )}
      <div data-main={open || order.status === "closed" ? undefined : true}>
        <dt>{t("ticket.priceNow")}</dt>
        <dd>
          <QuoteCell code={order.code} field="last" className={open || order.status === "closed" ? undefined : styles.hero} />
        </dd>
      </div>
      {queue !== null && (
        <div>
          <dt>{t("order.queue")}</dt>
          <dd className={styles.plain}>{queue}</dd>
        </div>
      )}
      {open && (
        <div>
          <dt>{t("trade.marketValue")}</dt>
          <dd>
            <ProfitCell orderNo={order.orderNo} field="marketValue" className={styles.plain} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The link to the instrument. */
function ToStock({ code }: { code: string }) {
  const { t } = useTranslation();
  const instrument = useInstruments()?.byCode.get(code);
  if (!instrument) return null;
  return (
    <Link to={detailPath(code)} className={styles.toStock ?? ""} onClick={() => rememberDetail(instrument)}>
      {t("order.toStock", { code })}
    </Link>
  );
}

function LiveProfit({ order }: { order: Order }) {
  return (
    <>
      <ProfitCell orderNo={order.orderNo} field="profit" className={styles.hero} />
      <ProfitCell orderNo={order.orderNo} field="returnRate" className={styles.rate} />
    </>
  );
}

function Realised({ order }: { order: Order }) {
  return (
    <span className={styles.hero}>
      <Direction trend={trendOf(order.profitCents)} text={formatMoney(order.profitCents, "always")} arrow={false} />
    </span>
  );
}

/** The most likely action, and a menu of the others. */
function Actions({ order, onDo }: { order: Order; onDo: (running: RunningAction) => void }) {
  const { t } = useTranslation();
  const actionLabel = useActionWord();
  const first = order.status === "holding" ? "close" : "cancel";
  if (orderActions(order).length === 0) return null;
  return (
    <div className={styles.actions}>
      {order.status === "holding" && <LockUpNotice order={order} />}
      <div className={styles.two}>
        <Button size="large" onClick={() => onDo({ action: "menu", order })}>
          {t("trade.moreActions")}
        </Button>
        <Button size="large" tone={first === "close" ? "primary" : "secondary"} onClick={() => onDo({ action: first, order })}>
          {actionLabel(first, order)}
        </Button>
      </div>
    </div>
  );
}
