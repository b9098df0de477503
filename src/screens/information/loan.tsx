/** Borrowing: the limit and how it is made, what keeps a loan back, the offer, its agreement, and drawing it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { bandOf } from "#contract/credit.ts";
import { formatTwd } from "#contract/kernel/money.ts";
import { formatDate, taipeiMidnight } from "#contract/kernel/time.ts";
import { isUnpaid, loanBlocks, owedOn } from "#contract/loan.ts";
import type { Loan } from "#contract/loan.ts";
import type { MemberFacts } from "#contract/eligibility.ts";
import { pathTo } from "#src/paths.ts";
import { useLending } from "#src/streams/loans.ts";
import type { Lending } from "#src/streams/loans.ts";
import { useMember } from "#src/streams/member.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList, List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, RiskNotice, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Blocked } from "./blocked.tsx";
import { LoanForm } from "./loan-form.tsx";
import { LoanOffer } from "./loan-offer.tsx";
import styles from "./funding.module.css";

/** `/home/loan` */
export function LoanPage() {
  const { t } = useTranslation();
  const lending = useLending();
  const member = useMember();
  const loading = lending.value === null || member.value === null;
  const failed = [lending, member].find(({ value, state }) => value === null && state === "failed");
  const skeleton = useSkeleton(loading && !failed);
  return (
    <Screen header={<BackHeader title={t("app.title.loan")} fallback="/information/index" />}>
      <div className={styles.page}>
        <div className={styles.inset}>
          <RiskNotice>{t("loan.risk")}</RiskNotice>
        </div>
        {loading && !failed && skeleton && <Skeleton rows={8} />}
        {failed && (
          <ErrorState
            what={t("loan.failed")}
            code={failed.failure ?? ""}
            onRetry={() => {
              lending.retry();
              member.retry();
            }}
          />
        )}
        {lending.value && member.value && <Borrowing lending={lending.value} facts={member.value.facts} />}
      </div>
    </Screen>
  );
}

function Borrowing({ lending, facts }: { lending: Lending; facts: MemberFacts }) {
  const { t } = useTranslation();
  const { loans, rule, borrowing } = lending;
  /** The number of the offer that the member wants to replace. */
  const [replaced, setReplaced] = useState<string | null>(null);
  const blocks = loanBlocks(facts, lending);
  const unpaid = loans.filter(isUnpaid);
  const open = loans.find(({ loanNo, status }) => (status === "offered" || status === "signed") && loanNo !== replaced);
  return (
    <>
      {blocks.length > 0 && (
        <div className={styles.inset}>
          <Blocked title={t("loan.blocked")} missing={blocks} />
        </div>
      )}
      {unpaid.length > 0 && <Unpaid loans={unpaid} />}
      {blocks.length === 0 && open && (
        <div className={styles.inset}>
          <LoanOffer key={open.loanNo} loan={open} signed={facts.agreements.includes("loan")} onChange={() => setReplaced(open.loanNo)} />
        </div>
      )}
      <Limit lending={lending} />
      {blocks.length === 0 && !open && <LoanForm rule={rule} borrowing={borrowing} />}
      <div className={styles.inset}>
        <ButtonLink to="/home/loanRe">{t("app.title.loanRepay")}</ButtonLink>
      </div>
    </>
  );
}

/** How the limit is made: score, own net assets, and what is borrowed already. */
function Limit({ lending: { rule, borrowing } }: { lending: Lending }) {
  const { t } = useTranslation();
  const { score, ownCents, limitCents, borrowedCents, freeCents } = borrowing;
  const { name, percent, mostCents } = bandOf(rule, score);
  return (
    <Section title={t("loan.limit")} inset>
      <Card label={t("loan.limit")}>
        <FieldList
          fields={[
            { label: t("loan.score"), value: `${score} · ${t(`credit.band.${name}`)}` },
            { label: t("loan.own"), value: formatTwd(ownCents) },
            { label: t("loan.percent"), value: `${percent}%` },
            { label: t("loan.most"), value: formatTwd(mostCents) },
            { label: t("loan.total"), value: formatTwd(limitCents) },
            { label: t("loan.borrowed"), value: formatTwd(borrowedCents) },
            { label: t("loan.free"), value: formatTwd(freeCents) },
          ]}
        />
        <ButtonLink tone="quiet" to="/information/credit">
          {t("app.title.credit")}
        </ButtonLink>
      </Card>
    </Section>
  );
}

/** Loans that are running; each leads to its repayment. */
function Unpaid({ loans }: { loans: readonly Loan[] }) {
  const { t } = useTranslation();
  return (
    <Section title={t("loan.unpaid")}>
      <List label={t("loan.unpaid")}>
        {loans.map((loan) => (
          <Row
            key={loan.loanNo}
            title={formatTwd(owedOn(loan))}
            subtitle={t("loan.row", {
              status: t(`loan.status.${loan.status}`),
              day: formatDate(taipeiMidnight(loan.dueDay ?? 0)),
            })}
            to={pathTo("/home/loanRe", { no: loan.loanNo })}
          />
        ))}
      </List>
    </Section>
  );
}
