/** How a newcomer was offered before its listing: the price, the chance of a lot, and what the market pays now. */
import { useTranslation } from "react-i18next";
import { formatPrice, formatRate, grouped } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { useOfferingOf } from "#src/streams/offerings.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { Premium, basePrice } from "./offering-premium.tsx";
import { useMinute, useNext } from "./offering-words.ts";
import styles from "./offering.module.css";

/** Nothing for an instrument that was never offered here. */
export function OfferingStory({ code }: { code: string }) {
  const { t } = useTranslation();
  const now = useMinute();
  const next = useNext();
  const offering = useOfferingOf(code)?.offering;
  if (!offering) return null;
  const { opensAt, closesAt, subscribedLots, winningLots, winningPerMillion, lots, price, phase, kind } = offering;
  const count = (n: number | null): string => (n === null ? t("offering.later") : grouped(String(n)));
  return (
    <section className={styles.part} aria-labelledby="offered">
      <h2 id="offered">{t("offering.story")}</h2>
      <FieldList
        fields={[
          { label: t("offering.kinds"), value: t(`offering.kind.${kind}`) },
          { label: t("offering.window"), value: `${formatDate(opensAt)} – ${formatDate(closesAt)}` },
          {
            label: t(price === null ? "offering.field.provisional" : "offering.field.price"),
            value: formatPrice(basePrice(offering)),
          },
          { label: t("offering.field.offered"), value: t("offering.lotsRow", { count: lots, n: grouped(String(lots)) }) },
          { label: t(kind === "placement" ? "offering.field.asked" : "offering.field.applications"), value: count(subscribedLots) },
          {
            label: t("offering.field.winning"),
            value:
              winningLots === null
                ? t("offering.afterDraw")
                : t("offering.lotsRow", { count: winningLots, n: grouped(String(winningLots)) }),
          },
          {
            label: t(kind === "placement" ? "offering.field.share" : "offering.field.rate"),
            value: winningPerMillion === null ? t("offering.later") : formatRate(winningPerMillion),
          },
          {
            label: t("offering.field.spread"),
            value: phase === "listed" ? <Premium offering={offering} full /> : next(offering, now).text,
          },
        ]}
      />
      <ButtonLink to={pathTo("/home/newStockBuy", { offering: offering.offeringNo })}>{t("offering.toOffering")}</ButtonLink>
    </section>
  );
}
