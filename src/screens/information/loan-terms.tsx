/** What a loan of an amount and a term costs: interest a day, the due day, and what is to be paid back then. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatRate, formatTwd } from "#contract/kernel/money.ts";
import { formatDate, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { loanInterest } from "#contract/loan.ts";
import { FieldList } from "#src/ui/row.tsx";

export interface LoanTermsProps {
  amountCents: number;
  termDays: number;
  interestPerMillion: number;
}

/** As if it were drawn today. */
export function LoanTerms({ amountCents, termDays, interestPerMillion }: LoanTermsProps) {
  const { t } = useTranslation();
  const [today] = useState(() => taipeiDay(Date.now()));
  const interest = loanInterest({ interestPerMillion }, amountCents, termDays);
  return (
    <FieldList
      fields={[
        { label: t("loan.term"), value: t("loan.days", { count: termDays }) },
        { label: t("loan.rate"), value: formatRate(interestPerMillion) },
        { label: t("loan.perDay"), value: formatTwd(loanInterest({ interestPerMillion }, amountCents, 1)) },
        { label: t("loan.due"), value: formatDate(taipeiMidnight(today + termDays)) },
        { label: t("loan.interest"), value: formatTwd(interest) },
        { label: t("loan.sum"), value: formatTwd(amountCents + interest) },
      ]}
    />
  );
}
