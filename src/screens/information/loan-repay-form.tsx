/** The form of a repayment: a part, the interest, or all that is owed; nothing above it. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatTwd } from "#contract/kernel/money.ts";
import { owedOn, repaymentRefusal } from "#contract/loan.ts";
import type { Loan } from "#contract/loan.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { lending, takeLoan } from "#src/streams/loans.ts";
import { Button } from "#src/ui/button.tsx";
import { Chip } from "#src/ui/choice.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { FundingError } from "./funding-error.tsx";
import { amountText, typedHundredths } from "./typed-amount.ts";
import styles from "./funding.module.css";

const FIELDS = ["amount"] as const;

/** `availableCents`: in the securities wallet; null while it is not known, then the server decides. */
export function RepayForm({ loan, availableCents }: { loan: Loan; availableCents: number | null }) {
  const { t } = useTranslation();
  const owed = owedOn(loan);
  const request = useRequest("repayLoan", {
    fields: FIELDS,
    check: ({ amount }) => {
      const refusal = repaymentRefusal(amount, owed, availableCents ?? amount);
      return refusal ? [{ ...refusal, field: "amount" }] : [];
    },
    onAccepted: (repaid) => {
      fill("amount", "");
      takeLoan(repaid);
      showToast(t("operation.OP_REPAY_OK"), "success");
    },
    onArrived: lending.refetch,
  });
  const { values, field, fill, form } = useFields({ amount: "" }, request);
  const typed = typedHundredths(values.amount);
  const choose = (cents: number): void => {
    fill("amount", amountText(cents));
    request.edit("amount");
  };
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ loanNo: loan.loanNo, amount: typed });
      }}
    >
      <TextField
        {...field("amount")}
        label={t("loan.repayAmount")}
        hint={availableCents === null ? undefined : `${t("loan.available")}: ${formatTwd(availableCents)}`}
        inputMode="decimal"
        autoComplete="off"
      />
      <div className={styles.amounts}>
        <Chip pressed={typed === owed} onPress={() => choose(owed)}>
          {t("loan.whole", { amount: formatMoney(owed) })}
        </Chip>
        {loan.interestCents > 0 && (
          <Chip pressed={typed === loan.interestCents} onPress={() => choose(loan.interestCents)}>
            {t("loan.onlyInterest", { amount: formatMoney(loan.interestCents) })}
          </Chip>
        )}
      </div>
      <p className={styles.note}>{t("loan.interestFirst")}</p>
      <FundingError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("loan.repay")}
      </Button>
    </form>
  );
}
