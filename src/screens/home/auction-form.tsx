/** Bidding: what keeps the member from it, the price and the lots with what they cost, and a review with the fund password. */
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Auction } from "#contract/auction.ts";
import { bidCost, bidRefusal } from "#contract/bid-price.ts";
import type { BidCost } from "#contract/bid-price.ts";
import type { Bid } from "#contract/bid.ts";
import { missingFor } from "#contract/eligibility.ts";
import { formatPrice, formatTwd, grouped, parsePrice, typedPrice } from "#contract/kernel/money.ts";
import { step } from "#contract/tick.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request } from "#src/actors/request.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { useLots } from "#src/screens/quote/sale-words.ts";
import { takeBid } from "#src/streams/auctions.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { Checkbox } from "#src/ui/choice.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { BlockedNotice } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { RequestError } from "./request-error.tsx";
import { typedLots } from "./typed-lots.ts";
import styles from "./auction.module.css";

interface BiddingProps {
  auction: Auction;
  /** The member's bids in it. */
  bids: readonly Bid[];
}

/** What keeps the member from a bid comes before the form. */
export function Bidding({ auction, bids }: BiddingProps) {
  const { t } = useTranslation();
  const member = useMember().value;
  const missing = member ? missingFor("bid", member.facts) : [];
  const full = bids.length >= auction.terms.mostBids;
  return (
    <div className={styles.stages}>
      <MissingNotice title={t("auction.blocked")} missing={missing} agreement="subscription" supply={t("auction.supply")} />
      {full && <BlockedNotice title={t("auction.blocked")} why={t("refusal.AUC_BIDS_MAX", { n: String(auction.terms.mostBids) })} />}
      {missing.length === 0 && !full && (
        // A new form after each bid: the next one is a bid of its own.
        <BidForm key={bids.length} auction={auction} bids={bids} availableCents={member?.availableCents ?? null} />
      )}
    </div>
  );
}

type BidField = "price" | "lots";

interface Problem {
  field: BidField | "code";
  text: string;
}

/** What is wrong with the typed values, in words. */
function problemWith({ auction, bids }: BiddingProps, price: number | null, lots: number | null): Problem | null {
  const say = (code: Parameters<typeof refusalTextNow>[0]["code"], params: { n?: string } = {}): string =>
    refusalTextNow({ code, params, msg: code });
  if (price === null || price === 0) return { field: "price", text: say("VAL_LIMIT_PRICE_POSITIVE") };
  if (lots === null) return { field: "lots", text: say("VAL_LOTS_INTEGER") };
  const refusal = bidRefusal(auction, { price, lots }, { placed: bids.length, at: Date.now() });
  return refusal && { field: refusal.field, text: say(refusal.code, refusal.params) };
}

