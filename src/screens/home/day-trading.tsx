/** Day trading: eligibility, agreement, open day trades with their warning, and the stocks that can be day traded. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { categoryName } from "#src/screens/quote/names.ts";
import { categoryKey, grouped } from "#src/screens/quote/categories.ts";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useDayTrading } from "#src/streams/day-trading.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useRules } from "#src/streams/rules.ts";
import { Segmented } from "#src/ui/choice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, RiskNotice, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { DayAgreement } from "./day-trading-agreement.tsx";
import { DayTrades } from "./day-trading-open.tsx";
import { DayWarning } from "./day-trading-warning.tsx";
import styles from "./trading.module.css";

const PANES = ["mine", "stocks"] as const;
type Pane = (typeof PANES)[number];
/** `/home/dayTrading` */
export function DayTradingPage() {
  const { t } = useTranslation();
  const [pane, setPane] = useState<Pane>("mine");
  return (
    <Screen
      header={<BackHeader title={t("dayTrading.title")} fallback="/home/allTool" />}
      top={
        <>
          <StaleNotice />
          <div className={styles.panes}>
            <Segmented
              label={t("dayTrading.panes")}
              options={PANES.map((value) => ({ value, label: t(`dayTrading.pane.${value}`) }))}
              value={pane}
              onChoose={setPane}
            />
          </div>
        </>
      }
      scroll={pane === "stocks" ? "own" : "page"}
    >
      {pane === "mine" ? <MyDayTrading /> : <Stocks />}
    </Screen>
  );
}

function MyDayTrading() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useDayTrading();
  const rules = useRules().value;
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <div className={styles.page}>
      <div className={styles.inset}>
        <RiskNotice>{t("dayTrading.risk")}</RiskNotice>
      </div>
      {value === null && skeleton && <Skeleton rows={6} />}
      {value === null && state === "failed" && <ErrorState what={t("dayTrading.failed")} code={failure ?? ""} onRetry={retry} />}
      {value && (
        <>
          <DayTrades known={value} />
          <DayAgreement known={value} rule={rules?.dayTrade ?? null} />
          <DayWarning key={value.warningPercent} known={value} />
        </>
      )}
    </div>
  );
}

/** Every stock the exchange allows to be bought and sold on the same day. */
function Stocks() {
  const { t } = useTranslation();
  const table = useInstruments();
  const skeleton = useSkeleton(table === null);
  const sections = useMemo(() => {
    const eligible = (table?.list ?? []).filter(({ dayTradable, tradable }) => dayTradable && tradable);
    return grouped(table?.categories ?? [], eligible, null).map(({ category, items }) => ({
      id: categoryKey(category),
      title: t("home.category", { board: t(`market.board.${category.board}`), category: categoryName(category) }),
      note: String(items.length),
      items,
    }));
  }, [table, t]);
  if (!table) return skeleton && <Skeleton rows={10} />;
  return <QuoteList label={t("dayTrading.pane.stocks")} sections={sections} />;
}
