/** My account: assets, today's profit, the equity curve, and links to everything that belongs to the member. */
import {
  BadgeCheck,
  Bell,
  BellRing,
  CalendarDays,
  FileSignature,
  Fingerprint,
  Headset,
  Info,
  Languages,
  ListChecks,
  Scale,
  Settings2,
} from "lucide-react";
import { useObservableState } from "observable-hooks";
import { useTranslation } from "react-i18next";
import { auditTime } from "rxjs";
import { formatGain, formatMoney } from "#contract/kernel/money.ts";
import type { MemberOverview } from "#contract/member.ts";
import { ProfitButton } from "#src/screens/quote/profit-button.tsx";
import type { ProfitOf } from "#src/screens/quote/profit-sheet.tsx";
import { currentLanguage, LANGUAGES } from "#src/gateway/language.ts";
import { liveOverview, useMember } from "#src/streams/member.ts";
import { profitTotal$ } from "#src/streams/profits.ts";
import { useSettlesLater } from "#src/streams/settlements.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { Card, FieldList, List, Row, Section } from "#src/ui/row.tsx";
import { Screen, TitleHeader } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { AccountCurve } from "./account-curve.tsx";
import { AccountFiles } from "./account-files.tsx";
import { SharedNote } from "./shared-note.tsx";
import { MoneyLinks } from "./money-links.tsx";
import styles from "./information.module.css";

/** Sums change too fast to read: one update a second is enough. */
const profitSum$ = profitTotal$.pipe(auditTime(1000));

function Profit({ amountCents, of }: { amountCents: number; of: ProfitOf }) {
  return (
    <ProfitButton of={of}>
      <Direction trend={trendOf(amountCents)} text={formatMoney(amountCents, "always")} arrow={false} />
    </ProfitButton>
  );
}

function Overview({ known }: { known: MemberOverview }) {
  const { t } = useTranslation();
  const sum = useObservableState(profitSum$, null);
  const member = liveOverview(known, sum);
  const { todayProfitCents: today, currentProfitCents: current, realisedCents: realised } = member;
  return (
    <>
      <div className={styles.hero}>
        <p className={styles.who}>
          {member.name}
          <span className={styles.identity} data-identity={member.identity}>
            {t(`information.identity.${member.identity}`)}
          </span>
        </p>
        <p className={styles.label}>{t("information.totalAssets", { currency: member.currency })}</p>
        <p className={styles.total}>{formatMoney(member.totalCents)}</p>
        {member.foreignCents !== 0 && <p className={styles.label}>{t("information.atMid")}</p>}
        <p className={styles.today}>
          <span className={styles.label}>{t("information.todayProfit")}</span>{" "}
          <Profit amountCents={today} of={{ kind: "today", todayCents: today }} />
        </p>
      </div>
      <SharedNote />
      <div className={styles.inset}>
        <Card label={t("information.title")}>
          <FieldList
            fields={[
              { label: t("information.available"), value: formatMoney(member.availableCents) },
              { label: t("information.frozen"), value: formatMoney(member.frozenCents) },
              { label: t("information.unsettled"), value: formatMoney(member.unsettledCents) },
              { label: t("information.profitFunds"), value: formatMoney(member.profitFundsCents) },
              { label: t("information.usd"), value: formatMoney(member.usdCents) },
              ...(member.foreignCents === 0 ? [] : [{ label: t("information.foreign"), value: formatMoney(member.foreignCents) }]),
              { label: t("information.positions"), value: formatMoney(member.positionsCents) },
              ...(member.rightsCents === 0 ? [] : [{ label: t("information.rights"), value: formatMoney(member.rightsCents) }]),
              ...(member.futuresWalletCents === 0
                ? []
                : [{ label: t("information.futuresWallet"), value: formatMoney(member.futuresWalletCents) }]),
              ...(member.optionsCents === 0 ? [] : [{ label: t("information.options"), value: formatMoney(member.optionsCents) }]),
              ...(member.futuresCents === 0 ? [] : [{ label: t("information.futures"), value: formatGain(member.futuresCents) }]),
              { label: t("information.currentProfit"), value: <Profit amountCents={current} of={{ kind: "open" }} /> },
              // Placed between the two tappable values, so that a tap hits the right one.
              { label: t("information.loans"), value: formatMoney(member.loanCents) },
              { label: t("information.borrowed"), value: formatMoney(member.borrowedCents) },
              { label: t("information.creditLimit"), value: formatMoney(member.creditLimitCents) },
              ...(member.debtCents === 0 ? [] : [{ label: t("information.debt"), value: formatMoney(member.debtCents) }]),
              {
                label: t("information.realised"),
                value: <Profit amountCents={realised} of={{ kind: "realised", profitCents: realised }} />,
              },
              { label: t("information.creditScore"), value: member.creditScore },
            ]}
          />
        </Card>
      </div>
      <AccountCurve totalCents={member.totalCents} />
    </>
  );
}

