/** What a capital increase is: its terms, the member's right to new shares, and what to know before it is used. */
import { useTranslation } from "react-i18next";
import { formatPrice, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Offering, OfferingEntry } from "#contract/offering.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { MarketPrice } from "#src/screens/quote/offering-premium.tsx";
import { useLots } from "#src/screens/quote/offering-words.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { classNames } from "#src/ui/class-names.ts";
import { pathTo } from "#src/paths.ts";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { RiskNotice } from "#src/ui/state.tsx";
import styles from "./new-share.module.css";

/** New shares per thousand held. */
const perThousand = (ratioPerMillion: number): string => grouped(String(Math.floor(ratioPerMillion / 1_000)));

export function IncreaseTerms({ offering }: { offering: Offering }) {
  const { t, i18n } = useTranslation();
  const countOf = useLots();
  const { price, increase } = offering;
  if (!increase) return null;
  return (
    <Section title={t("offering.section.terms")} inset>
      <Card label={t("offering.section.terms")}>
        <FieldList
          fields={[
            { label: t("offering.increase.price"), value: price === null ? t("offering.increase.onEx") : formatPrice(price) },
            { label: t("offering.field.market"), value: <MarketPrice offering={offering} /> },
            { label: t("offering.increase.ratio"), value: t("offering.increase.per", { n: perThousand(increase.ratioPerMillion) }) },
            { label: t("offering.field.exRight"), value: formatDateTime(increase.exAt) },
            { label: t("offering.increase.offered"), value: countOf(offering, offering.lots) },
            { label: t("offering.field.broker"), value: shortName(offering.leadBroker, i18n.language) },
            { label: t("offering.field.board"), value: t(`market.board.${offering.board}`) },
          ]}
        />
      </Card>
      <ButtonLink to={pathTo("/market/stockDetail", { code: offering.code })}>{t("offering.toStock")}</ButtonLink>
    </Section>
  );
}

/** What the member may buy, or was paid; and who has a right at all. */
export function IncreaseRight({ entry: { offering, entitlement, subscription } }: { entry: OfferingEntry }) {
  const { t } = useTranslation();
  const countOf = useLots();
  const { increase, phase } = offering;
  if (!increase) return null;
  const who = t("offering.increase.who", { time: formatDateTime(increase.exAt) });
  if (!entitlement) {
    const isToCome = phase === "upcoming" && offering.price === null;
    return <p className={classNames(styles.note, styles.inset)}>{isToCome ? who : `${t("offering.increase.none")} ${who}`}</p>;
  }
  const { shares, worth, lapsedCents } = entitlement;
  const isWhole = subscription?.status === "paid" && subscription.lots === shares;
  return (
    <Section title={t("offering.increase.right")} inset>
      <Card label={t("offering.increase.right")}>
        <FieldList
          fields={[
            { label: t("offering.increase.right"), value: <strong>{countOf(offering, shares)}</strong> },
            { label: t("offering.increase.worth"), value: `TWD ${formatPrice(worth)}` },
          ]}
        />
      </Card>
      {lapsedCents !== null && (
        <p className={styles.note}>
          {isWhole ? t("offering.increase.used") : t("offering.increase.lapsed", { amount: formatTwd(lapsedCents) })}
        </p>
      )}
    </Section>
  );
}

/** What a holder should know before they buy. */
export function IncreaseNotes({ offering }: { offering: Offering }) {
  const { t } = useTranslation();
  const { closesAt, allottedAt, tradesFrom } = offering;
  const time = formatDateTime(closesAt);
  return (
    <Section title={t("offering.section.notes")} inset>
      <div className={styles.notes}>
        <RiskNotice>{t("offering.increase.whole", { time })}</RiskNotice>
        <p>{t("offering.increase.withdraw", { time })}</p>
        <p>{t("offering.increase.lock", { delivery: formatDateTime(allottedAt), listing: formatDateTime(tradesFrom) })}</p>
        <p>{t("offering.increase.risk")}</p>
        <p>{t("offering.simulated")}</p>
      </div>
    </Section>
  );
}
