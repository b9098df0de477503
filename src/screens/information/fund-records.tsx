/** Fund records: every cash ledger entry of the member, newest first, filtered by kind and time, with CSV export. */
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { CASH_ENTRY_KINDS } from "#contract/cash-ledger.ts";
import type { CashEntry, CashEntryKind } from "#contract/cash-ledger.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { exportFlows } from "#src/actors/export.ts";
import { cashLedger } from "#src/streams/cash-ledger.ts";
import type { CashLedgerFilter } from "#src/streams/cash-ledger.ts";
import { usePages } from "#src/streams/pages.ts";
import { IconButton } from "#src/ui/button.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { ALL_TIME, CashLedgerTime } from "./cash-ledger-time.tsx";
import type { Time } from "./cash-ledger-time.tsx";
import styles from "./information.module.css";

const ROW_PX = 88;

function FlowRow({ item }: { item: CashEntry }) {
  const { t } = useTranslation();
  return (
    <div className={styles.flow}>
      <p className={styles.kind}>{t(`information.flow.kind.${item.kind}`)}</p>
      <p className={styles.amount}>{formatMoney(item.amountCents, "always")}</p>
      <p className={styles.when}>{formatDateTime(item.at)}</p>
      <p className={styles.balance}>{t("information.flow.balance", { amount: formatMoney(item.balanceCents) })}</p>
      <p className={styles.when}>{item.orderNo}</p>
      {item.frozenCents !== 0 && (
        <p className={styles.balance}>{t("information.flow.frozen", { amount: formatMoney(item.frozenCents, "always") })}</p>
      )}
    </div>
  );
}

const keyOf = (flow: CashEntry): string => flow.flowNo;

export function FundRecords() {
  const { t } = useTranslation();
  const [kind, setKind] = useState<CashEntryKind | null>(null);
  const [time, setTime] = useState<Time>(ALL_TIME);
  const filter: CashLedgerFilter = { kinds: kind === null ? null : [kind], ...time.range };
  const list = usePages(cashLedger(filter));
  const { value, state, failure } = list;
  const sections = useMemo(() => [{ id: "flows", items: value?.items ?? [] }], [value]);
  const skeleton = useSkeleton(value === null && state === "loading");
  const filtered = kind !== null || time.period !== "all";
  const showAll = (): void => {
    setKind(null);
    setTime(ALL_TIME);
  };
  return (
    <Screen
      scroll="own"
      header={<BackHeader title={t("information.flow.title")} fallback="/information/index" action={<ExportButton filter={filter} />} />}
      top={
        <div className={styles.filter}>
          <CashLedgerTime time={time} onChoose={setTime} />
          <FlowKind kind={kind} onChoose={setKind} />
        </div>
      }
    >
      {!value && skeleton && <Skeleton rows={7} />}
      {state === "failed" && <ErrorState what={t("information.flow.failed")} code={failure ?? ""} onRetry={list.retry} />}
      {value?.items.length === 0 && (
        <EmptyState
          {...(filtered
            ? { title: t("information.flow.emptyFiltered"), action: { label: t("information.flow.all"), onPress: showAll } }
            : { title: t("information.flow.empty"), why: t("information.flow.emptyWhy") })}
        />
      )}
      {value && value.items.length > 0 && (
        <VirtualList
          key={JSON.stringify(filter)}
          label={t("information.flow.title")}
          sections={sections}
          keyOf={keyOf}
          Row={FlowRow}
          rowPx={ROW_PX}
          onNearEnd={() => {
            if (value.next !== null && list.moreState !== "loading") list.more();
          }}
          after={
            list.moreState === "failed" ? (
              <ErrorState what={t("information.flow.failed")} onRetry={list.more} />
            ) : (
              <p className={styles.end} role="status">
                {value.next === null ? t("information.flow.end") : t("information.flow.more")}
              </p>
            )
          }
        />
      )}
    </Screen>
  );
}

/** Saves every entry of the filter as CSV. */
function ExportButton({ filter }: { filter: CashLedgerFilter }) {
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    setSaving(true);
    await exportFlows(filter);
    setSaving(false);
  };
  return (
    <IconButton
      label={t("export.csv")}
      icon={<Download size={22} aria-hidden />}
      aria-busy={saving || undefined}
      onClick={() => !saving && void save()}
    />
  );
}

/** The filter by kind of entry; null for all kinds. */
function FlowKind({ kind, onChoose }: { kind: CashEntryKind | null; onChoose: (kind: CashEntryKind | null) => void }) {
  const { t } = useTranslation();
  return (
    <ChipRow label={t("information.flow.filter")}>
      <Chip pressed={kind === null} onPress={() => onChoose(null)}>
        {t("information.flow.all")}
      </Chip>
      {CASH_ENTRY_KINDS.map((one) => (
        <Chip key={one} pressed={kind === one} onPress={() => onChoose(one)}>
          {t(`information.flow.kind.${one}`)}
        </Chip>
      ))}
    </ChipRow>
  );
}
