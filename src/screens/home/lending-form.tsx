/** The forms of securities lending: a loan to one borrower, and an offer at a rate of the member's own. */
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { cents, formatPrice, formatRate, formatTwd, grouped, worth } from "#contract/kernel/money.ts";
import { LENDING_DAYS } from "#contract/lending.ts";
import type { Lending, LendingDemand } from "#contract/lending.ts";
import type { Order } from "#contract/order.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { takeLending, useLendingMarket } from "#src/streams/lendings.ts";
import type { LendingMarket } from "#src/streams/lendings.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { RadioList } from "#src/ui/choice.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { DayChips } from "./day-chips.tsx";
import { freeLotsOf, LendingNotes, useIncomeFields, useLendable } from "./lending-words.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { RequestError } from "./request-error.tsx";
import { typedLots } from "./typed-lots.ts";
import styles from "./fund.module.css";

/** Sent for what is not a rate: too high, so that the refusal names the highest one. */
const NOT_A_RATE = 1_000_000;
const PER_PERCENT = 10_000;

/** The frame of both forms: what keeps the member from lending comes before the form. */
function FormScreen({ title, children }: { title: string; children: (market: LendingMarket) => ReactNode }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useLendingMarket();
  const member = useMember().value;
  const missing = member ? missingFor("lend", member.facts) : [];
  const skeleton = useSkeleton(value === null && state !== "failed");
  return (
    <Screen header={<BackHeader title={title} fallback="/home/coupons" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("lending.failed")} code={failure ?? ""} onRetry={retry} />}
        <MissingNotice title={t("lending.blocked")} missing={missing} agreement="lending" supply={t("fund.supply")} />
        {value && missing.length === 0 && children(value)}
        {value && <LendingNotes rule={value.rule} />}
      </div>
    </Screen>
  );
}

/** Where both forms lead. */
function useLent(): (lending: Lending) => void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (lending) => {
    takeLending(lending);
    showToast(t("operation.OP_LEND_OK"), "success");
    void navigate(pathTo("/home/coupons", { part: "mine" }), { replace: true });
  };
}

/** Which purchase is lent; nothing to choose with one. */
function OrderChoice({
  orders,
  value,
  error,
  onChoose,
}: {
  orders: readonly Order[];
  value: string;
  error: string | null;
  onChoose: (orderNo: string) => void;
}) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  return (
    <>
      {orders.length > 1 && (
        <RadioList
          label={t("lending.field.order")}
          options={orders.map((order) => ({
            value: order.orderNo,
            label: nameOf(order.code),
            hint: t("lending.free", { count: freeLotsOf(order), price: formatPrice(order.openAverage) }),
          }))}
          value={value}
          onChoose={onChoose}
        />
      )}
      {error !== null && (
        <p className={styles.trouble} role="alert">
          {error}
        </p>
      )}
    </>
  );
}

interface SharesFieldsProps {
  orders: readonly Order[];
  order: Order;
  text: string;
  request: { errorAt: (field: "orderNo" | "lots") => string | null; edit: (field: "orderNo" | "lots") => void };
  onChoose: (orderNo: string) => void;
  onText: (text: string) => void;
}

/** What is lent: lots of which purchase. */
function SharesFields({ orders, order, text, request, onChoose, onText }: SharesFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <OrderChoice
        orders={orders}
        value={order.orderNo}
        error={request.errorAt("orderNo")}
        onChoose={(next) => {
          onChoose(next);
          request.edit("orderNo");
        }}
      />
      <TextField
        label={t("lending.field.lots")}
        hint={t("lending.freeLots", { count: freeLotsOf(order) })}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={request.errorAt("lots")}
        onText={(next) => {
          onText(next);
          request.edit("lots");
        }}
      />
    </>
  );
}

/** `/home/coupons?demand=…` */
export function LendingForm({ demandId }: { demandId: string }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const lendable = useLendable();
  const market = useLendingMarket().value;
  const demand = market?.demands.find((one) => one.demandId === demandId);
  const title = demand ? nameOf(demand.code) : t("app.title.lending");
  return (
    <FormScreen title={title}>
      {(value) => {
        const orders = lendable.filter(({ code }) => code === demand?.code);
        if (!demand)
          return (
            <EmptyState title={t("lending.gone")} why={t("lending.goneWhy")} action={{ label: t("lending.all"), to: "/home/coupons" }} />
          );
        return (
          <>
            <Card label={t("lending.demand")}>
              <FieldList
                fields={[
                  { label: t("lending.field.rate"), value: formatRate(demand.ratePerMillion) },
                  { label: t("lending.field.days"), value: t("lending.days", { count: demand.days }) },
                  { label: t("lending.field.notice"), value: t("lending.days", { count: demand.noticeDays }) },
                  { label: t("lending.field.reference"), value: formatPrice(demand.referencePrice) },
                  { label: t("lending.field.minimum"), value: formatTwd(demand.minimumCents) },
                  { label: t("lending.field.left"), value: t("lending.lots", { count: demand.left, n: grouped(String(demand.left)) }) },
                ]}
              />
            </Card>
            {orders.length > 0 ? (
              <Loan demand={demand} orders={orders} market={value} />
            ) : (
              <EmptyState title={t("lending.notHeld")} why={t("lending.notHeldWhy")} />
            )}
          </>
        );
      }}
    </FormScreen>
  );
}

