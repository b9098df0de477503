/** A win that is to be paid: paid by hand before it is debited, or waived with what that costs; both with the fund password. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatTwd } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Subscription } from "#contract/subscription.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { useMember } from "#src/streams/member.ts";
import { takeSubscription, useOfferingTerms } from "#src/streams/offerings.ts";
import { Button } from "#src/ui/button.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { RiskNotice } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./new-share.module.css";

const FIELDS = ["fundPassword"] as const;
type Way = "paySubscription" | "waiveSubscription";

interface WinProps {
  subscription: Subscription;
  name: string;
}

export function PayOrWaive({ subscription, name }: WinProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Way | null>(null);
  return (
    <div className={styles.form}>
      <Button tone="primary" size="large" block onClick={() => setOpen("paySubscription")}>
        {t("subscription.pay", { amount: formatTwd(subscription.restCents) })}
      </Button>
      <Button tone="quiet" block onClick={() => setOpen("waiveSubscription")}>
        {t("subscription.waive")}
      </Button>
      <WinSheet
        way="paySubscription"
        title={t("subscription.payTitle", { name })}
        open={open === "paySubscription"}
        subscription={subscription}
        onClose={() => setOpen(null)}
      />
      <WinSheet
        way="waiveSubscription"
        title={t("subscription.waiveTitle", { name })}
        open={open === "waiveSubscription"}
        subscription={subscription}
        onClose={() => setOpen(null)}
      />
    </div>
  );
}

function WinSheet(props: { way: Way; title: string; open: boolean; subscription: Subscription; onClose: () => void }) {
  const { way, title, open, subscription, onClose } = props;
  const { t } = useTranslation();
  const pays = way === "paySubscription";
  const request = useRequest(way, {
    fields: FIELDS,
    onAccepted: (changed) => {
      clear();
      takeSubscription(changed);
      showToast(t(pays ? "operation.OP_PAY_OK" : "operation.OP_SUBMIT_OK"), "success");
      onClose();
    },
  });
  const { values, field, clear, form } = useFields({ fundPassword: "" }, request);
  const { name: _name, ...password } = field("fundPassword");
  return (
    <Sheet open={open} title={title} locked={request.busy} onClose={onClose}>
      <form
        ref={form}
        className={styles.sheet}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          request.submit({ subscriptionNo: subscription.subscriptionNo, fundPassword: values.fundPassword });
        }}
      >
        {pays ? <Payment subscription={subscription} /> : <WaiveCost subscription={subscription} />}
        <TextField {...password} label={t("app.title.fundPassword")} type="password" inputMode="numeric" autoComplete="off" maxLength={6} />
        <RequestError request={request} />
        <Button type="submit" tone={pays ? "primary" : "danger"} size="large" block busy={request.busy}>
          {pays ? t("subscription.pay", { amount: formatTwd(subscription.restCents) }) : t("subscription.waiveConfirm")}
        </Button>
        {!pays && (
          <Button size="large" block disabled={request.busy} onClick={onClose}>
            {t("subscription.waiveKeep")}
          </Button>
        )}
      </form>
    </Sheet>
  );
}

function Payment({ subscription: { dueCents, paidCents, restCents, payableUntil } }: Pick<WinProps, "subscription">) {
  const { t } = useTranslation();
  const available = useMember().value?.availableCents ?? null;
  return (
    <>
      <FieldList
        fields={[
          { label: t("subscription.field.due"), value: formatTwd(dueCents ?? 0) },
          { label: t("subscription.field.counted"), value: formatTwd((dueCents ?? 0) - restCents - paidCents) },
          { label: t("subscription.field.rest"), value: <strong>{formatTwd(restCents)}</strong> },
          { label: t("offering.cost.available"), value: available === null ? "--" : formatTwd(available) },
        ]}
      />
      <p className={styles.note}>{t("subscription.debit", { time: formatDateTime(payableUntil) })}</p>
    </>
  );
}

function WaiveCost({ subscription: { forfeitCents, deliveryCents } }: Pick<WinProps, "subscription">) {
  const { t } = useTranslation();
  const rule = useOfferingTerms().value?.rule;
  if (!rule) return null;
  const { barredDraws, waivedPoints } = rule;
  return (
    <RiskNotice>
      {t("subscription.waiveCost", {
        amount: formatTwd(forfeitCents),
        delivery: formatTwd(deliveryCents),
        points: waivedPoints,
        n: barredDraws,
      })}
    </RiskNotice>
  );
}
