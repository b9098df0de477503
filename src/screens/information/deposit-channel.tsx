/** One deposit: where to pay and what was paid, until it is submitted; then its progress. */
import { Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { depositRefusal } from "#contract/deposit.ts";
import type { DepositChannel } from "#contract/deposit.ts";
import { missingFor } from "#contract/eligibility.ts";
import { formatMoney, grouped } from "#contract/kernel/money.ts";
import { useRequest } from "#src/actors/request.ts";
import { copyText } from "#src/gateway/shell.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeDeposit, useDepositing } from "#src/streams/deposits.ts";
import { useMember } from "#src/streams/member.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Chip } from "#src/ui/choice.tsx";
import { useNavigate, useQuery } from "#src/ui/link.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { Blocked } from "./blocked.tsx";
import { DepositDetail } from "./deposit-detail.tsx";
import { FundingError } from "./funding-error.tsx";
import styles from "./funding.module.css";

const AMOUNTS = [10_000, 50_000, 100_000, 500_000];
const FIELDS = ["amount", "proofId", "channelId"] as const;

/** `/information/rechargeChannel?channel=…` or, once submitted, `?no=…` */
export function DepositChannelPage() {
  const { t } = useTranslation();
  const [query] = useQuery<"/information/rechargeChannel">();
  const depositNo = query.get("no");
  return (
    <Screen header={<BackHeader title={t(depositNo === null ? "deposit.title" : "deposit.one")} fallback="/information/recharge" />}>
      <div className={styles.page}>
        {depositNo === null ? <Paying channelId={query.get("channel")} /> : <DepositDetail key={depositNo} depositNo={depositNo} />}
      </div>
    </Screen>
  );
}

function Paying({ channelId }: { channelId: string | null }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useDepositing();
  const facts = useMember().value?.facts;
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("deposit.failed")} code={failure ?? ""} onRetry={retry} />;
    return skeleton ? <Skeleton rows={6} /> : null;
  }
  const channel = value.channels.find(({ id }) => id === channelId);
  const missing = facts ? missingFor("deposit", facts) : [];
  if (!channel) {
    return <EmptyState title={t("deposit.noChannel")} action={{ label: t("deposit.channels"), to: "/information/recharge" }} />;
  }
  return (
    <div className={styles.inset}>
      <Blocked title={t("deposit.blocked")} missing={missing} />
      <Card label={t(`deposit.channel.${channel.kind}`)}>
        <PayTo channel={channel} />
      </Card>
      {missing.length === 0 && <DepositForm channel={channel} leftTodayCents={value.leftTodayCents} />}
    </div>
  );
}

/** Where the money goes, with a button that copies it. */
function PayTo({ channel }: { channel: DepositChannel }) {
  const { t } = useTranslation();
  const copy = async (): Promise<void> => {
    showToast(t((await copyText(channel.payTo)) ? "funding.copied" : "funding.notCopied"), "info");
  };
  return (
    <>
      <FieldList
        fields={[
          { label: t("deposit.bank"), value: t("deposit.sandboxBank") },
          {
            label: t("deposit.virtualAccount"),
            value: (
              <>
                <span className={styles.payTo}>{channel.payTo}</span>
                <IconButton label={t("funding.copy")} icon={<Copy size={20} aria-hidden />} onClick={() => void copy()} />
              </>
            ),
          },
        ]}
      />
      <ol className={styles.steps}>
        <li>{t(channel.kind === "counter" ? "deposit.how.counter" : "deposit.how.transfer")}</li>
        <li>{t("deposit.how.own")}</li>
        <li>{t("deposit.how.report")}</li>
      </ol>
    </>
  );
}

function DepositForm({ channel, leftTodayCents }: { channel: DepositChannel; leftTodayCents: number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const digits = text.replaceAll(",", "");
  const amount = /^\d{1,10}$/.test(digits) ? Number(digits) : null;
  const request = useRequest("submitDeposit", {
    fields: FIELDS,
    check: (body) => {
      const homeCents = channel.currency === "TWD" ? body.amount * 100 : 0;
      const refusal = depositRefusal(channel, body.amount, { homeCents, leftTodayCents, hasProof: body.proofId !== null });
      return refusal ? [refusal] : [];
    },
    onAccepted: (deposit) => {
      takeDeposit(deposit);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
      void navigate(pathTo("/information/rechargeChannel", { no: deposit.depositNo }), { replace: true });
    },
  });
  const typed = (next: string): void => {
    setText(next);
    request.edit("amount");
  };
  const bounds = { currency: channel.paid, min: grouped(String(channel.minimum)), max: grouped(String(channel.maximum)) };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ channelId: channel.id, amount, proofId: null });
      }}
    >
      <TextField
        label={t("deposit.amount", { currency: channel.paid })}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={request.errorAt("amount") ?? request.errorAt("channelId")}
        hint={`${t("deposit.bounds", bounds)} · ${t("deposit.leftToday", { amount: formatMoney(leftTodayCents) })}`}
        onText={typed}
      />
      <div className={styles.amounts}>
        {AMOUNTS.filter((one) => one >= channel.minimum && one <= channel.maximum).map((one) => (
          <Chip key={one} pressed={amount === one} onPress={() => typed(String(one))}>
            {grouped(String(one))}
          </Chip>
        ))}
      </div>
      <FundingError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("deposit.submit")}
      </Button>
    </form>
  );
}
