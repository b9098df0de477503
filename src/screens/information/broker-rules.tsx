/** The broker-wide rules: sessions, margin, day trading and the order rate limit. */
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { SESSION_PHASES } from "#contract/instrument.ts";
import { formatMoney, formatRate } from "#contract/kernel/money.ts";
import { DAY_MS, formatTime, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { RewardRule } from "#contract/reward.ts";
import type { Rules } from "#contract/rule.ts";
import type { ShortCoverRule } from "#contract/short-cover.ts";
import { useVenue } from "#src/streams/instruments.ts";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { ConversionTerms } from "./conversion-terms.tsx";
import styles from "./information.module.css";

/** A timestamp as `HH:mm`. */
const clock = (at: number): string => formatTime(at).slice(0, 5);

/** The sections below those of the class. */
export function BrokerRules({ rules: { margin, dayTrade, shortCover, conversion, reward, commandsPerSecond } }: { rules: Rules }) {
  const { t } = useTranslation();
  return (
    <>
      <Sessions />
      <Section
        title={t("rule.part.margin")}
        inset
        action={
          <Link className={styles.more ?? ""} to="/home/margin">
            {t("rule.toMargin")}
          </Link>
        }
      >
        <Card label={t("rule.part.margin")}>
          <FieldList
            fields={[
              { label: t("rule.callBelow"), value: `${margin.callPercent}%` },
              { label: t("rule.clearedFrom"), value: `${margin.clearedPercent}%` },
              { label: t("rule.liquidatedBelow"), value: `${margin.liquidationPercent}%` },
              { label: t("rule.accountAge"), value: t("rule.days", { count: margin.accountDays }) },
              { label: t("rule.minimumScore"), value: String(margin.minimumScore) },
              { label: t("rule.review"), value: t("rule.seconds", { count: margin.reviewSeconds }) },
              { label: t("rule.grace"), value: t("rule.tradingDays", { count: margin.graceDays }) },
            ]}
          />
          <p className={styles.plain}>{t("rule.why.margin")}</p>
        </Card>
      </Section>
      <Section
        title={t("rule.part.dayTrade")}
        inset
        action={
          <Link className={styles.more ?? ""} to="/home/dayTrading">
            {t("rule.toDayTrading")}
          </Link>
        }
      >
        <Card label={t("rule.part.dayTrade")}>
          <FieldList
            fields={[
              { label: t("rule.accountAge"), value: t("rule.days", { count: dayTrade.accountDays }) },
              { label: t("rule.executedOrders"), value: String(dayTrade.minimumOrders) },
              {
                label: t("rule.squareOff"),
                value: t("rule.minutes", { count: Math.ceil((dayTrade.squareOffSeconds * SECOND_MS) / MINUTE_MS) }),
              },
              { label: t("rule.warning"), value: `${dayTrade.warningPercent}%` },
            ]}
          />
          <p className={styles.plain}>{t("rule.why.dayTrade")}</p>
        </Card>
      </Section>
      <ShortCover rule={shortCover} />
      <ConversionTerms title={t("conversion.title")} rule={conversion} />
      <Rewards rule={reward} />
      <Section title={t("rule.part.pace")} inset>
        <Card label={t("rule.part.pace")}>
          <FieldList fields={[{ label: t("rule.commands"), value: t("rule.perSecond", { n: commandsPerSecond }) }]} />
        </Card>
      </Section>
    </>
  );
}

/** The days around a closed register on which shorts are covered and none may be opened. */
function ShortCover({ rule }: { rule: ShortCoverRule }) {
  const { t } = useTranslation();
  return (
    <Section title={t("shortCover.part")} inset>
      <Card label={t("shortCover.part")}>
        <FieldList
          fields={[
            { label: t("shortCover.coverDays"), value: t("rule.tradingDays", { count: rule.coverDays }) },
            { label: t("shortCover.stopDays"), value: t("rule.tradingDays", { count: rule.stopDays }) },
            {
              label: t("shortCover.coverMinutes"),
              value: t("rule.minutes", { count: Math.ceil((rule.coverSeconds * SECOND_MS) / MINUTE_MS) }),
            },
          ]}
        />
      </Card>
    </Section>
  );
}

/** What check-ins redeem, and the commissions of agents and seats. */
function Rewards({ rule: reward }: { rule: RewardRule }) {
  const { t } = useTranslation();
  return (
    <Section title={t("rule.part.reward")} inset>
      <Card label={t("rule.part.reward")}>
        <FieldList
          fields={[
            { label: t("rule.checkIns"), value: String(reward.checkInsPerVoucher) },
            {
              label: t("rule.voucher"),
              value: `NT$${formatMoney(reward.voucherCents)} · ${t("rule.days", { count: reward.voucherDays })}`,
            },
            { label: t("rule.rebate"), value: formatRate(reward.rebatePerMillion) },
            { label: t("rule.seatFee"), value: formatRate(reward.seatFeePerMillion) },
          ]}
        />
      </Card>
    </Section>
  );
}

/** What each session phase accepts, and the session's times. */
function Sessions() {
  const { t } = useTranslation();
  const venue = useVenue();
  const continuous = venue !== null && venue.closesAt - venue.opensAt >= DAY_MS;
  return (
    <Section title={t("rule.part.sessions")} inset>
      <Card label={t("rule.part.sessions")}>
        {venue && (
          <FieldList
            fields={[
              {
                label: t("rule.session"),
                value: continuous ? t("rule.roundTheClock") : `${clock(venue.opensAt)} – ${clock(venue.closesAt)}`,
              },
              {
                label: t("rule.now"),
                value:
                  venue.phaseEndsAt === null
                    ? t(`market.phase.${venue.phase}`)
                    : t("rule.phaseUntil", { phase: t(`market.phase.${venue.phase}`), time: formatTime(venue.phaseEndsAt) }),
              },
            ]}
          />
        )}
        <dl className={styles.phases}>
          {SESSION_PHASES.map((phase) => (
            <div key={phase} data-now={phase === venue?.phase || undefined}>
              <dt>{t(`market.phase.${phase}`)}</dt>
              <dd>{t(`rule.phase.${phase}`)}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.plain}>{t("rule.oddLots")}</p>
      </Card>
    </Section>
  );
}
