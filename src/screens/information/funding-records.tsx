/** The deposits and the withdrawals among the fund records: each leads to its progress and its ledger lines. */
import { useTranslation } from "react-i18next";
import { formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import { useDeposits } from "#src/streams/deposits.ts";
import type { ReadPages } from "#src/streams/pages.ts";
import { useWithdrawals } from "#src/streams/withdrawals.ts";
import { Button } from "#src/ui/button.tsx";
import { List, Row } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./funding.module.css";

interface RecordRow {
  no: string;
  title: string;
  subtitle: string;
  to: Path;
}

export function DepositRecords() {
  const { t } = useTranslation();
  return (
    <Records
      list={useDeposits()}
      label={t("information.deposit")}
      to="/information/recharge"
      rowOf={({ depositNo, paid, amount, status, submittedAt }) => ({
        no: depositNo,
        title: `${paid} ${grouped(String(amount))}`,
        subtitle: `${t(`deposit.status.${status}`)} · ${formatDateTime(submittedAt)}`,
        to: pathTo("/information/rechargeChannel", { no: depositNo }),
      })}
    />
  );
}

export function WithdrawalRecords() {
  const { t } = useTranslation();
  return (
    <Records
      list={useWithdrawals()}
      label={t("information.withdraw")}
      to="/information/cashOut"
      rowOf={({ withdrawalNo, amountCents, number, status, requestedAt }) => ({
        no: withdrawalNo,
        title: `${formatTwd(amountCents)} · ${number}`,
        subtitle: `${t(`withdrawal.status.${status}`)} · ${formatDateTime(requestedAt)}`,
        to: pathTo("/information/withdrawalDetail", { no: withdrawalNo }),
      })}
    />
  );
}

function Records<Item>({
  list,
  label,
  to,
  rowOf,
}: {
  list: ReadPages<Item>;
  label: string;
  to: "/information/recharge" | "/information/cashOut";
  rowOf: (item: Item) => RecordRow;
}) {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = list;
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("information.flow.failed")} code={failure ?? ""} onRetry={retry} />;
    return skeleton ? <Skeleton rows={5} /> : null;
  }
  if (value.items.length === 0) return <EmptyState title={t("information.flow.empty")} action={{ label, to }} />;
  return (
    <>
      <List label={label}>
        {value.items.map(rowOf).map(({ no, ...row }) => (
          <Row key={no} {...row} />
        ))}
      </List>
      {value.next !== null && (
        <div className={styles.inset}>
          <Button busy={moreState === "loading"} onClick={more}>
            {t("funding.more")}
          </Button>
        </div>
      )}
    </>
  );
}
