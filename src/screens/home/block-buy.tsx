/** One block offer: its live prices, what keeps the member from it, and the purchase with a review of the total. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isWithinCosts, roundTripOf } from "#contract/block-price.ts";
import type { BlockRule } from "#contract/block-market.ts";
import { missingFor } from "#contract/eligibility.ts";
import { feeOf } from "#contract/fee.ts";
import { cents, formatTwd, worth } from "#contract/kernel/money.ts";
import { formatDateTime, taipeiDay } from "#contract/kernel/time.ts";
import { ruleOf } from "#contract/rule.ts";
import type { TradeRule } from "#contract/rule.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { remedyPath } from "#src/paths.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useBlocks } from "#src/streams/block-offers.ts";
import type { BlockOfferUpdate } from "#src/streams/block-offers.ts";
import { takeBlockOrder, useBlockTerms } from "#src/streams/block-orders.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useMember } from "#src/streams/member.ts";
import { useRules } from "#src/streams/rules.ts";
import { Button } from "#src/ui/button.tsx";
import { useNavigate, useQuery } from "#src/ui/link.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { BlockedNotice, EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { BlockLimits, BlockNotes, useShares } from "./block-notes.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./block.module.css";

/** `/home/blockTrade1?offer=…` */
export function BlockBuy() {
  const { t, i18n } = useTranslation();
  const [query] = useQuery<"/home/blockTrade1">();
  const live = useBlocks();
  const terms = useBlockTerms();
  const rules = useRules().value;
  const table = useInstruments();
  const offer = live?.offers.find(({ offerId }) => offerId === query.get("offer"));
  const instrument = offer && table?.list[offer.row];
  const rule = rules && offer && instrument ? ruleOf(rules, instrument, taipeiDay(offer.opensAt)) : null;
  const waiting = live === null || terms.value === null;
  const skeleton = useSkeleton(waiting && terms.state !== "failed");
  const title = instrument ? `${shortName(instrument, i18n.language)} ${instrument.code}` : t("block.offer");
  return (
    <Screen header={<BackHeader title={title} fallback="/home/blockTrade" />} top={<StaleNotice />}>
      <div className={styles.page}>
        {waiting && skeleton && <Skeleton rows={6} />}
        {terms.value === null && terms.state === "failed" && (
          <ErrorState what={t("block.failed")} code={terms.failure ?? ""} onRetry={terms.retry} />
        )}
        {live && !offer && (
          <EmptyState
            title={t(live.open ? "block.gone" : "block.closedNow")}
            why={t("block.noneWhy")}
            action={{ label: t("block.all"), to: "/home/blockTrade" }}
          />
        )}
        {offer && <Offer offer={offer} />}
        {offer && terms.value && rules && rule && (
          <>
            <BlockLimits rule={terms.value.rule} used={terms.value.usedShares} />
            <Purchase offer={offer} block={terms.value.rule} rule={rule} isFair={isWithinCosts(offer, roundTripOf(rule, rules.reward))} />
            <BlockNotes rule={terms.value.rule} unlocksAt={offer.unlocksAt} />
          </>
        )}
      </div>
    </Screen>
  );
}

function Offer({ offer }: { offer: BlockOfferUpdate }) {
  const { t } = useTranslation();
  const shares = useShares();
  return (
    <Card label={t("block.offer")}>
      <div data-live>
        <FieldList
          fields={[
            { label: t("block.field.price"), value: offer.priceText },
            { label: t("block.field.market"), value: offer.marketText },
            { label: t(offer.discount < 0 ? "block.premium" : "block.discount"), value: offer.discountText },
            { label: t("block.field.average"), value: offer.averageText },
            { label: t("block.field.averageDiscount"), value: offer.averageDiscountText },
            { label: t("block.field.left"), value: offer.left === 0 ? t("block.soldOut") : shares(offer.left) },
            { label: t("block.field.until"), value: formatDateTime(offer.closesAt) },
          ]}
        />
      </div>
    </Card>
  );
}