/** The request of a bid, which is among the member's bids as soon as it is accepted. */
function usePlacing(): Request<"placeBid"> {
  const { t } = useTranslation();
  return useRequest("placeBid", {
    fields: ["price", "lots", "fundPassword"],
    onAccepted: (bid) => {
      takeBid(bid);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
}

function BidForm({ auction, bids, availableCents }: BiddingProps & { availableCents: number | null }) {
  const { t } = useTranslation();
  const lotsOf = useLots("auction.lots");
  const [typed, setTyped] = useState({ price: typedPrice(auction.minimumPrice), lots: String(auction.terms.leastLots) });
  const [stage, setStage] = useState<"form" | "review">("form");
  const [problem, setProblem] = useState<Problem | null>(null);
  const price = parsePrice(typed.price);
  const lots = typedLots(typed.lots);
  const request = usePlacing();
  const errorAt = (field: BidField): string | null => request.errorAt(field) ?? (problem?.field === field ? problem.text : null);
  const cost = bidCost(auction, price ?? 0, lots ?? 0);
  const costs = <Costs cost={cost} availableCents={availableCents} />;
  // A refusal of the price or of the lots belongs to what was typed, so it is shown there.
  const reviews = stage === "review" && errorAt("price") === null && errorAt("lots") === null;
  if (reviews && price !== null && lots !== null) {
    return (
      <Review
        total={`${formatPrice(price)} × ${lotsOf(lots)} × ${grouped(String(auction.lotShares))}`}
        costs={costs}
        amount={formatTwd(cost.nowCents)}
        fee={formatTwd(cost.feeCents)}
        request={request}
        onChange={() => {
          request.edit();
          setStage("form");
        }}
        onBid={(fundPassword) => request.submit({ code: auction.code, price, lots, fundPassword })}
      />
    );
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = problemWith({ auction, bids }, price, lots);
        setProblem(wrong);
        if (wrong) return;
        request.edit();
        setStage("review");
      }}
    >
      <h2 className={styles.heading}>{t("auction.form")}</h2>
      <BidFields
        auction={auction}
        typed={typed}
        errorAt={errorAt}
        onType={(field, text) => {
          setTyped((before) => ({ ...before, [field]: text }));
          setProblem(null);
          request.edit(field);
        }}
      />
      {costs}
      <p className={styles.strong}>{t("auction.note.final")}</p>
      {problem?.field === "code" && (
        <p className={styles.trouble} role="alert">
          {problem.text}
        </p>
      )}
      <Button type="submit" tone="primary" size="large" block>
        {t("auction.review")}
      </Button>
    </form>
  );
}

interface BidFieldsProps {
  auction: Auction;
  typed: Record<BidField, string>;
  errorAt: (field: BidField) => string | null;
  onType: (field: BidField, text: string) => void;
}

/** The price on its ticks and the lots, each stepped within its bounds; the first wrong one is focused. */
function BidFields({ auction: { minimumPrice, terms, capLots }, typed, errorAt, onType }: BidFieldsProps) {
  const { t } = useTranslation();
  const lotsOf = useLots("auction.lots");
  const fields = useRef<HTMLDivElement>(null);
  const wrong = errorAt("price") ?? errorAt("lots");
  useEffect(() => {
    if (wrong !== null) fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [wrong]);
  const stepPrice = (direction: 1 | -1, steps: number): void => {
    let to: number = parsePrice(typed.price) ?? minimumPrice;
    for (let nth = 0; nth < steps; nth += 1) to = step("stock", to, direction);
    onType("price", typedPrice(Math.max(minimumPrice, to)));
  };
  const stepLots = (direction: 1 | -1, steps: number): void => {
    const to = (typedLots(typed.lots) ?? terms.leastLots) + direction * steps;
    onType("lots", String(Math.min(capLots, Math.max(terms.leastLots, to))));
  };
  return (
    <div ref={fields} className={styles.form}>
      <NumberStepper
        label={t("auction.field.price")}
        value={typed.price}
        onType={(text) => onType("price", text)}
        onStep={stepPrice}
        error={errorAt("price")}
        hint={`${t("auction.field.minimum")} ${formatPrice(minimumPrice)}`}
      />
      <NumberStepper
        label={t("auction.field.lots")}
        value={typed.lots}
        inputMode="numeric"
        onType={(text) => onType("lots", text)}
        onStep={stepLots}
        error={errorAt("lots")}
        hint={lotsOf(capLots, terms.leastLots)}
      />
    </div>
  );
}

/** What a bid takes now, what of it never comes back, and what a win would still cost. */
function Costs({ cost, availableCents }: { cost: BidCost; availableCents: number | null }) {
  const { t } = useTranslation();
  const fields: Field[] = [
    { label: t("auction.field.value"), value: formatTwd(cost.valueCents) },
    { label: t("auction.field.held"), value: formatTwd(cost.depositCents) },
    { label: t("auction.field.fee"), value: formatTwd(cost.feeCents) },
    { label: t("auction.field.now"), value: <strong>{formatTwd(cost.nowCents)}</strong> },
    { label: t("auction.field.award"), value: formatTwd(cost.awardFeeCents) },
    { label: t("auction.field.later"), value: formatTwd(cost.laterCents) },
    { label: t("auction.field.available"), value: availableCents === null ? "--" : formatTwd(availableCents) },
  ];
  return (
    <Card label={t("auction.field.now")}>
      <FieldList fields={fields} />
    </Card>
  );
}

interface ReviewProps {
  /** Price, lots, and the shares of a lot: what the value is made of. */
  total: string;
  costs: ReactNode;
  /** What is taken now, and the fee in it. */
  amount: string;
  fee: string;
  request: Request<"placeBid">;
  onChange: () => void;
  onBid: (fundPassword: string) => void;
}

function Review({ total, costs, amount, fee, request, onChange, onBid }: ReviewProps) {
  const { t } = useTranslation();
  const [agreed, setAgreed] = useState(false);
  const [asked, setAsked] = useState(false);
  const [fundPassword, setFundPassword] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (agreed) onBid(fundPassword);
      }}
    >
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {t("auction.reviewTitle")}
      </h2>
      <p className={styles.total}>{total}</p>
      {costs}
      <div className={styles.notes}>
        <p>{t("auction.note.fee", { amount: fee })}</p>
        <p>{t("auction.note.unpaid")}</p>
        <p>{t("auction.note.risk")}</p>
      </div>
      <Checkbox label={t("auction.agree")} on={agreed} onCheck={setAgreed} />
      {asked && !agreed && (
        <p className={styles.trouble} role="alert">
          {t("auction.agreeFirst")}
        </p>
      )}
      <TextField
        label={t("app.title.fundPassword")}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={fundPassword}
        error={request.errorAt("fundPassword")}
        onText={(text) => {
          setFundPassword(text);
          request.edit("fundPassword");
        }}
      />
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("auction.submit", { amount })}
      </Button>
      <Button size="large" block disabled={request.busy} onClick={onChange}>
        {t("auction.change")}
      </Button>
    </form>
  );
}
