/** How a newcomer was offered before its listing: the price, the chance of a lot, and what the market pays now. */
import { useTranslation } from "react-i18next";
import { formatPrice, formatRate, grouped } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import type { Offering } from "#contract/offering.ts";
import { pathTo } from "#src/paths.ts";
import { useOfferingOf } from "#src/streams/offerings.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { Premium, basePrice } from "./offering-premium.tsx";
import { useAfterDraw } from "./offering-words.ts";
import styles from "./offering.module.css";

/** Nothing for an instrument that was never offered here. */
export function OfferingStory({ code }: { code: string }) {
  const { t } = useTranslation();
  const offering = useOfferingOf(code)?.offering;
  const result = useResult();
  if (!offering) return null;
  const { offeringNo, opensAt, closesAt, tradesFrom, lots, price, phase, kind } = offering;
  const isFund = kind === "fund";
  const ofPrice = isFund ? "offering.fund.price" : price === null ? "offering.field.provisional" : "offering.field.price";
  return (
    <section className={styles.part} aria-labelledby="offered">
      <h2 id="offered">{t("offering.story")}</h2>
      <FieldList
        fields={[
          { label: t("offering.kinds"), value: t(`offering.kind.${kind}`) },
          { label: t("offering.window"), value: `${formatDate(opensAt)} – ${formatDate(closesAt)}` },
          { label: t(ofPrice), value: formatPrice(basePrice(offering)) },
          {
            label: t(isFund ? "offering.fund.offered" : "offering.field.offered"),
            value: t("offering.lotsRow", { count: lots, n: grouped(String(lots)) }),
          },
          ...(isFund ? [] : result(offering)),
          { label: t("offering.field.listing"), value: formatDate(tradesFrom) },
          ...(phase === "listed" ? [{ label: t("offering.field.spread"), value: <Premium offering={offering} full /> }] : []),
        ]}
      />
      <ButtonLink to={isFund ? pathTo("/home/etf", { fund: offeringNo }) : pathTo("/home/newStockBuy", { offering: offeringNo })}>
        {t(isFund ? "offering.fund.open" : "offering.toOffering")}
      </ButtonLink>
    </section>
  );
}

/** What was applied for and allotted. A fund has neither a draw nor a chance. */
function useResult(): (offering: Offering) => Field[] {
  const { t } = useTranslation();
  const after = useAfterDraw();
  return (offering) => {
    const { kind, subscribedLots, winningLots, winningPerMillion } = offering;
    const isShared = kind === "placement";
    const lots = (n: number): string => t("offering.lotsRow", { count: n, n: grouped(String(n)) });
    const asked = isShared ? lots : (n: number): string => grouped(String(n));
    return [
      {
        label: t(isShared ? "offering.field.asked" : "offering.field.applications"),
        value: subscribedLots === null ? t("offering.later") : asked(subscribedLots),
      },
      { label: t("offering.field.winning"), value: winningLots === null ? after(offering) : lots(winningLots) },
      {
        label: t(isShared ? "offering.field.share" : "offering.field.rate"),
        value: winningPerMillion === null ? t("offering.later") : formatRate(winningPerMillion),
      },
    ];
  };
}
