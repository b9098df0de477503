/** One deposit: where to pay and what was paid, until it is submitted; then its progress. */
import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { NETWORK_OF } from "#contract/wallet-address.ts";
import type { DepositChannel } from "#contract/deposit.ts";
import { missingFor } from "#contract/eligibility.ts";
import { copyText } from "#src/gateway/shell.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { useDepositing } from "#src/streams/deposits.ts";
import { useMember } from "#src/streams/member.ts";
import { IconButton } from "#src/ui/button.tsx";
import { useQuery } from "#src/ui/link.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Blocked } from "./blocked.tsx";
import { CryptoForm } from "./deposit-crypto.tsx";
import { DepositDetail } from "./deposit-detail.tsx";
import { DepositForm } from "./deposit-form.tsx";
import { QrCode } from "./qr-code.tsx";
import styles from "./funding.module.css";

const QR_PIXELS = 192;

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
  const network = NETWORK_OF[channel.kind];
  return (
    <div className={styles.inset}>
      <Blocked title={t("deposit.blocked")} missing={missing} />
      <Card label={t(`deposit.channel.${channel.kind}`)}>{network ? <PayToAddress channel={channel} /> : <PayTo channel={channel} />}</Card>
      {missing.length === 0 && !network && <DepositForm channel={channel} known={value} />}
      {missing.length === 0 && network && <CryptoForm channel={channel} network={network} />}
    </div>
  );
}

/** An account number or an address, with a button that copies it. */
function Copied({ text }: { text: string }) {
  const { t } = useTranslation();
  const copy = async (): Promise<void> => {
    showToast(t((await copyText(text)) ? "funding.copied" : "funding.notCopied"), "info");
  };
  return (
    <>
      <span className={styles.payTo}>{text}</span>
      <IconButton label={t("funding.copy")} icon={<Copy size={20} aria-hidden />} onClick={() => void copy()} />
    </>
  );
}

/** The account at the bank that the money goes to. */
function PayTo({ channel: { kind, payTo, needsProof } }: { channel: DepositChannel }) {
  const { t } = useTranslation();
  const how = kind === "counter" || kind === "password" ? kind : "transfer";
  return (
    <>
      <FieldList
        fields={[
          { label: t("deposit.bank"), value: t("deposit.sandboxBank") },
          { label: t("deposit.virtualAccount"), value: <Copied text={payTo} /> },
        ]}
      />
      <ol className={styles.steps}>
        <li>{t(`deposit.how.${how}`)}</li>
        <li>{t("deposit.how.own")}</li>
        <li>{t("deposit.how.report")}</li>
        {needsProof && <li>{t("deposit.needsProof")}</li>}
      </ol>
    </>
  );
}

/** The broker's address of a network, which nobody must pay to: this is a sandbox. */
function PayToAddress({ channel: { payTo, needsProof } }: { channel: DepositChannel }) {
  const { t } = useTranslation();
  return (
    <div className={styles.form}>
      <p className={styles.trouble}>{t("deposit.never")}</p>
      <FieldList fields={[{ label: t("deposit.address"), value: <Copied text={payTo} /> }]} />
      <QrCode text={payTo} label={t("address.qr", { address: payTo })} pixels={QR_PIXELS} />
      <ol className={styles.steps}>
        <li>{t("deposit.how.usdt")}</li>
        <li>{t("deposit.how.ownWallet")}</li>
        {needsProof && <li>{t("deposit.needsProof")}</li>}
        <li>{t("deposit.how.quote")}</li>
      </ol>
    </div>
  );
}