export function Account() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useMember();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<TitleHeader title={t("information.title")} />}>
      <div className={styles.page}>
        {value && <Overview known={value} />}
        {!value && skeleton && (
          <div className={styles.hero}>
            <Skeleton shape="hero" rows={2} />
            <Skeleton shape="block" />
          </div>
        )}
        {state === "failed" && <ErrorState what={t("information.overviewFailed")} code={failure ?? ""} onRetry={retry} />}
        <AccountLinks unread={value?.unread ?? 0} />
        <AccountFiles />
      </div>
    </Screen>
  );
}

/** Everything else that belongs to the member. `unread`: the unread messages. */
function AccountLinks({ unread }: { unread: number }) {
  const { t } = useTranslation();
  const later = useSettlesLater();
  return (
    <Section>
      <List label={t("information.title")}>
        <Row
          leading={<ListChecks size={22} aria-hidden />}
          title={t("information.setup")}
          subtitle={t("information.setupHint")}
          to="/login/loginAfter"
        />
        <Row leading={<BadgeCheck size={22} aria-hidden />} title={t("app.title.identity")} to="/information/authInfo" />
        <Row
          leading={<Bell size={22} aria-hidden />}
          title={t("information.messages")}
          subtitle={t("information.messagesHint")}
          trailing={unread > 0 ? unread : null}
          to="/information/userInfo"
        />
        <Row
          leading={<BellRing size={22} aria-hidden />}
          title={t("information.alerts")}
          subtitle={t("information.alertsHint")}
          to="/information/alerts"
        />
        <MoneyLinks />
        {later && (
          <Row
            leading={<CalendarDays size={22} aria-hidden />}
            title={t("settlement.title")}
            subtitle={t("information.settlementHint")}
            to="/information/settlements"
          />
        )}
        <Row
          leading={<Scale size={22} aria-hidden />}
          title={t("information.rules")}
          subtitle={t("information.rulesHint")}
          to="/information/tradeRule"
        />
        <Row
          leading={<Headset size={22} aria-hidden />}
          title={t("information.support")}
          subtitle={t("information.supportHint")}
          to="/information/kef"
        />
        <DocumentLinks />
        <Row
          leading={<Settings2 size={22} aria-hidden />}
          title={t("information.settings")}
          subtitle={t("information.settingsHint")}
          to="/information/setting"
        />
        <Row
          leading={<Languages size={22} aria-hidden />}
          title={t("information.languageRow")}
          trailing={LANGUAGES[currentLanguage()]}
          to="/information/changeLang"
        />
        <Row leading={<Info size={22} aria-hidden />} title={t("information.about")} to="/information/aboutUs" />
      </List>
    </Section>
  );
}

/** Agreements and privacy. */
function DocumentLinks() {
  const { t } = useTranslation();
  return (
    <>
      <Row
        leading={<FileSignature size={22} aria-hidden />}
        title={t("information.agreements")}
        subtitle={t("information.agreementsHint")}
        to="/information/shou"
      />
      <Row
        leading={<Fingerprint size={22} aria-hidden />}
        title={t("app.title.privacy")}
        subtitle={t("information.privacyHint")}
        to="/information/userPrivacy"
      />
    </>
  );
}
