/** One auction: where it stands, its outcome, the member's bids, the form, its terms and dates, and what to know before a bid. */
import { useTranslation } from "react-i18next";
import type { Auction } from "#contract/auction.ts";
import { windowOf } from "#contract/bid-price.ts";
import { nameIn } from "#contract/instrument.ts";
import { formatPrice, formatRate, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { tickSize } from "#contract/tick.ts";
import { useRequest } from "#src/actors/request.ts";
import { useAuctionClock } from "#src/screens/quote/auction-clock.ts";
import { useNextMoment } from "#src/screens/quote/auction-row.tsx";
import { useInstrumentName, useLots } from "#src/screens/quote/sale-words.ts";
import { takeBooking, useAuction } from "#src/streams/auctions.ts";
import type { OneAuction } from "#src/streams/auctions.ts";
import { Button } from "#src/ui/button.tsx";
import { useQuery } from "#src/ui/link.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { OwnBids } from "./auction-bids.tsx";
import { Bidding } from "./auction-form.tsx";
import { Outcome } from "./auction-outcome.tsx";
import { DateSteps } from "./date-steps.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./auction.module.css";

/** `/home/newStockBuyJp?code=…` */
export function AuctionPage() {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const [query] = useQuery<"/home/newStockBuyJp">();
  const code = query.get("code") ?? "";
  const { value, state, failure, retry } = useAuction(code);
  const gone = value === null && state === "failed" && (failure === "GEN_NOT_FOUND" || failure === "VAL_STOCK_CODE_REQUIRED");
  const skeleton = useSkeleton(value === null && state !== "failed");
  return (
    <Screen header={<BackHeader title={value ? nameOf(code) : t("auction.title")} fallback="/home/newStockJp" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={7} />}
        {value === null && state === "failed" && !gone && <ErrorState what={t("auction.failed")} code={failure ?? ""} onRetry={retry} />}
        {gone && (
          <EmptyState title={t("auction.gone")} why={t("auction.noneWhy")} action={{ label: t("auction.all"), to: "/home/newStockJp" }} />
        )}
        {value && <OpenAuction key={code} one={value} retry={retry} />}
      </div>
    </Screen>
  );
}

function OpenAuction({ one, retry }: { one: OneAuction; retry: () => void }) {
  const { auction, bids, booked } = one;
  const now = useAuctionClock([auction], retry);
  const status = windowOf(auction, now);
  return (
    <>
      <Head auction={auction} now={now} />
      {auction.outcome && <Outcome auction={auction} outcome={auction.outcome} bids={bids} />}
      {bids.length > 0 && <OwnBids bids={bids} refundsAt={auction.refundsAt} />}
      {status === "notStarted" && <Reminder auction={auction} booked={booked} />}
      {status === "bidding" && <Bidding auction={auction} bids={bids} />}
      <Terms auction={auction} />
      <Dates auction={auction} now={now} />
      <Notes auction={auction} />
    </>
  );
}

/** Where it stands, and the price that matters now. */
function Head({ auction, now }: { auction: Auction; now: number }) {
  const { t } = useTranslation();
  const nextOf = useNextMoment();
  const status = windowOf(auction, now);
  const { cutOff } = auction.outcome ?? { cutOff: null };
  const why = status === "closed" ? t("auction.sealedNow", { time: formatDateTime(auction.opensBidsAt) }) : null;
  return (
    <Card label={t("auction.title")}>
      <div className={styles.bidHead}>
        <p className={styles.status} data-status={status} role="status">
          {t(`auction.status.${status}`)}
        </p>
        <p className={styles.note}>{nextOf(auction, now)}</p>
      </div>
      <div>
        <p className={styles.note}>{t(cutOff === null ? "auction.field.minimum" : "auction.field.cutOff")}</p>
        <p className={styles.total}>{formatPrice(cutOff ?? auction.minimumPrice)}</p>
      </div>
      {why !== null && <p className={styles.note}>{why}</p>}
    </Card>
  );
}

/** Before bidding: a message when it begins, once. */
function Reminder({ auction, booked }: { auction: Auction; booked: boolean }) {
  const { t } = useTranslation();
  const request = useRequest("bookAuction", { fields: [], onAccepted: ({ code }) => takeBooking(code) });
  return (
    <div className={styles.form}>
      <p className={styles.note}>{t("auction.notYet", { time: formatDateTime(auction.opensAt) })}</p>
      <RequestError request={request} />
      {booked ? (
        <p className={styles.status} role="status">
          {t("auction.booked")}
        </p>
      ) : (
        <Button tone="primary" size="large" block busy={request.busy} onClick={() => request.submit({ code: auction.code })}>
          {t("auction.book")}
        </Button>
      )}
    </div>
  );
}

function Terms({ auction }: { auction: Auction }) {
  const { t, i18n } = useTranslation();
  const { terms, minimumPrice, lots, capLots, leadBroker } = auction;
  const lotsOf = useLots("auction.lots");
  return (
    <Section title={t("auction.terms")} inset>
      <Card label={t("auction.terms")}>
        <FieldList
          fields={[
            { label: t("auction.field.minimum"), value: formatPrice(minimumPrice) },
            { label: t("auction.field.tick"), value: `TWD ${formatPrice(tickSize("stock", minimumPrice))}` },
            { label: t("auction.field.offered"), value: lotsOf(lots) },
            {
              label: t("auction.field.perBid"),
              value: lotsOf(capLots, terms.leastLots),
            },
            { label: t("auction.field.cap"), value: lotsOf(capLots) },
            { label: t("auction.field.deposit"), value: formatRate(terms.depositPerMillion) },
            { label: t("auction.field.processFee"), value: formatTwd(terms.bidFeeCents) },
            { label: t("auction.field.awardFee"), value: formatRate(terms.awardFeePerMillion) },
            { label: t("auction.field.broker"), value: nameIn(i18n.language, leadBroker) },
          ]}
        />
      </Card>
    </Section>
  );
}

function Dates({ auction, now }: { auction: Auction; now: number }) {
  const { t } = useTranslation();
  return (
    <Section title={t("auction.dates")} inset>
      <DateSteps
        now={now}
        steps={[
          { label: t("auction.date.start"), at: auction.opensAt },
          { label: t("auction.date.end"), at: auction.closesAt },
          { label: t("auction.date.opening"), at: auction.opensBidsAt },
          { label: t("auction.date.refund"), at: auction.refundsAt },
          { label: t("auction.date.pay"), at: auction.payableUntil },
          { label: t("auction.date.allot"), at: auction.allottedAt },
          { label: t("auction.date.list"), at: auction.tradesFrom },
        ]}
      />
    </Section>
  );
}

function Notes({ auction: { terms, capLots, commitment } }: { auction: Auction }) {
  const { t } = useTranslation();
  return (
    <div className={styles.notes}>
      <p>{t("auction.note.final")}</p>
      <p>{t("auction.note.fee", { amount: formatTwd(terms.bidFeeCents) })}</p>
      <p>{t("auction.note.sealed")}</p>
      <p>{t("auction.note.cap", { n: grouped(String(capLots)), bids: terms.mostBids })}</p>
      <p>{t("auction.note.lost")}</p>
      <p>{t("auction.note.unpaid")}</p>
      <p>{t("auction.note.lottery")}</p>
      <p>{t("auction.simulated")}</p>
      <p className={styles.seal}>
        {t("auction.seal")}: <code>{commitment}</code>
      </p>
    </div>
  );
}
