/** What an offering is: its price and premium, its terms, its dates as a timeline, and what to know before applying. */
import { useTranslation } from "react-i18next";
import { formatPrice, formatRate, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Offering } from "#contract/offering.ts";
import type { OfferingRule } from "#contract/offering-kind.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { MarketPrice, Premium, basePrice } from "#src/screens/quote/offering-premium.tsx";
import { useAfterDraw, useLotSize, useNext, usePhaseWord } from "#src/screens/quote/offering-words.ts";
import { classNames } from "#src/ui/class-names.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { pathTo } from "#src/paths.ts";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { RiskNotice } from "#src/ui/state.tsx";
import { Timeline } from "#src/ui/timeline.tsx";
import type { TimelineStep } from "#src/ui/timeline.tsx";
import { momentText, momentsOf } from "./offering-days.ts";
import styles from "./new-share.module.css";

/** The price, and what comes next. */
export function OfferingHead({ offering, now }: { offering: Offering; now: number }) {
  const { t } = useTranslation();
  const { text, left } = useNext()(offering, now);
  const phase = usePhaseWord();
  return (
    <div className={classNames(styles.head, styles.inset)}>
      <p className={styles.kind}>
        {t(`offering.kind.${offering.kind}`)} · {phase(offering)}
      </p>
      <p className={styles.hero}>
        <span className={styles.unit}>TWD</span> {formatPrice(basePrice(offering))}
      </p>
      {offering.price === null && (
        <p className={styles.note}>{t(offering.increase ? "offering.increase.provisionalWhy" : "offering.provisionalWhy")}</p>
      )}
      {(offering.phase === "listed" || (offering.increase && offering.price !== null)) && (
        <p className={styles.premium}>
          {t("offering.field.spread")} <Premium offering={offering} full />
        </p>
      )}
      <p className={styles.next}>
        {text}
        {left !== "" && <span className={styles.note}> · {left}</span>}
      </p>
    </div>
  );
}

/** A figure that is published only after the close. */
function useFigure(): (value: number | null, text: (value: number) => string) => string {
  const { t } = useTranslation();
  return (value, text) => (value === null ? t("offering.later") : text(value));
}

export function OfferingTermsList({ offering }: { offering: Offering }) {
  const { t, i18n } = useTranslation();
  const figure = useFigure();
  const sizeOf = useLotSize();
  const after = useAfterDraw();
  const lots = (n: number): string => t("offering.lotsRow", { count: n, n: grouped(String(n)) });
  const { price, provisionalPrice, auction, phase, kind } = offering;
  const prices: Field[] = [
    { label: t("offering.field.price"), value: price === null ? t("offering.afterAuction") : formatPrice(price) },
    // Without an auction the price was never provisional.
    ...(auction === null ? [] : [{ label: t("offering.field.provisional"), value: formatPrice(provisionalPrice) }]),
    { label: t("offering.field.market"), value: phase === "listed" ? <MarketPrice offering={offering} /> : t("offering.noMarket") },
  ];
  const sizes: Field[] = [
    { label: t("offering.field.offered"), value: lots(offering.lots) },
    { label: t("offering.field.lot"), value: sizeOf(offering) },
    {
      label: t("offering.field.perClient"),
      value:
        offering.leastLots === offering.mostLots
          ? lots(offering.mostLots)
          : `${grouped(String(offering.leastLots))} – ${lots(offering.mostLots)}`,
    },
    {
      label: t(kind === "placement" ? "offering.field.asked" : "offering.field.applications"),
      value: figure(offering.subscribedLots, (n) => (kind === "placement" ? lots(n) : grouped(String(n)))),
    },
    { label: t("offering.field.winning"), value: offering.winningLots === null ? after(offering) : lots(offering.winningLots) },
    {
      label: t(kind === "placement" ? "offering.field.share" : "offering.field.rate"),
      value: figure(offering.winningPerMillion, formatRate),
    },
  ];
  return (
    <Section title={t("offering.section.terms")} inset>
      <Card label={t("offering.section.terms")}>
        <FieldList
          fields={[
            ...prices,
            ...sizes,
            { label: t("offering.field.broker"), value: shortName(offering.leadBroker, i18n.language) },
            { label: t("offering.field.board"), value: t(`market.board.${offering.board}`) },
          ]}
        />
      </Card>
      <ButtonLink to={pathTo("/market/stockDetail", { code: offering.code })}>{t("offering.toStock")}</ButtonLink>
    </Section>
  );
}

export function OfferingDates({ offering, now }: { offering: Offering; now: number }) {
  const { t } = useTranslation();
  const dates = momentsOf(offering);
  const next = dates.find(({ at }) => at > now)?.moment;
  const steps = dates.map(({ moment, at }): TimelineStep => ({
    key: moment,
    title: t(momentText(offering, moment)),
    at,
    state: moment === next ? "now" : at <= now ? "done" : "ahead",
  }));
  return (
    <Section title={t("offering.section.dates")} inset>
      <Timeline label={t("offering.section.dates")} steps={steps} />
    </Section>
  );
}

/** What a member should know before they commit: what is kept, what a win obliges to, until when they can withdraw. */
export function OfferingNotes({ offering, rule }: { offering: Offering; rule: OfferingRule }) {
  const { t } = useTranslation();
  const { closesAt, payableUntil, allottedAt, tradesFrom, kind } = offering;
  return (
    <Section title={t("offering.section.notes")} inset>
      <div className={styles.notes}>
        <RiskNotice>
          {t(kind === "placement" ? "offering.placement.win" : "offering.note.win", {
            time: formatDateTime(payableUntil),
            percent: formatRate(rule.depositPerMillion),
            n: rule.barredDraws,
          })}
        </RiskNotice>
        <p>
          {t("offering.note.withdraw", { time: formatDateTime(closesAt), fee: formatTwd(rule.feeCents) })}{" "}
          {rule.timesPerOffering === 1 && <strong>{t("offering.note.once")}</strong>}
        </p>
        {kind === "placement" && <p>{t("offering.note.pro")}</p>}
        <p>{t("offering.note.lock", { delivery: formatDateTime(allottedAt), listing: formatDateTime(tradesFrom) })}</p>
        <p>{t("offering.note.risk")}</p>
        {kind !== "placement" && <p>{t("offering.note.price")}</p>}
        <p>{t("offering.simulated")}</p>
      </div>
    </Section>
  );
}
