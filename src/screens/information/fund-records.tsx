/** Fund records: every cash ledger entry of the member, grouped by trade, newest first, filtered by kind and time, with CSV export. */
import { Download } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CASH_ENTRY_KINDS } from "#contract/cash-ledger.ts";
import type { CashEntryKind } from "#contract/cash-ledger.ts";
import { exportFlows } from "#src/actors/export.ts";
import { cashLedger } from "#src/streams/cash-ledger.ts";
import type { CashLedgerFilter } from "#src/streams/cash-ledger.ts";
import { usePages } from "#src/streams/pages.ts";
import { IconButton } from "#src/ui/button.tsx";
import { Chip, ChipRow, Segmented } from "#src/ui/choice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { ALL_TIME, CashLedgerTime } from "./cash-ledger-time.tsx";
import type { Time } from "./cash-ledger-time.tsx";
import { groupEntries } from "./cash-ledger-groups.ts";
import { CashLedgerRow, rowKey, rowsOf } from "./cash-ledger-row.tsx";
import { DepositRecords, WithdrawalRecords } from "./funding-records.tsx";
import styles from "./information.module.css";

const ROW_PX = 72;

/** The groups whose lines are shown, and how to show or hide those of one. */
function useOpened(): [ReadonlySet<string>, (id: string) => void] {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (id: string) =>
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  return [opened, toggle];
}

const TABS = ["transaction", "recharge", "withdraw"] as const;
type Tab = (typeof TABS)[number];

/** `/information/fundRecord` */
export function FundRecords() {
  const { t } = useTranslation();
  const [tab, setTab] = useState<Tab>("transaction");
  const words = { transaction: t("information.flow.tab"), recharge: t("information.deposit"), withdraw: t("information.withdraw") };
  const options = TABS.map((value) => ({ value, label: words[value] }));
  const tabs = <Segmented label={t("information.flow.tabs")} options={options} value={tab} onChoose={setTab} />;
  if (tab === "transaction") return <Transactions tabs={tabs} />;
  return (
    <Screen
      header={<BackHeader title={t("information.flow.title")} fallback="/information/index" />}
      top={<div className={styles.filter}>{tabs}</div>}
    >
      {tab === "recharge" ? <DepositRecords /> : <WithdrawalRecords />}
    </Screen>
  );
}

/** Every movement of the member's money. `tabs` leads to the other lists. */
function Transactions({ tabs }: { tabs: ReactNode }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<CashEntryKind | null>(null);
  const [time, setTime] = useState<Time>(ALL_TIME);
  const filter: CashLedgerFilter = { kinds: kind === null ? null : [kind], ...time.range };
  const list = usePages(cashLedger(filter));
  const { value, state, failure } = list;
  const [opened, toggle] = useOpened();
  const sections = useMemo(
    () => [{ id: "flows", items: rowsOf(groupEntries(value?.items ?? []), opened, toggle) }],
    [value, opened, toggle],
  );
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
          {tabs}
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
          keyOf={rowKey}
          Row={CashLedgerRow}
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
