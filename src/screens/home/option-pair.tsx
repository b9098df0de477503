/** The closing of two option positions as one order: what each leg and both together would bring now, the lots and a net limit, reviewed before it is sent. */
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import { typedNet } from "#contract/premium.ts";
import { useRequest } from "#src/actors/request.ts";
import { usePairCost } from "#src/streams/options.ts";
import type { Options } from "#src/streams/options.ts";
import { OrderInputs, useRefusedField, useTyped } from "./option-fields.tsx";
import { HeldScreen } from "./option-held.tsx";
import { heldPair } from "./option-pair-list.tsx";
import type { HeldPair } from "./option-pair-list.tsx";
import { limitOfPair, paysNet, worstNet } from "./option-pair-net.ts";
import { PairTold, useNetWords, usePairFilled } from "./option-pair-told.tsx";
import { OptionReview, ToReview } from "./option-review.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

/** `/home/options?pair=…`: the numbers of both positions with a hyphen between them. */
export function OptionPairClose({ pair }: { pair: string }) {
  const { t } = useTranslation();
  const [positionNo = "", otherNo = ""] = pair.split("-");
  const bodyOf = (options: Options): ReactNode => {
    const legs = heldPair(options, positionNo, otherNo);
    const together = options.pairs.find((one) => one.positionNo === positionNo && one.otherNo === otherNo)?.lots;
    return legs && <PairFields legs={legs} first={together ?? null} />;
  };
  return <HeldScreen titleOf={() => t("options.pair.title")} bodyOf={bodyOf} />;
}

/** The least step of a net price, in tenths of a point. */
const netTick = (): number => 1;

function PairFields({ legs, first }: { legs: HeldPair; first: number | null }) {
  const { t } = useTranslation();
  // The most lots that both have.
  const most = Math.min(...legs.map(({ position }) => Math.abs(position.lots)));
  const typed = useTyped(Math.min(first ?? most, most), netTick);
  const { lots, reviewing, setReviewing } = typed;
  const netWords = useNetWords();
  // It is decided once: what the limit means must not turn around while quotes move.
  const [pays] = useState(() => paysNet(legs));
  const limit = limitOfPair(legs, pays, typedNet(typed.limitText));
  const worst = worstNet(legs);
  const [positionNo, otherNo] = [legs[0].position.positionNo, legs[1].position.positionNo];
  const request = useRequest("closeOptionPair", { fields: ["lots", "price"], onAccepted: usePairFilled() });
  const form = useRefusedField(request, typed);
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
        typed.setAsked(true);
        if (typed.isOffTick) return;
        // What is no order at all is refused at its field; nothing else is sent without a review.
        if (lots !== some || Number.isNaN(limit)) send();
        else setReviewing(true);
      }}
    >
      <OrderInputs
        typed={typed}
        errorAt={request.errorAt}
        onEdit={edit}
        lotsHint={t("options.pair.most", { n: grouped(String(most)) })}
        limitLabel={t(pays ? "options.pair.limitPaid" : "options.pair.limitReceived")}
        limitHint={worst === null ? undefined : t("options.pair.limitHint", { net: netWords(worst) })}
      />
      {told}
      <RequestError request={request} />
      <ToReview busy={request.busy} needsLimit={limit === null} />
    </form>
  );
}
