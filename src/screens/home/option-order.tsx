/** The form of an option order: side, lots and limit, with everything that it costs and may lose told and drawn; reviewed before it is sent. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import type { OptionRight } from "#contract/option-price.ts";
import { OPTION_SIDES } from "#contract/option.ts";
import type { OptionSide } from "#contract/option.ts";
import { formatPremium, typedPremium } from "#contract/premium.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeOption, useOptionCost } from "#src/streams/options.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { worstPrice } from "./option-outcome.ts";
import { OptionReview } from "./option-review.tsx";
import { OptionTold } from "./option-told.tsx";
import { RequestError } from "./request-error.tsx";
import { typedLots } from "./typed-lots.ts";
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

function useOrder({ code, fixed }: OptionOrderProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [chosen, setSide] = useState<OptionSide>("buy");
  const [text, setText] = useState("1");
  const [limitText, setLimit] = useState("");
  const [reviewing, setReviewing] = useState(false);
  const side = fixed ?? chosen;
  const lots = typedLots(text);
  const request = useRequest("openOption", {
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
  return { code, side, setSide, text, setText, limitText, setLimit, lots, request, reviewing, setReviewing, edit };
}

export function OptionOrder(props: OptionOrderProps) {
  const { t } = useTranslation();
  const { right, strike, fixed, level } = props;
  const order = useOrder(props);
  const { code, side, text, limitText, lots, request, reviewing, setReviewing, edit } = order;
  const asked = lots !== null && lots > 0 && lots <= MOST_ASKED ? lots : 1;
  const cost = useOptionCost(code, side, asked).value;
  const typed = typedPremium(limitText);
  const limit = typed ?? (cost && worstPrice(side, cost.price));
  const told = cost && <OptionTold cost={cost} series={{ right, strike, side, lots: asked }} limit={limit} level={level} />;
  // A refusal belongs to what was typed, so it is shown there.
  const refused = request.errorAt("lots") !== null || request.errorAt("price") !== null;
  if (reviewing && !refused && cost)
    return (
      <OptionReview
        title={t("options.reviewTitle", {
          side: t(`futures.${side}`),
          lots: t("futures.lotsOf", { count: asked, n: grouped(String(asked)) }),
        })}
        action={t(side === "buy" ? "options.confirmBuy" : "options.confirmSell")}
        request={request}
        onChange={() => edit()}
        onConfirm={() => request.submit({ series: code, side, lots, price: limit })}
      >
        {told}
      </OptionReview>
    );
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.edit("lots");
        request.edit("price");
        // What is no order at all is refused at its field, by the contract.
        if (lots === null || lots < 1 || typed === 0 || cost === null) request.submit({ series: code, side, lots, price: typed });
        else setReviewing(true);
      }}
    >
      {fixed === null && (
        <Segmented
          label={t("futures.side")}
          options={OPTION_SIDES.map((one) => ({ value: one, label: t(`futures.${one}`) }))}
          value={side}
          onChoose={(next) => {
            order.setSide(next);
            edit();
          }}
        />
      )}
      <TextField
        label={t("futures.lots")}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={request.errorAt("lots")}
        onText={(next) => {
          order.setText(next);
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
          order.setLimit(next);
          edit("price");
        }}
      />
      {told}
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("options.review")}
      </Button>
    </form>
  );
}
