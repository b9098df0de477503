/** An agent's lists: the rebates by month, each with its file, and the invited members. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Invited, RebateMonth } from "#contract/agent.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import { exportRebates } from "#src/actors/export-rebates.ts";
import { useInvited, useRebates } from "#src/streams/agency.ts";
import type { ReadPages } from "#src/streams/pages.ts";
import { Button } from "#src/ui/button.tsx";
import { List, Row, Section } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./agent.module.css";
import type { ReactNode } from "react";

export function RebateMonths() {
  const { t } = useTranslation();
  const label = t("agency.months");
  return (
    <Section title={label}>
      <Pages
        label={label}
        empty={t("agency.noMonths")}
        list={useRebates()}
        keyOf={({ month }) => month}
        renderRow={(one) => <Month of={one} />}
      />
    </Section>
  );
}

export function InvitedMembers() {
  const { t } = useTranslation();
  const label = t("agency.invited");
  return (
    <Section title={label}>
      <Pages
        label={label}
        empty={t("agency.noInvited")}
        list={useInvited()}
        keyOf={({ memberNo, joinedAt }) => `${memberNo} ${joinedAt}`}
        renderRow={(one) => <Newcomer of={one} />}
      />
    </Section>
  );
}

function Month({ of: { month, commissionCents, rebateCents, paidAt } }: { of: RebateMonth }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = (): void => {
    setBusy(true);
    void exportRebates(month).finally(() => setBusy(false));
  };
  return (
    <Row
      title={`${month.replace("-", ".")} · NT$${formatMoney(rebateCents)}`}
      subtitle={
        <>
          {t("agency.brought", { commission: formatMoney(commissionCents), rebate: formatMoney(rebateCents) })}
          <br />
          {paidAt === null ? t("agency.notPaid") : t("agency.paidAt", { at: formatDate(paidAt) })}
        </>
      }
      trailing={
        <Button busy={busy} onClick={save} aria-label={t("agency.export", { month })}>
          CSV
        </Button>
      }
    />
  );
}

function Newcomer({ of: { memberNo, name, joinedAt, verified, commissionCents, rebateCents } }: { of: Invited }) {
  const { t } = useTranslation();
  const joined = t("agency.joined", { at: formatDate(joinedAt) });
  return (
    <Row
      title={name === "" ? memberNo : `${name} ${memberNo}`}
      subtitle={
        <>
          {verified ? joined : `${joined} · ${t("agency.unverified")}`}
          <br />
          {t("agency.brought", { commission: formatMoney(commissionCents), rebate: formatMoney(rebateCents) })}
        </>
      }
    />
  );
}

interface PagesProps<Item> {
  label: string;
  empty: string;
  list: ReadPages<Item>;
  keyOf: (item: Item) => string;
  renderRow: (item: Item) => ReactNode;
}

function Pages<Item>({ label, empty, list, keyOf, renderRow }: PagesProps<Item>) {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = list;
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("reward.failed")} code={failure ?? ""} onRetry={retry} />;
    return skeleton ? <Skeleton rows={3} /> : null;
  }
  if (value.items.length === 0) return <EmptyState title={empty} />;
  return (
    <>
      <List label={label}>
        {value.items.map((item) => (
          <Keyed key={keyOf(item)}>{renderRow(item)}</Keyed>
        ))}
      </List>
      {value.next !== null && (
        <div className={styles.inset}>
          <Button busy={moreState === "loading"} onClick={more}>
            {t("reward.more")}
          </Button>
        </div>
      )}
    </>
  );
}

const Keyed = ({ children }: { children: ReactNode }) => children;
