/** The part that the forms to run a strategy and to follow a mentor share: the amount, and the loss to stop at. */
import { useTranslation } from "react-i18next";
import { formatTwd, grouped } from "#contract/kernel/money.ts";
import { useFields } from "#src/actors/fields.ts";
import type { Fields } from "#src/actors/fields.ts";
import type { Request } from "#src/actors/request.ts";
import { TextField } from "#src/ui/text-field.tsx";
import { wholeNumber } from "./whole-number.ts";

const CENTS = 100;
const FIRST = { amount: "", stopPercent: "20" };

type Typed = Fields<keyof typeof FIRST>;

/** What is typed; null for what is not a number. */
export function useAmountAndStop(request: Pick<Request<"startStrategy" | "followMentor">, "errorAt" | "edit" | "problems" | "refusal">) {
  const { values, field, form } = useFields(FIRST, request);
  const amount = wholeNumber(values.amount);
  const stopPercent = wholeNumber(values.stopPercent);
  // An amount in whole NT$ times a percentage is in cents.
  const stopsAt = amount === null || stopPercent === null ? "--" : formatTwd(0 - amount * stopPercent);
  return { amount, stopPercent, stopsAt, field, form };
}

/** What is wrong with an amount in whole NT$ before it is sent. */
export const amountProblems = (amount: number, minimumCents: number) =>
  amount * CENTS < minimumCents
    ? [{ code: "TRD_PRODUCT_MIN" as const, params: { n: grouped(String(minimumCents / CENTS)) }, field: "amount" }]
    : [];

interface AmountAndStopProps {
  of: "strategy" | "copy";
  field: Typed["field"];
  minimumCents: number;
}

export function AmountAndStop({ of, field, minimumCents }: AmountAndStopProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        {...field("amount")}
        label={t(`${of}.field.amount`)}
        hint={t(`${of}.amountHint`, { amount: grouped(String(minimumCents / CENTS)) })}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextField
        {...field("stopPercent")}
        label={t(`${of}.field.stop`)}
        hint={t(`${of}.stopHint`)}
        inputMode="numeric"
        autoComplete="off"
      />
    </>
  );
}
