/** The order of one contract: its quote and terms, then direction, lots and limit with what they cost, filled at once or refused. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { futuresFeeOf, futuresTaxOf, pointsWorth } from "#contract/futures-price.ts";
import type { FuturesRule } from "#contract/futures-rule.ts";
import { FUTURES_SIDES } from "#contract/futures.ts";
import type { FuturesContract, FuturesPosition, FuturesSide } from "#contract/futures.ts";
import { formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeFutures, useFutures, useFuturesCost } from "#src/streams/futures.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { FuturesNotes, useContractName } from "./futures-words.tsx";
import { LackingNotice, useMarginFields } from "./margin-told.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { RequestError } from "./request-error.tsx";
import { typedLots } from "./typed-lots.ts";
import styles from "./fund.module.css";

/** The limit in points: none, or what is typed, or what is no price. */
const typedLimit = (text: string): number | null => (text.trim() === "" ? null : (typedLots(text) ?? 0));
/** Whether a limit is typed with a part of a point, which is between ticks. */
const isBetweenPoints = (text: string): boolean =>
  /^[\d,\s]*\d\.\d+\s*$/.test(text) && !Number.isInteger(Number(text.replaceAll(/[,\s]/g, "")));

const points = (value: number): string => grouped(String(value));

/** `/home/futures?code=…` */
export function FuturesForm({ code }: { code: string }) {
  const { t } = useTranslation();
  const nameOf = useContractName();
  const { value, state, failure, retry } = useFutures();
  const facts = useMember().value?.facts;
  const skeleton = useSkeleton(value === null && state !== "failed");
  const contract = value?.contracts.find((one) => one.code === code);
  const rule = contract && value?.terms[contract.product];
  const held = value?.held.find(({ position }) => position.code === code)?.position ?? null;
  const missing = facts ? missingFor("tradeFutures", facts).slice(0, 1) : [];
  return (
    <Screen header={<BackHeader title={nameOf(code)} fallback="/home/futures" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("futures.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && !contract && (
          <EmptyState
            title={t("futures.none")}
            why={t("futures.closed")}
            action={{ label: t("futures.part.contracts"), to: "/home/futures" }}
          />
        )}
        <MissingNotice title={t("futures.blocked")} missing={missing} agreement="futures" supply={t("fund.supply")} />
        {contract && rule && <Terms contract={contract} rule={rule} />}
        {contract && rule && (missing.length === 0 || held !== null) && <OrderFields contract={contract} rule={rule} held={held} />}
        <div>
          <FuturesNotes />
        </div>
      </div>
    </Screen>
  );
}

function Terms({ contract, rule }: { contract: FuturesContract; rule: FuturesRule }) {
  const { t } = useTranslation();
  const { product, bid, ask, reference, upper, lower, lastTradeAt } = contract;
  const { initialCents, maintenanceCents } = rule;
  const quote = (one: number | null): string => (one === null ? t("futures.noQuote") : points(one));
  return (
    <Card label={t(`futures.product.${product}`)}>
      <h2 className={styles.name}>{t(`futures.product.${product}`)}</h2>
      <FieldList
        fields={[
          { label: t("futures.bid"), value: quote(bid) },
          { label: t("futures.ask"), value: quote(ask) },
          { label: t("futures.reference"), value: points(reference) },
          { label: t("futures.limits"), value: t("futures.range", { lower: points(lower), upper: points(upper) }) },
          { label: t("futures.multiplier"), value: formatTwd(pointsWorth(product, 1)) },
          {
            label: t("futures.marginOfLot"),
            value: t("futures.pair", { first: formatTwd(initialCents), second: formatTwd(maintenanceCents) }),
          },
          { label: t("futures.lastTrade"), value: formatDateTime(lastTradeAt) },
        ]}
      />
    </Card>
  );
}

/** What the member holds of the contract, in words. */
function useHolding(held: FuturesPosition | null): string {
  const { t } = useTranslation();
  if (held === null) return t("futures.holdsNone");
  const lots = Math.abs(held.lots);
  const side = t(held.lots > 0 ? "futures.long" : "futures.short");
  return t("futures.holds", { lots: `${side} ${t("futures.lotsOf", { count: lots, n: points(lots) })}` });
}

/** The order; what has been filled is said, and the positions are shown. */
function useOrder() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useRequest("tradeFutures", {
    fields: ["lots", "price"],
    onAccepted: (answer) => {
      takeFutures(answer);
      const count = answer.trades.reduce((sum, trade) => sum + trade.lots, 0);
      const price = points(answer.trades[0]?.price ?? 0);
      showToast(t("futures.done", { lots: t("futures.lotsOf", { count, n: points(count) }), price }), "success");
      void navigate(pathTo("/home/futures", { part: "mine" }), { replace: true });
    },
  });
}

function OrderFields({ contract, rule, held }: { contract: FuturesContract; rule: FuturesRule; held: FuturesPosition | null }) {
  const { t } = useTranslation();
  const { code } = contract;
  // Who holds the contract most likely comes to close it.
  const [side, setSide] = useState<FuturesSide>(held !== null && held.lots > 0 ? "sell" : "buy");
  const [text, setText] = useState(String(held === null ? 1 : Math.abs(held.lots)));
  const [limitText, setLimit] = useState("");
  const [asked, setAsked] = useState(false);
  const lots = typedLots(text);
  const offTick = asked && isBetweenPoints(limitText);
  const request = useOrder();
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (!isBetweenPoints(limitText)) request.submit({ contract: code, side, lots, price: typedLimit(limitText) });
      }}
    >
      <Segmented
        label={t("futures.side")}
        options={FUTURES_SIDES.map((one) => ({ value: one, label: t(`futures.${one}`) }))}
        value={side}
        onChoose={(next) => {
          setSide(next);
          request.edit();
        }}
      />
      <TextField
        label={t("futures.lots")}
        hint={useHolding(held)}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={request.errorAt("lots")}
        onText={(next) => {
          setText(next);
          request.edit("lots");
        }}
      />
      <TextField
        label={t("futures.limit")}
        hint={t("futures.limitHint")}
        value={limitText}
        inputMode="numeric"
        autoComplete="off"
        error={offTick ? t("refusal.TRD_PRICE_OFF_TICK", { n: "1" }) : request.errorAt("price")}
        onText={(next) => {
          setLimit(next);
          setAsked(false);
          request.edit("price");
        }}
      />
      {lots !== null && lots > 0 && lots <= MOST_ASKED && <Costs contract={contract} side={side} rule={rule} lots={lots} />}
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t(`futures.${side}`)}
      </Button>
    </form>
  );
}

interface CostsProps {
  contract: FuturesContract;
  side: FuturesSide;
  rule: FuturesRule;
  lots: number;
}

/** More than a member may hold, so that no cost is asked for it. */
const MOST_ASKED = 10_000;

function Costs({ contract, side, rule, lots }: CostsProps) {
  const { t } = useTranslation();
  const marginFields = useMarginFields();
  const { code, product, bid, ask } = contract;
  const { value: cost } = useFuturesCost(code, side, lots);
  const price = side === "buy" ? ask : bid;
  if (price === null) return null;
  const charges = { fee: formatTwd(futuresFeeOf(lots, rule)), tax: formatTwd(futuresTaxOf(product, price, lots, rule)) };
  return (
    <>
      <FieldList fields={[{ label: t("futures.charges"), value: t("futures.sum", charges) }, ...(cost ? marginFields(cost) : [])]} />
      {cost && <LackingNotice lackingCents={cost.lackingCents} />}
    </>
  );
}
