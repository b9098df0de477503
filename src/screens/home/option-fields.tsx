/** What the forms of options share: the fields of lots and limit with their refusals, and the state behind them. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EndpointName } from "#contract/endpoints.ts";
import { grouped } from "#contract/kernel/money.ts";
import { premiumTick } from "#contract/option-price.ts";
import type { OptionSide, OptionTrade } from "#contract/option.ts";
import { formatPremium, typedPremium } from "#contract/premium.ts";
import type { Request } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeOption } from "#src/streams/options.ts";
import { useNavigate } from "#src/ui/link.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { worstPrice } from "./option-outcome.ts";
import { typedLots } from "./typed-lots.ts";

/** What is typed, and whether it is under review. `tickOf`: the step of a limit, in tenths of a point. */
export function useTyped(first: number, tickOf: (tenths: number) => number = premiumTick) {
  const [text, setText] = useState(String(first));
  const [limitText, setLimit] = useState("");
  const [reviewing, setReviewing] = useState(false);
  const [asked, setAsked] = useState(false);
  const typed = typedPremium(limitText);
  const isOffTick = typed !== null && typed % tickOf(typed) !== 0;
  return {
    text,
    setText,
    limitText,
    setLimit,
    reviewing,
    setReviewing,
    lots: typedLots(text),
    typed,
    isOffTick,
    /** The limit was sent as it is, and lies between ticks; with what a tick is there. */
    offTick: asked && isOffTick ? String(tickOf(typed) / 10) : null,
    setAsked,
  };
}
export type TypedOrder = ReturnType<typeof useTyped>;

/** The worst premium an order is filled at: its limit, or a little beyond the quote. */
export const limitOf = ({ typed }: TypedOrder, side: OptionSide, quote: number | null): number | null =>
  typed ?? (quote === null ? null : worstPrice(side, quote));

/** Says what has been filled, and leads to the positions. */
export function useFilled(): (answer: Parameters<typeof takeOption>[0]) => void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const said = ({ lots, price }: OptionTrade): string =>
    t("futures.done", { lots: t("futures.lotsOf", { count: lots, n: grouped(String(lots)) }), price: formatPremium(price) });
  return (answer) => {
    takeOption(answer);
    showToast(said(answer.trade), "success");
    void navigate(pathTo("/home/options", { part: "mine" }), { replace: true });
  };
}

/** For the form element: once it is refused, also after its review, the first wrong field is focused. */
export function useRefusedField({ problems, refusal }: Pick<Request<EndpointName>, "problems" | "refusal">, { offTick }: TypedOrder) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problems.length > 0 || refusal !== null || offTick !== null)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [problems, refusal, offTick]);
  return form;
}

interface InputsProps {
  typed: TypedOrder;
  errorAt: (field: string) => string | null;
  /** A field was changed. */
  onEdit: (field: string) => void;
  lotsHint?: string | undefined;
  limitLabel: string;
  limitHint: string | undefined;
}

/** The lots and the limit of an order. */
export function OrderInputs({ typed, errorAt, onEdit, lotsHint, limitLabel, limitHint }: InputsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t("futures.lots")}
        hint={lotsHint}
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
        label={limitLabel}
        hint={limitHint}
        value={typed.limitText}
        inputMode="decimal"
        autoComplete="off"
        error={typed.offTick === null ? errorAt("price") : t("refusal.TRD_PRICE_OFF_TICK", { n: typed.offTick })}
        onText={(next) => {
          typed.setLimit(next);
          typed.setAsked(false);
          onEdit("price");
        }}
      />
    </>
  );
}

interface OptionFieldsProps extends Pick<InputsProps, "typed" | "errorAt" | "onEdit" | "lotsHint"> {
  side: OptionSide;
  /** What it would trade at now, to say what an empty limit means. */
  quote: number | null;
}

export function OptionFields({ side, quote, ...inputs }: OptionFieldsProps) {
  const { t } = useTranslation();
  const price = quote === null ? null : formatPremium(worstPrice(side, quote));
  const hint = price === null ? undefined : t(side === "buy" ? "options.limitBuy" : "options.limitSell", { price });
  return <OrderInputs {...inputs} limitLabel={t("futures.limit")} limitHint={hint} />;
}
