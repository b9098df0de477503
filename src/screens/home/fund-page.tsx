/** One fund in its raising: where it stands, the member's stakes, the form, its figures, the past of its index, dates and notes. */
import { useTranslation } from "react-i18next";
import type { IndexPast, Raise } from "#contract/raise.ts";
import type { RaiseRule } from "#contract/raise-rule.ts";
import { formatPercent, formatPrice, formatRate, formatTwd, grouped, worth } from "#contract/kernel/money.ts";
import { formatDate, formatDateTime } from "#contract/kernel/time.ts";
import { useInstrumentName, useLots } from "#src/screens/quote/sale-words.ts";
import { useRaises, useStakesIn } from "#src/streams/raises.ts";
import { MeasuredList } from "#src/ui/measured-list.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { DateSteps } from "./date-steps.tsx";
import { isOpenAt, raiseAt, useRaiseClock } from "./fund-clock.ts";
import { Subscribing } from "./fund-form.tsx";
import { CARD_GAP_PX, CARD_PX, StakeCard } from "./fund-stakes.tsx";
import { useNextRaise } from "./fund-words.ts";
import styles from "./fund.module.css";

/** `/home/etf?fund=N0005F` */
export function FundPage({ code }: { code: string }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const { value, state, failure, retry } = useRaises();
  const found = value?.raises.find((one) => one.code === code);
  const now = useRaiseClock(found ? [found] : [], retry);
  const skeleton = useSkeleton(value === null && state !== "failed");
  return (
    <Screen header={<BackHeader title={found ? nameOf(code) : t("app.title.funds")} fallback="/home/etf" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={7} />}
        {value === null && state === "failed" && <ErrorState what={t("fund.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && !found && (
          <EmptyState title={t("fund.gone")} why={t("fund.noneWhy")} action={{ label: t("fund.all"), to: "/home/etf" }} />
        )}
        {value && found && <OpenFund raise={raiseAt(found, now)} rule={value.rule} now={now} />}
      </div>
    </Screen>
  );
}

function OpenFund({ raise, rule, now }: { raise: Raise; rule: RaiseRule; now: number }) {
  const { t } = useTranslation();
  const own = useStakesIn(raise);
  return (
    <>
      <Head raise={raise} />
      {own.length > 0 && (
        <Section title={t("fund.mine")} inset>
          <MeasuredList label={t("fund.mine")} items={own} keyOf={({ stakeNo }) => stakeNo} estimatePx={CARD_PX} gapPx={CARD_GAP_PX}>
            {(stake) => <StakeCard stake={stake} now={now} />}
          </MeasuredList>
        </Section>
      )}
      {isOpenAt(raise, now) && <Subscribing raise={raise} rule={rule} stakes={own} />}
      <Figures raise={raise} />
      <Past past={raise.past} />
      <Dates raise={raise} now={now} />
      <Notes raise={raise} rule={rule} />
    </>
  );
}

/** Where it stands, and its price. */
function Head({ raise }: { raise: Raise }) {
  const { t } = useTranslation();
  const nextOf = useNextRaise();
  return (
    <Card label={t("app.title.funds")}>
      <div className={styles.cardHead}>
        <p className={styles.status} data-status={raise.status} role="status">
          {t(`raise.status.${raise.status}`)}
        </p>
        <p className={styles.note}>{nextOf(raise)}</p>
      </div>
      <div>
        <p className={styles.note}>{t("fund.field.price")}</p>
        <p className={styles.total}>{formatPrice(raise.price)}</p>
      </div>
    </Card>
  );
}

function Figures({ raise }: { raise: Raise }) {
  const { t } = useTranslation();
  const lotsOf = useLots("fund.lots");
  const units = (n: number): string => t("fund.units", { count: n, n: grouped(String(n)) });
  const value = (lots: number): number => worth(raise.price, lots * raise.lotUnits);
  const fields: Field[] = [
    { label: t("fund.field.size"), value: formatTwd(raise.sizeCents) },
    { label: t("fund.field.issued"), value: units(raise.issuedUnits) },
    { label: t("fund.field.minimumSize"), value: formatTwd(raise.minimumSizeCents) },
    { label: t("fund.field.least"), value: `${lotsOf(raise.leastLots)} · ${formatTwd(value(raise.leastLots))}` },
    { label: t("fund.field.most"), value: lotsOf(raise.mostLots) },
    {
      label: t("fund.field.term"),
      value: raise.maturesAt === null ? t("fund.noTerm") : t("fund.until", { time: formatDate(raise.maturesAt) }),
    },
    {
      label: t("fund.field.dividends"),
      value: raise.distributions === 0 ? t("fund.noDividends") : t("fund.aYear", { count: raise.distributions }),
    },
    { label: t("fund.field.listingPrice"), value: formatPrice(raise.listingPrice) },
    ...(raise.askedLots === null ? [] : [{ label: t("fund.field.asked"), value: lotsOf(raise.askedLots) }]),
    ...(raise.allottedLots === null ? [] : [{ label: t("fund.field.allotted"), value: lotsOf(raise.allottedLots) }]),
  ];
  return (
    <Section title={t("fund.figures")} inset>
      <Card label={t("fund.figures")}>
        <FieldList fields={fields} />
        {raise.distributions > 0 && <p className={styles.note}>{t("fund.yield", { rate: formatRate(raise.yieldPerMillion) })}</p>}
      </Card>
    </Section>
  );
}

/** The only return that can be told: what the index did in the past, for which period, and that it promises nothing. */
function Past({ past }: { past: IndexPast | null }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  return (
    <Section title={t("fund.past.title")} inset>
      <Card label={t("fund.past.title")}>
        {past ? (
          <FieldList
            fields={[
              { label: t("fund.past.index"), value: nameOf(past.indexCode) },
              { label: t("fund.past.period"), value: `${formatDate(past.from)} – ${formatDate(past.until)}` },
              { label: t("fund.past.change"), value: <Change perMillion={past.changePerMillion} /> },
            ]}
          />
        ) : (
          <p>{t("fund.past.none")}</p>
        )}
        <p className={styles.strong}>{t("fund.past.promise")}</p>
      </Card>
    </Section>
  );
}

/** A change with its sign and its arrow: never told by colour alone. */
function Change({ perMillion }: { perMillion: number }) {
  const { t } = useTranslation();
  const trend = perMillion > 0 ? "up" : perMillion < 0 ? "down" : "flat";
  const mark = { up: "▲", down: "▼", flat: "–" }[trend];
  return (
    <span data-d={trend} aria-label={`${t(`ui.trend.${trend}`)} ${formatPercent(Math.round(Math.abs(perMillion) / 100), "never")}`}>
      <span aria-hidden>{`${mark} ${formatPercent(Math.round(perMillion / 100))}`}</span>
    </span>
  );
}

function Dates({ raise, now }: { raise: Raise; now: number }) {
  const { t } = useTranslation();
  return (
    <Section title={t("fund.dates")} inset>
      <DateSteps
        now={now}
        steps={[
          { label: t("fund.date.open"), at: raise.opensAt },
          { label: t("fund.date.close"), at: raise.closesAt },
          { label: t("fund.date.allot"), at: raise.allottedAt },
          { label: t("fund.date.list"), at: raise.tradesFrom },
          ...(raise.lastTradedAt === null ? [] : [{ label: t("fund.date.lastTrade"), at: raise.lastTradedAt }]),
          ...(raise.maturesAt === null ? [] : [{ label: t("fund.date.mature"), at: raise.maturesAt }]),
        ]}
      />
    </Section>
  );
}

function Notes({ raise, rule }: { raise: Raise; rule: RaiseRule }) {
  const { t } = useTranslation();
  return (
    <div className={styles.notes}>
      <p>{t("fund.note.reserve")}</p>
      <p>{t("fund.note.withdraw", { time: formatDateTime(raise.closesAt) })}</p>
      <p>{t("fund.note.fails", { amount: formatTwd(raise.minimumSizeCents) })}</p>
      <p>{t("fund.note.allot")}</p>
      <p>{t("fund.note.lock", { time: formatDateTime(raise.tradesFrom) })}</p>
      <p>{t("fund.note.fee", { rate: formatRate(rule.feePerMillion), amount: formatTwd(rule.feeMinimumCents) })}</p>
      <p>{t("fund.note.value")}</p>
      {raise.maturesAt !== null && (
        <p>{t("fund.note.end", { last: formatDateTime(raise.lastTradedAt ?? raise.maturesAt), day: formatDate(raise.maturesAt) })}</p>
      )}
      <p>{t("fund.simulated")}</p>
    </div>
  );
}
