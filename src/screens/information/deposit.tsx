/** Deposit: what keeps the member from it, the one on its way, and the channels that take one. */
import { Landmark, Store, KeyRound, Coins } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ChannelKind, Deposit, DepositChannel } from "#contract/deposit.ts";
import { missingFor } from "#contract/eligibility.ts";
import { minuteText } from "#contract/funding.ts";
import { formatMoney, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { useDepositing } from "#src/streams/deposits.ts";
import type { Depositing } from "#src/streams/deposits.ts";
import { useMember } from "#src/streams/member.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Blocked } from "./blocked.tsx";
import styles from "./funding.module.css";

const ICONS: Record<ChannelKind, typeof Landmark> = {
  transfer: Landmark,
  counter: Store,
  password: KeyRound,
  usdtTrc20: Coins,
  usdtErc20: Coins,
};

/** `/information/recharge` */
export function DepositPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useDepositing();
  const facts = useMember().value?.facts;
  const skeleton = useSkeleton(value === null && state === "loading");
  const missing = facts ? missingFor("deposit", facts) : [];
  return (
    <Screen header={<BackHeader title={t("deposit.title")} fallback="/information/index" />}>
      <div className={styles.page}>
        <div className={styles.inset}>
          <p className={styles.note}>{t("funding.sandbox")}</p>
          <Blocked title={t("deposit.blocked")} missing={missing} />
          {value?.pending && <OnItsWay deposit={value.pending} />}
        </div>
        {value === null && skeleton && <Skeleton rows={4} />}
        {value === null && state === "failed" && <ErrorState what={t("deposit.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && missing.length === 0 && !value.pending && <Channels known={value} />}
        <div className={styles.inset}>
          <ButtonLink to="/information/fundRecord">{t("deposit.records")}</ButtonLink>
        </div>
      </div>
    </Screen>
  );
}

function OnItsWay({ deposit }: { deposit: Deposit }) {
  const { t } = useTranslation();
  return (
    <Section title={t("deposit.onItsWay")}>
      <List label={t("deposit.onItsWay")}>
        <Row
          title={`${deposit.paid} ${grouped(String(deposit.amount))}`}
          subtitle={`${t(`deposit.status.${deposit.status}`)} · ${formatDateTime(deposit.submittedAt)}`}
          to={pathTo("/information/rechargeChannel", { no: deposit.depositNo })}
        />
      </List>
      <p className={styles.note}>{t("refusal.FUND_DEPOSIT_PENDING")}</p>
    </Section>
  );
}

function Channels({ known: { channels, leftTodayCents } }: { known: Depositing }) {
  const { t } = useTranslation();
  if (channels.length === 0) return <EmptyState title={t("deposit.noChannel")} why={t("deposit.noChannelWhy")} />;
  return (
    <Section title={t("deposit.channels")}>
      <List label={t("deposit.channels")}>
        {channels.map((channel) => (
          <Channel key={channel.id} channel={channel} />
        ))}
      </List>
      <div className={styles.inset}>
        <p className={styles.note}>{t("deposit.leftToday", { amount: formatMoney(leftTodayCents) })}</p>
      </div>
    </Section>
  );
}

function Channel({ channel }: { channel: DepositChannel }) {
  const { t } = useTranslation();
  const Icon = ICONS[channel.kind];
  const { paid, minimum, maximum, opensMinute, closesMinute, hours } = channel;
  const range = { n1: minuteText(opensMinute), n2: minuteText(closesMinute) };
  return (
    <Row
      leading={<Icon size={22} aria-hidden />}
      title={t(`deposit.channel.${channel.kind}`)}
      subtitle={
        <>
          {t("deposit.bounds", { currency: paid, min: grouped(String(minimum)), max: grouped(String(maximum)) })}
          <br />
          {hours === "open" ? t("deposit.openHours", range) : t(hours === "notWorking" ? "deposit.notWorking" : "deposit.outside", range)}
        </>
      }
      {...(hours === "open" ? { to: pathTo("/information/rechargeChannel", { channel: channel.id }) } : {})}
    />
  );
}
