/** The closing of two option positions as one order: what each leg and both together would bring now, the lots and a net limit, reviewed before it is sent. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import { useRequest } from "#src/actors/request.ts";
import { pathTo } from "#src/paths.ts";
import { useOptions, usePairCost } from "#src/streams/options.ts";
import { Button } from "#src/ui/button.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { useRefusedField, useTyped } from "./option-fields.tsx";
import type { TypedOrder } from "./option-fields.tsx";
import { heldPair } from "./option-pair-list.tsx";
import type { HeldPair } from "./option-pair-list.tsx";
import { limitOfPair, paysNet, worstNet } from "./option-pair-net.ts";
import { PairTold, useNetWords, usePairFilled } from "./option-pair-told.tsx";
import { NeedsLimit, OptionReview } from "./option-review.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

/** `/home/options?pair=…`: the numbers of both positions with a hyphen between them. */
export function OptionPairClose({ pair }: { pair: string }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useOptions(null);
  const skeleton = useSkeleton(value === null && state !== "failed");
  const [positionNo = "", otherNo = ""] = pair.split("-");
  const legs = value && heldPair(value, positionNo, otherNo);
  const together = value?.pairs.find((one) => one.positionNo === positionNo && one.otherNo === otherNo)?.lots;
  return (
    <Screen header={<BackHeader title={t("options.pair.title")} fallback={pathTo("/home/options", { part: "mine" })} />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("options.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && !legs && (
          <EmptyState
            title={t("options.ended")}
            why={t("options.endedWhy")}
            action={{ label: t("options.part.mine"), to: pathTo("/home/options", { part: "mine" }) }}
          />
        )}
        {legs && <PairFields legs={legs} first={together ?? null} />}
      </div>
    </Screen>
  );
}

/** The least step of a net price, as it is told. */
const TICK = "0.1";

/** The most lots that both have. */
const mostOf = (legs: HeldPair): number => Math.min(...legs.map(({ position }) => Math.abs(position.lots)));

function PairFields({ legs, first }: { legs: HeldPair; first: number | null }) {
  const { t } = useTranslation();
  const most = mostOf(legs);
  const typed = useTyped(Math.min(first ?? most, most));
  const { lots, reviewing, setReviewing } = typed;
  const [asked, setAsked] = useState(false);
  const limit = limitOfPair(legs, typed.typed);
  // Finer than any quote.
  const offTick = typed.typed !== null && !Number.isInteger(typed.typed);
  const [positionNo, otherNo] = [legs[0].position.positionNo, legs[1].position.positionNo];
  const wrongTick = asked && offTick;
  const request = useRequest("closeOptionPair", { fields: ["lots", "price"], onAccepted: usePairFilled() });
  const form = useRefusedField(request, { ...typed, offTick: wrongTick ? TICK : null });
  const some = lots !== null && lots > 0 && lots <= most ? lots : most;
  const { value: cost } = usePairCost(positionNo, otherNo, some);
  const edit = (field?: string): void => {
    setReviewing(false);
    request.edit(field);
  };
  const send = (): void => request.submit({ positionNo, otherNo, lots, price: limit });
  const told = <PairTold legs={legs} lots={some} limit={limit} cost={cost} />;
  const refused = request.errorAt("lots") !== null || request.errorAt("price") !== null;
  if (reviewing && !refused)
    return (
      <OptionReview
        title={t("options.pair.review", { lots: t("futures.lotsOf", { count: some, n: grouped(String(some)) }) })}
        action={t("options.confirmClose")}
        request={request}
        needsLimit={limit === null}
        onChange={() => edit()}
        onConfirm={send}
      >
        {told}
      </OptionReview>
    );
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        edit();
        setAsked(true);
        if (offTick) return;
        // What is no order at all is refused at its field; nothing else is sent without a review.
        if (lots !== some || typed.typed === 0) send();
        else setReviewing(true);
      }}
    >
      <PairInputs
        legs={legs}
        typed={typed}
        errorAt={(field) => (field === "price" && wrongTick ? t("refusal.TRD_PRICE_OFF_TICK", { n: TICK }) : request.errorAt(field))}
        onEdit={(field) => {
          setAsked(false);
          edit(field);
        }}
      />
      {told}
      <RequestError request={request} />
      {limit === null && <NeedsLimit />}
      <Button type="submit" tone="primary" size="large" block busy={request.busy} disabled={limit === null}>
        {t("options.review")}
      </Button>
    </form>
  );
}

interface PairInputsProps {
  legs: HeldPair;
  typed: TypedOrder;
  errorAt: (field: string) => string | null;
  /** A field was changed. */
  onEdit: (field: string) => void;
}

function PairInputs({ legs, typed, errorAt, onEdit }: PairInputsProps) {
  const { t } = useTranslation();
  const netWords = useNetWords();
  const worst = worstNet(legs);
  return (
    <>
      <TextField
        label={t("futures.lots")}
        hint={t("options.pair.most", { n: grouped(String(mostOf(legs))) })}
        value={typed.text}
        inputMode="numeric"
        autoComplete="off"
        error={errorAt("lots")}
        onText={(next) => {
          typed.setText(next);
          onEdit("lots");
        }}
      />
      <TextField
        label={t(paysNet(legs) ? "options.pair.limitPaid" : "options.pair.limitReceived")}
        hint={worst === null ? undefined : t("options.pair.limitHint", { net: netWords(worst) })}
        value={typed.limitText}
        inputMode="decimal"
        autoComplete="off"
        error={errorAt("price")}
        onText={(next) => {
          typed.setLimit(next);
          onEdit("price");
        }}
      />
    </>
  );
}
