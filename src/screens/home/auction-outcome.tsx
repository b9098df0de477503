/** The outcome of an auction: the prices that won, and all bids by price with the member's among them and the cut-off. */
import { useTranslation } from "react-i18next";
import type { Auction, AuctionOutcome } from "#contract/auction.ts";
import type { Bid } from "#contract/bid.ts";
import { formatPrice, grouped } from "#contract/kernel/money.ts";
import { useLots } from "#src/screens/quote/sale-words.ts";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { barRows } from "./bid-bars.ts";
import type { BarRow } from "./bid-bars.ts";
import styles from "./auction.module.css";

export function Outcome({ auction, outcome, bids }: { auction: Auction; outcome: AuctionOutcome; bids: readonly Bid[] }) {
  const { t } = useTranslation();
  const { cutOff, average, price, lotsBid, lotsWon } = outcome;
  const lotsOf = useLots("auction.lots");
  return (
    <Section title={t("auction.outcome")} inset>
      <Card label={t("auction.outcome")}>
        {cutOff === null && <p>{t("auction.nobody")}</p>}
        <FieldList
          fields={[
            { label: t("auction.field.cutOff"), value: formatPrice(cutOff) },
            { label: t("auction.field.average"), value: formatPrice(average) },
            { label: t("auction.field.lottery"), value: formatPrice(price) },
            { label: t("auction.field.bids"), value: t("auction.count", { count: outcome.bids, n: grouped(String(outcome.bids)) }) },
            { label: t("auction.field.lotsBid"), value: lotsOf(lotsBid) },
            { label: t("auction.field.lotsWon"), value: `${grouped(String(lotsWon))} / ${lotsOf(auction.lots)}` },
          ]}
        />
        {cutOff !== null && <Histogram rows={barRows(outcome.histogram, bids, cutOff)} cutOff={cutOff} outcome={outcome} />}
      </Card>
    </Section>
  );
}

/** One row a price: its bar, the lots bid for, and a mark where the member's are. A line and words say where winning ends. */
function Histogram({ rows, cutOff, outcome: { lotsBid, lotsWon } }: { rows: readonly BarRow[]; cutOff: number; outcome: AuctionOutcome }) {
  const { t } = useTranslation();
  const summary = { price: formatPrice(cutOff), won: grouped(String(lotsWon)), lost: grouped(String(lotsBid - lotsWon)) };
  return (
    <table className={styles.bars}>
      <caption>
        <strong>{t("auction.allBids")}</strong>
        <span className={styles.note}>{t("auction.chart", summary)}</span>
      </caption>
      <thead>
        <tr>
          <th scope="col">{t("auction.column.price")}</th>
          <td />
          <th scope="col" className={styles.barLots}>
            {t("auction.field.lots")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.from} data-cut={row.isCutOff || undefined} data-own={row.own > 0 || undefined}>
            <th scope="row">{formatPrice(row.from)}</th>
            <td className={styles.barCell}>
              <span className={styles.bar} aria-hidden>
                <span data-part="won" style={{ inlineSize: `${row.won * 100}%` }} />
                <span data-part="lost" style={{ inlineSize: `${row.lost * 100}%` }} />
              </span>
              {row.own > 0 && <span className={styles.own}>{t("auction.chartYours", { n: grouped(String(row.own)) })}</span>}
              {row.isCutOff && <span className={styles.cut}>{t("auction.chartCutOff", { price: formatPrice(cutOff) })}</span>}
            </td>
            <td className={styles.barLots}>{grouped(String(row.lots))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
