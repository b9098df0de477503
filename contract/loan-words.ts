/** What a member is told about a credit loan. */
import { formatMoney } from "./kernel/money.ts";
import { formatDate, taipeiMidnight } from "./kernel/time.ts";
import { owedOn } from "./loan.ts";
import type { LoanNotice } from "./loan.ts";

type LoanSaid = "drawn" | "debited" | "overdue" | "repaid";

/** Every text it uses. */
export type LoanText = `message.loan.${LoanSaid | "due" | "left" | "number"}`;

interface Words {
  title: string;
  text: string;
  tone: "info" | "success" | "danger";
}

/** Title and text; `t` looks a text up in the reader's language. */
export function loanWords(
  { event, amountCents, loan }: LoanNotice,
  t: (key: LoanText, values?: Record<string, string | number>) => string,
): Words {
  const said: LoanSaid =
    event === "loan.drawn" ? "drawn" : event === "loan.overdue" ? "overdue" : event === "loan.repaid" ? "repaid" : "debited";
  const values = { amount: formatMoney(amountCents), loanNo: loan.loanNo };
  const left = owedOn(loan);
  const more =
    said === "drawn" && loan.dueDay !== null
      ? t("message.loan.due", { day: formatDate(taipeiMidnight(loan.dueDay)) })
      : left > 0
        ? t("message.loan.left", { amount: formatMoney(left) })
        : t("message.loan.number", values);
  return {
    title: t(`message.loan.${said}`, values),
    text: more,
    tone: said === "overdue" ? "danger" : said === "debited" ? "info" : "success",
  };
}
