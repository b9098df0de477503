/** The member's bids: as rows of a list, and in their auction each with its outcome, its money and its payment. */
import { useTranslation } from "react-i18next";
import type { Bid } from "#contract/bid.ts";
import { formatPrice, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import rowStyles from "#src/screens/quote/auction-row.module.css";
import { shortMoment, useInstrumentName, useLots } from "#src/screens/quote/sale-words.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Link } from "#src/ui/link.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { BidPayment } from "./auction-pay.tsx";
import styles from "./auction.module.css";

export function BidRow({ bid }: { bid: Bid }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const lotsOf = useLots("auction.lots");
  const part = bid.wonLots > 0 && bid.wonLots < bid.lots;
  return (
    <Link to={pathTo("/home/newStockBuyJp", { code: bid.code })} className={rowStyles.row ?? ""}>
      <span className={rowStyles.texts}>
        <span className={rowStyles.name}>{nameOf(bid.code)}</span>
        <span className={bid.status === "won" ? rowStyles.note : rowStyles.small}>{t(`auction.bid.${bid.status}`)}</span>
        {bid.status === "won" && bid.payableUntil !== null && (
          <span className={rowStyles.small}>{`${t("auction.date.pay")} ${shortMoment(bid.payableUntil)}`}</span>
        )}
      </span>
      <span className={rowStyles.numbers}>
        <span className={rowStyles.price}>{formatPrice(bid.price)}</span>
        <span className={rowStyles.small}>{part ? `${grouped(String(bid.wonLots))} / ${lotsOf(bid.lots)}` : lotsOf(bid.lots)}</span>
        {bid.dueCents > 0 && <span className={rowStyles.small}>{formatTwd(bid.dueCents)}</span>}
      </span>
    </Link>
  );
}

/** The member's bids in one auction; a winning one is paid here. `refundsAt`: when lost deposits come back. */
export function OwnBids({ bids, refundsAt }: { bids: readonly Bid[]; refundsAt: number }) {
  const { t } = useTranslation();
  return (
    <Section title={t("auction.view.mine")} inset>
      <ul role="list" className={styles.cards}>
        {bids.map((bid) => (
          <li key={bid.bidNo}>
            <OwnBid bid={bid} refundsAt={refundsAt} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function OwnBid({ bid, refundsAt }: { bid: Bid; refundsAt: number }) {
  const { t } = useTranslation();
  const lotsOf = useLots("auction.lots");
  const { status, price, refundCents, refundedAt, orderNo } = bid;
  const amount = formatTwd(refundCents);
  return (
    <Card label={`${t("auction.field.price")} ${formatPrice(price)}`}>
      <div className={styles.bidHead}>
        <h3 className={styles.bidPrice}>{`${formatPrice(price)} × ${lotsOf(bid.lots)}`}</h3>
        <p className={styles.status} data-status={status} role="status">
          {t(`auction.bid.${status}`)}
        </p>
      </div>
      <FieldList fields={useBidFields(bid)} />
      {refundCents > 0 && status !== "voided" && (
        <p className={styles.note}>
          {refundedAt === null
            ? t("auction.refundAt", { time: formatDateTime(refundsAt), amount })
            : t("auction.refunded", { time: formatDateTime(refundedAt), amount })}
        </p>
      )}
      {status === "won" && <BidPayment bid={bid} />}
      {orderNo !== null && <ButtonLink to={pathTo("/trade/positionDetail", { orderNo })}>{t("auction.toPosition")}</ButtonLink>}
    </Card>
  );
}

/** What a bid costs, and what it has won. */
function useBidFields(bid: Bid): Field[] {
  const { t } = useTranslation();
  const lotsOf = useLots("auction.lots");
  return [
    { label: t("auction.field.value"), value: formatTwd(bid.valueCents) },
    { label: t("auction.field.deposit"), value: formatTwd(bid.depositCents) },
    { label: t("auction.field.fee"), value: formatTwd(bid.feeCents) },
    ...(bid.wonLots > 0
      ? [
          { label: t("auction.field.wonLots"), value: lotsOf(bid.wonLots) },
          { label: t("auction.field.wonValue"), value: formatTwd(bid.wonCents) },
          { label: t("auction.field.award"), value: formatTwd(bid.awardFeeCents) },
        ]
      : []),
    { label: t("auction.field.placed"), value: formatDateTime(bid.placedAt) },
  ];
}