function Loan({ demand, orders, market }: { demand: LendingDemand; orders: readonly Order[]; market: LendingMarket }) {
  const { t } = useTranslation();
  const incomeOf = useIncomeFields();
  const onAccepted = useLent();
  const [orderNo, setOrderNo] = useState<string>(orders[0]?.orderNo ?? "");
  const order = orders.find((one) => one.orderNo === orderNo) ?? orders[0];
  const [text, setText] = useState(String(Math.min(order ? freeLotsOf(order) : 0, demand.left)));
  const lots = typedLots(text);
  const request = useRequest("lendShares", { fields: ["orderNo", "lots"], onAccepted });
  if (!order) return null;
  const value = lots === null ? cents(0) : worth(demand.referencePrice, lots * order.lotShares);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ demandId: demand.demandId, orderNo: order.orderNo, lots });
      }}
    >
      <SharesFields orders={orders} order={order} text={text} request={request} onChoose={setOrderNo} onText={setText} />
      <FieldList fields={incomeOf(value, demand.ratePerMillion, demand.days, market.rule)} />
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("lending.lend")}
      </Button>
    </form>
  );
}

/** `/home/coupons?demand=own` */
export function OfferForm({ first }: { first: string | null }) {
  const { t } = useTranslation();
  const lendable = useLendable();
  return (
    <FormScreen title={t("lending.own")}>
      {(market) =>
        lendable.length > 0 ? (
          <Offer orders={lendable} first={first} market={market} />
        ) : (
          <EmptyState title={t("lending.noneHeld")} why={t("lending.notHeldWhy")} />
        )
      }
    </FormScreen>
  );
}

function Offer({ orders, first, market }: { orders: readonly Order[]; first: string | null; market: LendingMarket }) {
  const { t } = useTranslation();
  const incomeOf = useIncomeFields();
  const onAccepted = useLent();
  const [orderNo, setOrderNo] = useState<string>(first ?? orders[0]?.orderNo ?? "");
  const order = orders.find((one) => one.orderNo === orderNo) ?? orders[0];
  const held = order ? market.held[order.code] : undefined;
  const most = held?.mostPerMillion ?? 0;
  const [lotsText, setLots] = useState(String(order ? freeLotsOf(order) : 1));
  const [rateText, setRate] = useState("");
  const [days, setDays] = useState<(typeof LENDING_DAYS)[number]>(LENDING_DAYS[2]);
  const lots = typedLots(lotsText);
  const percent = /^\d{1,2}(\.\d)?$/.test(rateText.trim()) ? Number(rateText) : null;
  const rate = percent === null ? null : Math.round(percent * PER_PERCENT);
  const request = useRequest("offerShares", {
    fields: ["orderNo", "lots", "ratePerMillion"],
    check: ({ ratePerMillion }) =>
      ratePerMillion < 1 || ratePerMillion > most
        ? [{ code: "VAL_LEND_RATE", params: { n: most / PER_PERCENT }, field: "ratePerMillion" }]
        : [],
    onAccepted,
  });
  if (!order) return null;
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ orderNo: order.orderNo, lots, ratePerMillion: rate ?? NOT_A_RATE, days });
      }}
    >
      <SharesFields orders={orders} order={order} text={lotsText} request={request} onChoose={setOrderNo} onText={setLots} />
      <TextField
        label={t("lending.field.ownRate")}
        hint={t("lending.mostRate", { rate: formatRate(most) })}
        value={rateText}
        inputMode="decimal"
        autoComplete="off"
        error={request.errorAt("ratePerMillion")}
        onText={(next) => {
          setRate(next);
          request.edit("ratePerMillion");
        }}
      />
      <DayChips label={t("lending.field.termDays")} options={LENDING_DAYS} value={days} onChoose={setDays} />
      {held && lots !== null && rate !== null && rate <= most && (
        <FieldList fields={incomeOf(worth(held.referencePrice, lots * order.lotShares), rate, days, market.rule)} />
      )}
      <p className={styles.note}>{t("lending.ownWhy")}</p>
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("lending.offer")}
      </Button>
    </form>
  );
}
