/** One application: its state in the specification's words, what comes next, its money, and what can be done about it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice, formatTwd } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { isDrawn } from "#contract/offering-kind.ts";
import { subscriptionState } from "#contract/subscription.ts";
import type { Subscription, SubscriptionState } from "#contract/subscription.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { useAfterDraw, useLots, useSubscriptionWord } from "#src/screens/quote/offering-words.ts";
import { useMinute } from "#src/screens/quote/use-minute.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { takeSubscription, useOfferingTerms } from "#src/streams/offerings.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { PayOrWaive } from "./pay-or-waive.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./new-share.module.css";

/** The name of an application's instrument with its code. */
export function useApplicationName(): (subscription: Pick<Subscription, "code">) => string {
  const { i18n } = useTranslation();
  const table = useInstruments();
  return ({ code }) => {
    const instrument = table?.byCode.get(code);
    return instrument ? `${shortName(instrument, i18n.language)} ${code}` : code;
  };
}

/** The state now; an application that was withdrawn or voided says so instead of one of the ten words. */
export function useStateWord(): (subscription: Subscription, now: number) => { state: SubscriptionState; word: string } {
  const { t } = useTranslation();
  const said = useSubscriptionWord();
  return (subscription, now) => {
    const state = subscriptionState(subscription, subscription.status, now);
    const { status } = subscription;
    const word = status === "withdrawn" || status === "voided" ? t(`subscription.${status}`) : said(subscription, state);
    return { state, word };
  };
}

