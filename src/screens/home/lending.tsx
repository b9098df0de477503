/** Securities lending: what borrowers ask for, and the member's loans: two tabs; and the form of one loan or of an own offer. */
import { useTranslation } from "react-i18next";
import { formatRate, formatTwd, grouped } from "#contract/kernel/money.ts";
import type { LendingDemand } from "#contract/lending.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useLendingMarket } from "#src/streams/lendings.ts";
import type { LendingMarket } from "#src/streams/lendings.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Link, useQuery } from "#src/ui/link.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { LendingForm, OfferForm } from "./lending-form.tsx";
import { LendingList } from "./lending-list.tsx";
import { LendingNotes, useLendable } from "./lending-words.tsx";
import styles from "./fund.module.css";

const PARTS = ["demands", "mine"] as const;

/** `/home/coupons`; `?demand=` is the form of a loan, `?demand=own` that of an own offer. */
export function LendingPage() {
  const [query] = useQuery<"/home/coupons">();
  const demand = query.get("demand");
  if (demand === "own") return <OfferForm first={query.get("orderNo")} />;
  if (demand !== null) return <LendingForm key={demand} demandId={demand} />;
  return <LendingTabs />;
}

function LendingTabs() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/home/coupons">();
  const part = PARTS.find((one) => one === query.get("part")) ?? "demands";
  return (
    <Screen
      header={<BackHeader title={t("app.title.lending")} fallback="/home/allTool" />}
      top={
        <Tabs
          label={t("app.title.lending")}
          tabs={PARTS.map((value) => ({ value, label: t(`lending.part.${value}`) }))}
          value={part}
          onChoose={(next) => setQuery({ part: next })}
          panelId="lending"
        />
      }
    >
      <div id="lending" role="tabpanel" aria-label={t(`lending.part.${part}`)} className={styles.panel}>
        {part === "demands" && <Demands />}
        {part === "mine" && <LendingList />}
      </div>
    </Screen>
  );
}

function Demands() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useLendingMarket();
  const skeleton = useSkeleton(value === null && state === "loading");
  const lendable = useLendable();
  const held = new Set(lendable.map(({ code }) => code));
  const mine = value?.demands.filter(({ code }) => held.has(code)) ?? [];
  const others = value?.demands.filter(({ code }) => !held.has(code)) ?? [];
  return (
    <>
      {value && (
        <div className={styles.inset}>
          <Earnings market={value} />
          {lendable.length > 0 && (
            <ButtonLink to={pathTo("/home/coupons", { demand: "own" })} block>
              {t("lending.own")}
            </ButtonLink>
          )}
        </div>
      )}
      {value === null && skeleton && <Skeleton rows={6} />}
      {value === null && state === "failed" && <ErrorState what={t("lending.failed")} code={failure ?? ""} onRetry={retry} />}
      {value && !value.open && <EmptyState title={t("lending.closed")} why={t("lending.closedWhy")} />}
      {value?.open && (
        <Section title={t("lending.held")}>
          {mine.length > 0 ? (
            <DemandRows demands={mine} label={t("lending.held")} />
          ) : (
            <EmptyState title={t("lending.heldNone")} why={t("lending.heldNoneWhy")} />
          )}
        </Section>
      )}
      {others.length > 0 && (
        <Section title={t("lending.others")}>
          <DemandRows demands={others} label={t("lending.others")} />
        </Section>
      )}
      {value && (
        <div className={styles.inset}>
          <LendingNotes rule={value.rule} />
        </div>
      )}
    </>
  );
}

function Earnings({ market: { paidCents, accruedCents } }: { market: LendingMarket }) {
  const { t } = useTranslation();
  return (
    <Card label={t("lending.earnings")}>
      <FieldList
        fields={[
          { label: t("lending.accrued"), value: formatTwd(accruedCents) },
          { label: t("lending.paid"), value: formatTwd(paidCents) },
        ]}
      />
    </Card>
  );
}

function DemandRows({ demands, label }: { demands: readonly LendingDemand[]; label: string }) {
  return (
    <ul role="list" aria-label={label} className={styles.rows}>
      {demands.map((demand) => (
        <li key={demand.demandId}>
          <DemandRow demand={demand} />
        </li>
      ))}
    </ul>
  );
}

function DemandRow({ demand }: { demand: LendingDemand }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  return (
    <Link to={pathTo("/home/coupons", { demand: demand.demandId })} className={styles.row ?? ""}>
      <span className={styles.texts}>
        <span className={styles.name}>{nameOf(demand.code)}</span>
        <span className={styles.small}>
          {t("lending.row", {
            lots: t("lending.lots", { count: demand.left, n: grouped(String(demand.left)) }),
            days: t("lending.days", { count: demand.days }),
          })}
        </span>
      </span>
      <span className={styles.numbers}>
        <span className={styles.price}>{formatRate(demand.ratePerMillion)}</span>
        <span className={styles.small}>{t("lending.aYear")}</span>
      </span>
    </Link>
  );
}
