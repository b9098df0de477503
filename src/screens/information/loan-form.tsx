/** The form of a loan: how much, for how long, what that would cost, and the request for an offer. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CreditRule } from "#contract/credit.ts";
import { grouped } from "#contract/kernel/money.ts";
import { loanAmountRefusal } from "#contract/loan.ts";
import type { Borrowing } from "#contract/loan.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { takeLoan, lending } from "#src/streams/loans.ts";
import { Button } from "#src/ui/button.tsx";
import { Chip, RadioList, Segmented } from "#src/ui/choice.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { FundingError } from "./funding-error.tsx";
import { LoanTerms } from "./loan-terms.tsx";
import { fieldText, typedCents } from "./whole-amount.ts";
import styles from "./funding.module.css";

const FIELDS = ["amount", "termDays"] as const;
/** More terms than fit in one bar are a list. */
const IN_A_BAR = 3;

export function LoanForm({ rule, borrowing }: { rule: CreditRule; borrowing: Borrowing }) {
  const { t } = useTranslation();
  const [term, setTerm] = useState(String(rule.termDays[0] ?? ""));
  const request = useRequest("offerLoan", {
    fields: FIELDS,
    check: ({ amount }) => {
      const refusal = loanAmountRefusal(amount, rule, borrowing);
      return refusal ? [{ ...refusal, field: "amount" }] : [];
    },
    onAccepted: takeLoan,
    onArrived: lending.refetch,
  });
  const { values, field, fill, form } = useFields({ amount: "" }, request);
  const amountCents = typedCents(values.amount);
  const terms = rule.termDays.map((days) => ({ value: String(days), label: t("loan.days", { count: days }) }));
  const Terms = terms.length > IN_A_BAR ? RadioList : Segmented;
  const most = Math.floor(borrowing.freeCents / 100);
  const { name: _name, ...amount } = field("amount");
  return (
    <Section title={t("loan.form")} inset>
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          request.submit({ amount: amountCents, termDays: Number(term) });
        }}
      >
        <TextField {...amount} name="amount" label={t("loan.amount")} inputMode="numeric" autoComplete="off" />
        <div className={styles.amounts}>
          <Chip
            pressed={amountCents === borrowing.freeCents}
            onPress={() => {
              fill("amount", fieldText(borrowing.freeCents));
              request.edit("amount");
            }}
          >
            {t("loan.all", { amount: grouped(String(most)) })}
          </Chip>
        </div>
        <Terms label={t("loan.term")} options={terms} value={term} onChoose={setTerm} />
        {amountCents !== null && amountCents > 0 && (
          <Card label={t("loan.today")}>
            <p className={styles.note}>{t("loan.today")}</p>
            <LoanTerms amountCents={amountCents} termDays={Number(term)} interestPerMillion={rule.interestPerMillion} />
          </Card>
        )}
        <FundingError request={request} />
        <Button type="submit" tone="primary" size="large" block busy={request.busy}>
          {t("loan.ask")}
        </Button>
      </form>
    </Section>
  );
}