/** What keeps the member from buying comes before the form. */
function Purchase({ isFair, ...form }: Omit<FormProps, "availableCents"> & { isFair: boolean }) {
  const { t } = useTranslation();
  const member = useMember().value;
  const missing = member ? missingFor("trade", member.facts)[0] : undefined;
  if (missing) {
    const to = remedyPath(missing.remedy);
    const action = to === null ? {} : { action: { label: t("block.supply"), to } };
    return <BlockedNotice title={t("block.blocked")} why={t(`refusal.${missing.code}`, missing.params)} {...action} />;
  }
  if (form.offer.left === 0) return <BlockedNotice title={t("block.blocked")} why={t("block.soldOut")} />;
  if (!isFair) return <BlockedNotice title={t("block.blocked")} why={t("refusal.TRD_BLOCK_MOVED")} />;
  return <BuyForm {...form} availableCents={member?.availableCents ?? null} />;
}

interface FormProps {
  offer: BlockOfferUpdate;
  block: BlockRule;
  rule: TradeRule;
  availableCents: number | null;
}

function BuyForm({ offer, block, rule, availableCents }: FormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState(String(block.minimumShares));
  const [reviewing, setReviewing] = useState(false);
  const digits = text.replaceAll(",", "");
  const shares = /^\d{1,9}$/.test(digits) ? Number(digits) : null;
  const request = useRequest("buyBlock", {
    fields: ["shares"],
    check: (body) =>
      body.shares < block.minimumShares ? [{ code: "TRD_BLOCK_MIN", params: { n: String(block.minimumShares) }, field: "shares" }] : [],
    onAccepted: (order) => {
      takeBlockOrder(order);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
      void navigate("/home/blockTrade2", { replace: true });
    },
  });
  // A refusal belongs to what was typed, so it is shown there.
  const refused = request.errorAt("shares");
  const asksAgain = !reviewing || refused !== null;
  const value = shares === null ? cents(0) : worth(offer.price, shares);
  const fee = feeOf(rule, value);
  const total = [
    { label: t("block.field.value"), value: formatTwd(value) },
    { label: t("block.field.fee"), value: formatTwd(fee) },
    { label: t("block.field.total"), value: formatTwd(value + fee) },
    { label: t("block.field.available"), value: availableCents === null ? "--" : formatTwd(availableCents) },
  ];
  if (!asksAgain) {
    return (
      <Review
        offer={offer}
        shares={shares ?? 0}
        total={total}
        request={request}
        onChange={() => setReviewing(false)}
        onBuy={() => request.submit({ offerId: offer.offerId, shares })}
      />
    );
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.edit("shares");
        setReviewing(true);
      }}
    >
      <TextField
        label={t("block.field.shares")}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={refused}
        onText={(next) => {
          setText(next);
          setReviewing(false);
          request.edit("shares");
        }}
      />
      <FieldList fields={total} />
      <Button type="submit" tone="primary" size="large" block disabled={shares === null}>
        {t("block.review")}
      </Button>
    </form>
  );
}

function Review(props: {
  offer: BlockOfferUpdate;
  shares: number;
  total: { label: string; value: string }[];
  request: Request<"buyBlock">;
  onChange: () => void;
  onBuy: () => void;
}) {
  const { offer, shares, total, request, onChange, onBuy } = props;
  const { t } = useTranslation();
  const sharesText = useShares();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.form}>
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {t("block.reviewTitle")}
      </h2>
      <FieldList
        fields={[
          { label: t("block.field.shares"), value: sharesText(shares) },
          { label: t("block.field.price"), value: offer.priceText },
          ...total,
          { label: t("block.field.lock"), value: formatDateTime(offer.unlocksAt) },
        ]}
      />
      <RequestError request={request} />
      <Button tone="up" size="large" block busy={request.busy} onClick={onBuy}>
        {t("block.buy")}
      </Button>
      <Button size="large" block disabled={request.busy} onClick={onChange}>
        {t("block.change")}
      </Button>
    </div>
  );
}
