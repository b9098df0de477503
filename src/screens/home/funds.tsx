/** Funds before their listing, the member's part in them, and regular savings: three tabs, and one fund or one plan by itself. */
import { useTranslation } from "react-i18next";
import type { Raise } from "#contract/raise.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useRaises } from "#src/streams/raises.ts";
import { useShortNumber } from "#src/streams/short-numbers.ts";
import { Link, useQuery } from "#src/ui/link.tsx";
import { MeasuredList } from "#src/ui/measured-list.tsx";
import { Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { raiseAt, useRaiseClock } from "./fund-clock.ts";
import { FundPage } from "./fund-page.tsx";
import { StakeList } from "./fund-stakes.tsx";
import { useNextRaise } from "./fund-words.ts";
import { PlanPage } from "./savings-plan.tsx";
import { NewPlan } from "./savings-new.tsx";
import { SavingsList } from "./savings-list.tsx";
import styles from "./fund.module.css";

const ROW_PX = 96;
const PARTS = ["raising", "mine", "savings"] as const;

/** `/home/etf`; `?fund=` is one fund, `?plan=` one savings plan, `?plan=new` the form of a new one. */
export function FundsPage() {
  const [query] = useQuery<"/home/etf">();
  const [fund, plan] = [query.get("fund"), query.get("plan")];
  if (fund !== null) return <FundPage key={fund} code={fund} />;
  if (plan === "new") return <NewPlan key={query.get("code")} first={query.get("code")} />;
  if (plan !== null) return <PlanPage key={plan} planNo={plan} />;
  return <FundTabs />;
}

function FundTabs() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/home/etf">();
  const part = PARTS.find((one) => one === query.get("part")) ?? "raising";
  return (
    <Screen
      header={<BackHeader title={t("app.title.funds")} fallback="/home/allTool" />}
      top={
        <Tabs
          label={t("app.title.funds")}
          tabs={PARTS.map((value) => ({ value, label: t(`fund.part.${value}`) }))}
          value={part}
          onChoose={(next) => setQuery({ part: next })}
          panelId="funds"
        />
      }
    >
      <div id="funds" role="tabpanel" aria-label={t(`fund.part.${part}`)} className={styles.panel}>
        {part === "raising" && <RaiseList />}
        {part === "mine" && <StakeList />}
        {part === "savings" && <SavingsList />}
      </div>
    </Screen>
  );
}

const isOver = ({ status }: Raise): boolean => status !== "upcoming" && status !== "raising";

/** The funds that can be subscribed to now or soon, and those whose raising is over. */
function RaiseList() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useRaises();
  const now = useRaiseClock(value?.raises ?? [], retry);
  const skeleton = useSkeleton(value === null && state === "loading");
  const all = (value?.raises ?? []).map((raise) => raiseAt(raise, now));
  const open = all.filter((raise) => !isOver(raise)).toSorted((a, b) => a.closesAt - b.closesAt);
  const over = all.filter(isOver);
  return (
    <>
      {value === null && skeleton && <Skeleton rows={6} />}
      {value === null && state === "failed" && <ErrorState what={t("fund.failed")} code={failure ?? ""} onRetry={retry} />}
      {value && open.length === 0 && <EmptyState title={t("fund.none")} why={t("fund.noneWhy")} />}
      {open.length > 0 && <FundRows raises={open} label={t("fund.open")} />}
      {over.length > 0 && (
        <Section title={t("fund.over")}>
          <FundRows raises={over} label={t("fund.over")} />
        </Section>
      )}
      <p className={styles.foot}>{t("fund.simulated")}</p>
    </>
  );
}

function FundRows({ raises, label }: { raises: readonly Raise[]; label: string }) {
  return (
    <div className={styles.rows}>
      <MeasuredList label={label} items={raises} keyOf={({ code }) => code} estimatePx={ROW_PX}>
        {(raise) => <FundRow raise={raise} />}
      </MeasuredList>
    </div>
  );
}

function FundRow({ raise }: { raise: Raise }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const nextOf = useNextRaise();
  const short = useShortNumber();
  return (
    <Link to={pathTo("/home/etf", { fund: raise.code })} className={styles.row ?? ""}>
      <span className={styles.texts}>
        <span className={styles.name}>{nameOf(raise.code)}</span>
        <span className={styles.small} data-status={raise.status}>
          {t(`raise.status.${raise.status}`)}
        </span>
        <span className={styles.small}>{nextOf(raise)}</span>
      </span>
      <span className={styles.numbers}>
        <span className={styles.price}>{formatPrice(raise.listingPrice ?? raise.price)}</span>
        <span className={styles.small}>{t(raise.listingPrice === null ? "fund.field.price" : "fund.field.listingPrice")}</span>
        <span className={styles.small}>{`TWD ${short(raise.sizeCents / 100)}`}</span>
      </span>
    </Link>
  );
}
