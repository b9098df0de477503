/** The form of an option order: side, lots and limit, with everything that it costs and may lose told and drawn; reviewed before it is sent. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import type { OptionRight } from "#contract/option-price.ts";
import { OPTION_SIDES } from "#contract/option.ts";
import type { OptionSide } from "#contract/option.ts";
import { useRequest } from "#src/actors/request.ts";
import { useOptionCost } from "#src/streams/options.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { limitOf, OptionFields, useFilled, useRefusedField, useTyped } from "./option-fields.tsx";
import { OptionReview } from "./option-review.tsx";
import { OptionTold } from "./option-told.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

interface OptionOrderProps {
  code: string;
  right: OptionRight;
  strike: number;
  /** The side of the lots that are held, which an order joins; null where none are. */
  fixed: OptionSide | null;
  /** The index now, in points. */
  level: number | null;
}

/** More than a member may hold, so that no cost is asked for it. */
const MOST_ASKED = 10_000;

export function OptionOrder({ code, right, strike, fixed, level }: OptionOrderProps) {
  const { t } = useTranslation();
  const [chosen, setSide] = useState<OptionSide>("buy");
  const side = fixed ?? chosen;
  const typed = useTyped(1);
  const { lots, reviewing, setReviewing } = typed;
  const request = useRequest("openOption", { fields: ["lots", "price"], onAccepted: useFilled() });
  const form = useRefusedField(request, typed);
  const edit = (field?: string): void => {
    setReviewing(false);
    request.edit(field);
  };
  const asked = lots !== null && lots > 0 && lots <= MOST_ASKED ? lots : 1;
  const { value: cost, state } = useOptionCost(code, side, asked);
  const limit = limitOf(typed, side, cost && cost.price);
  const told = cost && <OptionTold cost={cost} series={{ right, strike, side, lots: asked }} limit={limit} level={level} />;
  const send = (): void => request.submit({ series: code, side, lots, price: limit });
  // A refusal belongs to what was typed, so it is shown there.
  const refused = request.errorAt("lots") !== null || request.errorAt("price") !== null;
  if (reviewing && !refused && told)
    return (
      <OptionReview
        title={t("options.reviewTitle", {
          side: t(`futures.${side}`),
          lots: t("futures.lotsOf", { count: asked, n: grouped(String(asked)) }),
        })}
        action={t(side === "buy" ? "options.confirmBuy" : "options.confirmSell")}
        request={request}
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
        // What is no order at all is refused at its field. Nothing else is sent without a review, which waits for what the order costs.
        typed.setAsked(true);
        if (typed.isOffTick) return;
        if (lots !== asked || typed.typed === 0) send();
        else setReviewing(true);
      }}
    >
      {fixed === null && (
        <Segmented
          label={t("futures.side")}
          options={OPTION_SIDES.map((one) => ({ value: one, label: t(`futures.${one}`) }))}
          value={side}
          onChoose={(next) => {
            setSide(next);
            edit();
          }}
        />
      )}
      <OptionFields typed={typed} side={side} quote={cost && cost.price} errorAt={request.errorAt} onEdit={edit} />
      {told}
      {cost === null && state === "failed" && <NoQuote />}
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy || (reviewing && cost === null && state === "loading")}>
        {t("options.review")}
      </Button>
    </form>
  );
}

function NoQuote() {
  const { t } = useTranslation();
  return (
    <p className={styles.trouble} role="alert">
      {t("futures.noQuote")}
    </p>
  );
}
