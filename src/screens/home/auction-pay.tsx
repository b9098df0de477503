/** Paying what a winning bid still costs, with the fund password; what happens at the deadline is said before. */
import { useTranslation } from "react-i18next";
import type { Bid } from "#contract/bid.ts";
import { missingFor } from "#contract/eligibility.ts";
import { formatTwd } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { takeBid } from "#src/streams/auctions.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./auction.module.css";

const FIELDS = ["fundPassword"] as const;

export function BidPayment({ bid }: { bid: Bid }) {
  const { t } = useTranslation();
  const member = useMember().value;
  const missing = member ? missingFor("payBid", member.facts) : [];
  const amount = formatTwd(bid.dueCents);
  return (
    <div className={styles.form}>
      <FieldList
        fields={[
          { label: t("auction.field.due"), value: <strong>{amount}</strong> },
          { label: t("auction.date.pay"), value: bid.payableUntil === null ? "--" : formatDateTime(bid.payableUntil) },
          { label: t("auction.field.available"), value: member ? formatTwd(member.availableCents) : "--" },
        ]}
      />
      <p className={styles.note}>{t("auction.note.unpaid")}</p>
      <MissingNotice title={t("auction.payBlocked")} missing={missing} supply={t("auction.supply")} />
      {member && missing.length === 0 && <PayForm bid={bid} />}
    </div>
  );
}

function PayForm({ bid }: { bid: Bid }) {
  const { t } = useTranslation();
  const request = useRequest("payBid", {
    fields: FIELDS,
    onAccepted: (paid) => {
      takeBid(paid);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  const { values, field, form } = useFields({ fundPassword: "" }, request);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ bidNo: bid.bidNo, fundPassword: values.fundPassword });
      }}
    >
      <TextField
        {...field("fundPassword")}
        label={t("app.title.fundPassword")}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
      />
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("auction.pay", { amount: formatTwd(bid.dueCents) })}
      </Button>
    </form>
  );
}