/** `full` on the page of the offering itself: without a link back to it. */
export function ApplicationCard({ subscription, full = false }: { subscription: Subscription; full?: boolean }) {
  const { t } = useTranslation();
  const now = useMinute();
  const name = useApplicationName()(subscription);
  const { state, word } = useStateWord()(subscription, now);
  const { subscriptionNo, orderNo, offeringNo, phase, kind } = subscription;
  const isHeld = isDrawn(kind) && (phase === "drawn" || phase === "allotted" || phase === "listed");
  return (
    <Card label={`${name} ${subscriptionNo}`}>
      <div className={styles.card}>
        <h2 className={styles.heading}>{full ? t("subscription.one") : name}</h2>
        <p className={styles.state} data-state={state}>
          {word}
        </p>
        <p className={styles.note}>{useWhy(subscription, state)}</p>
        <FieldList fields={useFieldsOf(subscription)} />
        {state === "subscribing" && <Withdraw subscription={subscription} name={name} />}
        {state === "toBePaid" && <PayOrWaive subscription={subscription} name={name} />}
        {orderNo !== null && <ButtonLink to={pathTo("/trade/positionDetail", { orderNo })}>{t("subscription.toPosition")}</ButtonLink>}
        {!full && (
          <ButtonLink tone="quiet" to={pathTo("/home/newStockBuy", { offering: offeringNo })}>
            {t(isHeld ? (kind === "placement" ? "offering.placement.check" : "offering.draw.check") : "offering.toOffering")}
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

/** What the state means for the member, with the moment that comes next. */
function useWhy(subscription: Subscription, state: SubscriptionState): string {
  const { t } = useTranslation();
  const { status, kind, closesAt, payableFrom, payableUntil, allottedAt, tradesFrom, orderNo, forfeitCents } = subscription;
  if (status === "withdrawn" || status === "voided") return t(`subscription.why.${status}`);
  const times = {
    closes: formatDateTime(closesAt),
    from: payableFrom === null ? "--" : formatDateTime(payableFrom),
    until: formatDateTime(payableUntil),
    delivery: formatDateTime(allottedAt),
    listing: formatDateTime(tradesFrom),
    amount: formatTwd(forfeitCents),
  };
  if (state === "subscribing" && kind === "increase") return t("subscription.increase.subscribing", times);
  if (kind === "increase" && (state === "paid" || state === "awaitingDraw")) return t("offering.increase.lock", times);
  if (state === "subscribing" && kind === "placement") return t("subscription.placement.subscribing", times);
  if (state === "paid") return t(orderNo === null ? "subscription.why.paid" : "subscription.why.delivered", times);
  return t(`subscription.why.${state === "toBeSubscribed" ? "ended" : state}`, times);
}

function useFieldsOf(subscription: Subscription): Field[] {
  const { t } = useTranslation();
  const countOf = useLots();
  const lots = (n: number): string => countOf(subscription, n);
  const { status, price, wonLots, dueCents, paidCents, restCents, reservedCents, feeCents, depositCents, deliveryCents } = subscription;
  const after = useAfterDraw();
  const isBack = status === "withdrawn" || status === "voided";
  const result: Field[] =
    wonLots === null || wonLots === 0 || dueCents === null
      ? []
      : [
          { label: t("subscription.field.due"), value: formatTwd(dueCents) },
          { label: t("subscription.field.paid"), value: formatTwd(paidCents) },
          ...(restCents > 0 ? [{ label: t("subscription.field.rest"), value: formatTwd(restCents) }] : []),
        ];
  return [
    { label: t(subscription.kind === "increase" ? "offering.increase.price" : "offering.field.price"), value: formatPrice(price) },
    { label: t("subscription.field.lots"), value: lots(subscription.lots) },
    ...(isBack && wonLots === null
      ? []
      : [{ label: t("subscription.field.won"), value: wonLots === null ? after(subscription) : lots(wonLots) }]),
    ...result,
    ...(status === "voided" || subscription.kind === "increase"
      ? []
      : [{ label: t("subscription.field.fee"), value: formatTwd(feeCents) }]),
    // What came back is no longer held, and nothing of it is still to be decided.
    ...(status === "withdrawn" ? [{ label: t("subscription.field.returned"), value: formatTwd(depositCents + deliveryCents) }] : []),
    ...(isBack
      ? []
      : [
          ...(subscription.kind === "increase"
            ? []
            : [
                { label: t("subscription.field.delivery"), value: formatTwd(deliveryCents) },
                { label: t("subscription.field.deposit"), value: formatTwd(depositCents) },
              ]),
          { label: t("subscription.field.reserved"), value: formatTwd(reservedCents) },
        ]),
    { label: t("subscription.field.applied"), value: formatDateTime(subscription.appliedAt) },
    ...(subscription.paidAt === null ? [] : [{ label: t("subscription.field.paidAt"), value: formatDateTime(subscription.paidAt) }]),
    { label: t("subscription.field.no"), value: subscription.subscriptionNo },
  ];
}

function Withdraw({ subscription, name }: { subscription: Subscription; name: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const times = useOfferingTerms().value?.rule.timesPerOffering;
  const { subscriptionNo, feeCents, depositCents, deliveryCents } = subscription;
  const isIncrease = subscription.kind === "increase";
  const request = useRequest("withdrawSubscription", {
    fields: [],
    onAccepted: (withdrawn) => {
      takeSubscription(withdrawn);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  return (
    <>
      <RequestError request={request} />
      <Button busy={request.busy} onClick={() => setAsking(true)}>
        {t("subscription.withdraw")}
      </Button>
      <Alert
        open={asking}
        title={t("subscription.withdrawTitle", { name })}
        confirm={t("subscription.withdraw")}
        refuse={t("subscription.keep")}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          request.submit({ subscriptionNo });
        }}
      >
        <p>
          {isIncrease
            ? t("offering.increase.withdraw", { time: formatDateTime(subscription.closesAt) })
            : t("subscription.withdrawWhy", {
                back: formatTwd(depositCents + deliveryCents),
                fee: formatTwd(feeCents),
              })}
        </p>
        {times !== undefined && !isIncrease && (
          <p>
            <strong>{t(times === 1 ? "offering.note.once" : "subscription.withdrawCounts")}</strong>
          </p>
        )}
      </Alert>
    </>
  );
}
