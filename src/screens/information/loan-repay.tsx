/** Paying a loan back: what is owed to today, a part or all of it, and the loans that are over. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatTwd, MINUS } from "#contract/kernel/money.ts";
import { formatDate, taipeiMidnight } from "#contract/kernel/time.ts";
import { isUnpaid, owedOn } from "#contract/loan.ts";
import type { Loan } from "#contract/loan.ts";
import { useLoanStatus } from "#src/actors/loan.ts";
import { useLending } from "#src/streams/loans.ts";
import { useMember } from "#src/streams/member.ts";
import { RadioList } from "#src/ui/choice.tsx";
import { useQuery } from "#src/ui/link.tsx";
import { Card, FieldList, List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, RiskNotice, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { RepayForm } from "./loan-repay-form.tsx";
import styles from "./funding.module.css";

/** `/home/loanRe?no=L12` */
export function LoanRepayPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useLending();
  const skeleton = useSkeleton(value === null && state === "loading");
  const unpaid = (value?.loans ?? []).filter(isUnpaid).toSorted((a, b) => (a.dueDay ?? 0) - (b.dueDay ?? 0));
  const over = (value?.loans ?? []).filter(({ status }) => status === "repaid");
  return (
    <Screen header={<BackHeader title={t("app.title.loanRepay")} fallback="/home/loan" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={7} />}
        {value === null && state === "failed" && <ErrorState what={t("loan.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && unpaid.length === 0 && (
          <EmptyState title={t("loan.nothing")} why={t("loan.nothingWhy")} action={{ label: t("app.title.loan"), to: "/home/loan" }} />
        )}
        {unpaid.length > 0 && <Repayment unpaid={unpaid} />}
        {value && <History loans={over} />}
      </div>
    </Screen>
  );
}

function Repayment({ unpaid }: { unpaid: readonly Loan[] }) {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/home/loanRe">();
  const { value: member } = useMember();
  const chosen = unpaid.find(({ loanNo }) => loanNo === query.get("no")) ?? unpaid[0];
  if (!chosen) return null;
  return (
    <div className={styles.inset}>
      {unpaid.length > 1 && (
        <RadioList
          label={t("loan.which")}
          options={unpaid.map((loan) => ({
            value: loan.loanNo,
            label: `${loan.loanNo} · ${formatTwd(owedOn(loan))}`,
            hint: dueText(loan),
          }))}
          value={chosen.loanNo}
          onChoose={(no) => setQuery({ no })}
        />
      )}
      <Owed key={chosen.loanNo} loan={chosen} />
      <RepayForm key={`form ${chosen.loanNo}`} loan={chosen} availableCents={member?.availableCents ?? null} />
    </div>
  );
}

const dueText = ({ dueDay }: Pick<Loan, "dueDay">): string => formatDate(taipeiMidnight(dueDay ?? 0));

/** What one loan owes to today. */
function Owed({ loan }: { loan: Loan }) {
  const { t } = useTranslation();
  const status = useLoanStatus(loan);
  return (
    <>
      {status === "overdue" && <RiskNotice>{t("loan.overdue")}</RiskNotice>}
      <Card label={t("loan.owed")}>
        <p className={styles.note}>{t("loan.owed")}</p>
        <p className={styles.total}>{formatTwd(owedOn(loan))}</p>
        <p role="status">{t(`loan.status.${status}`)}</p>
        <FieldList
          fields={[
            { label: t("loan.number"), value: loan.loanNo },
            { label: t("loan.principal"), value: formatTwd(loan.principalCents) },
            { label: t("loan.interestToday"), value: formatTwd(loan.interestCents) },
            { label: t("loan.due"), value: dueText(loan) },
            { label: t("loan.drawn"), value: formatDate(loan.drawnAt ?? 0) },
            { label: t("loan.termDays"), value: t("loan.days", { count: loan.termDays }) },
            { label: t("loan.paid"), value: formatTwd(loan.paidInterestCents) },
          ]}
        />
        {status !== "overdue" && <p className={styles.note}>{t("loan.debit")}</p>}
      </Card>
    </>
  );
}

/** Loans that are paid back, with what they cost and the points they brought. */
function History({ loans }: { loans: readonly Loan[] }) {
  const { t } = useTranslation();
  return (
    <Section title={t("loan.history")}>
      {loans.length === 0 ? (
        <p className={styles.none}>{t("loan.noHistory")}</p>
      ) : (
        <List label={t("loan.history")}>
          {loans.map((loan) => (
            <Row
              key={loan.loanNo}
              title={`${loan.loanNo} · ${formatTwd(loan.amountCents)}`}
              subtitle={t("loan.over", {
                status: t(`loan.status.${loan.status}`),
                day: formatDate(loan.repaidAt ?? loan.offeredAt),
                amount: formatMoney(loan.paidInterestCents),
              })}
              trailing={loan.points === 0 ? null : t("loan.points", { points: signed(loan.points) })}
            />
          ))}
        </List>
      )}
    </Section>
  );
}

const signed = (points: number): string => (points > 0 ? `+${points}` : `${MINUS}${-points}`);
