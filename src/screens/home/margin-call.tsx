/** The open margin call: its deadline, its amount, and its payment in whole NT$. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { MarginCall } from "#contract/margin.ts";
import type { MarginRule } from "#contract/rule.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { margin, takeMargin } from "#src/streams/margin.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./trading.module.css";

const FIELDS = ["amount"] as const;

/** The amount still to be paid, in whole NT$, rounded up. */
export function outstanding({ requiredCents, paidCents }: Pick<MarginCall, "requiredCents" | "paidCents">): number {
  return Math.max(0, Math.ceil((requiredCents - paidCents) / 100));
}

export function OpenMarginCall({ call, rule }: { call: MarginCall; rule: MarginRule | null }) {
  const { t } = useTranslation();
  return (
    <Section title={t("margin.call")} inset>
      <Card label={t("margin.call")}>
        <p className={styles.trouble} role="alert">
          {t(`status.marginCall.${call.status}`)} · {t("margin.due", { time: formatDateTime(call.dueAt) })}
        </p>
        {rule && <p className={styles.plain}>{t("margin.callWhy", { call: rule.callPercent, cleared: rule.clearedPercent })}</p>}
        <FieldList
          fields={[
            { label: t("margin.calledAt"), value: formatDateTime(call.calledAt) },
            { label: t("margin.required"), value: formatMoney(call.requiredCents) },
            { label: t("margin.paid"), value: formatMoney(call.paidCents) },
          ]}
        />
        <Pay call={call} />
      </Card>
    </Section>
  );
}

function Pay({ call }: { call: MarginCall }) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const available = useMember().value?.availableCents;
  const [text, setText] = useState(() => String(outstanding(call) || ""));
  const onPaid = (): void => {
    setText("");
    showToast(t("operation.OP_ADD_MARGIN_OK"), "success");
  };
  const request = useRequest("payMargin", {
    fields: FIELDS,
    onAccepted: (account) => {
      takeMargin(account);
      onPaid();
    },
    onArrived: () => {
      margin.refetch();
      onPaid();
    },
  });
  const error = request.errorAt("amount");
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const typed = text.replaceAll(",", "").trim();
        request.submit({ amount: /^\d+$/.test(typed) ? Number(typed) : null });
      }}
    >
      <TextField
        label={t("margin.amount")}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={error}
        {...(available === undefined ? {} : { hint: t("margin.availableNow", { amount: formatMoney(available) }) })}
        onText={(next) => {
          setText(next);
          request.edit("amount");
        }}
      />
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("margin.pay")}
      </Button>
    </form>
  );
}
