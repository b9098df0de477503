/** The closing of an option position: what it would bring now, the lots and a limit, reviewed before it is sent. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatGain, formatTwd, grouped } from "#contract/kernel/money.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { formatPremium, typedPremium } from "#contract/premium.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeOption, useOptions } from "#src/streams/options.ts";
import type { Options } from "#src/streams/options.ts";
import { Button } from "#src/ui/button.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { usePositionFields } from "./option-list.tsx";
import { worstPrice } from "./option-outcome.ts";
import { OptionReview } from "./option-review.tsx";
import { useSeriesName } from "./option-words.tsx";
import { RequestError } from "./request-error.tsx";
import { typedLots } from "./typed-lots.ts";
import styles from "./fund.module.css";

type Held = Options["held"][number];

/** `/home/options?close=…` */
export function OptionClose({ positionNo }: { positionNo: string }) {
  const { t } = useTranslation();
  const nameOf = useSeriesName();
  const { value, state, failure, retry } = useOptions(null);
  const skeleton = useSkeleton(value === null && state !== "failed");
  const held = value?.held.find(({ position }) => position.positionNo === positionNo);
  const title = held ? nameOf(held.position.code, held.position.strike) : t("options.close");
  return (
    <Screen header={<BackHeader title={title} fallback={pathTo("/home/options", { part: "mine" })} />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("options.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && !held && (
          <EmptyState
            title={t("options.ended")}
            why={t("options.endedWhy")}
            action={{ label: t("options.part.mine"), to: pathTo("/home/options", { part: "mine" }) }}
          />
        )}
        {held && (
          <>
            <Card label={title}>
              <FieldList fields={usePositionFields(held.position, held)} />
            </Card>
            <CloseFields held={held} />
          </>
        )}
      </div>
    </Screen>
  );
}

/** What closing some lots at a premium brings, before its charges. */
function useProceeds({ position, close }: Held, lots: number, limit: number | null): Field[] {
  const { t } = useTranslation();
  if (close === null) return [{ label: t("options.priceNow"), value: t("futures.noQuote") }];
  const buys = position.lots < 0;
  const gain = premiumWorth(close * position.lots - position.costTenths, lots) / Math.abs(position.lots);
  return [
    { label: t("options.priceNow"), value: t("options.points", { n: formatPremium(close) }) },
    ...(limit === null
      ? []
      : [{ label: t(buys ? "options.most" : "options.least"), value: t("options.points", { n: formatPremium(limit) }) }]),
    { label: t(buys ? "options.paidPremium" : "options.received"), value: formatTwd(premiumWorth(close, lots)) },
    { label: t("options.gainOfLots"), value: formatGain(Math.round(gain)) },
  ];
}

function CloseFields({ held }: { held: Held }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { position, close } = held;
  const all = Math.abs(position.lots);
  const side = position.lots > 0 ? "sell" : "buy";
  const [text, setText] = useState(String(all));
  const [limitText, setLimit] = useState("");
  const [reviewing, setReviewing] = useState(false);
  const lots = typedLots(text);
  const typed = typedPremium(limitText);
  const limit = typed ?? (close === null ? null : worstPrice(side, close));
  const request = useRequest("closeOption", {
    fields: ["lots", "price"],
    onAccepted: (answer) => {
      takeOption(answer);
      const { lots: count, price } = answer.trade;
      showToast(
        t("futures.done", { lots: t("futures.lotsOf", { count, n: grouped(String(count)) }), price: formatPremium(price) }),
        "success",
      );
      void navigate(pathTo("/home/options", { part: "mine" }), { replace: true });
    },
  });
  const edit = (field?: string): void => {
    setReviewing(false);
    request.edit(field);
  };
  const proceeds = useProceeds(held, lots ?? all, limit);
  const send = (): void => request.submit({ positionNo: position.positionNo, lots, price: typed ?? limit });
  const refused = request.errorAt("lots") !== null || request.errorAt("price") !== null;
  if (reviewing && !refused) {
    const said = t("futures.lotsOf", { count: lots ?? all, n: grouped(String(lots ?? all)) });
    return (
      <OptionReview
        title={t("options.reviewTitle", { side: t(`futures.${side}`), lots: said })}
        action={t("options.confirmClose")}
        request={request}
        onChange={() => edit()}
        onConfirm={send}
      >
        <FieldList fields={proceeds} />
      </OptionReview>
    );
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (lots === null || lots < 1 || lots > all || typed === 0) send();
        else setReviewing(true);
      }}
    >
      <TextField
        label={t("futures.lots")}
        hint={t("options.closeHint", { n: grouped(String(all)) })}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={request.errorAt("lots")}
        onText={(next) => {
          setText(next);
          edit("lots");
        }}
      />
      <TextField
        label={t("futures.limit")}
        hint={limit === null ? undefined : t(side === "buy" ? "options.limitBuy" : "options.limitSell", { price: formatPremium(limit) })}
        value={limitText}
        inputMode="decimal"
        autoComplete="off"
        error={request.errorAt("price")}
        onText={(next) => {
          setLimit(next);
          edit("price");
        }}
      />
      <FieldList fields={proceeds} />
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("options.review")}
      </Button>
    </form>
  );
}
