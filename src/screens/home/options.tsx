/** TAIEX options: the chain of an expiry, the member's positions with the margin account, and the trades: three tabs; the order of one series, and the closing of one position or of two together. */
import { useTranslation } from "react-i18next";
import { useQuery } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { OptionChain } from "./option-chain.tsx";
import { OptionClose } from "./option-close.tsx";
import { OptionForm } from "./option-form.tsx";
import { OptionPositions, OptionTrades } from "./option-list.tsx";
import { OptionPairClose } from "./option-pair.tsx";
import styles from "./fund.module.css";

const PARTS = ["chain", "mine", "trades"] as const;

/** `/home/options`; `?series=` is the order of one series, `?close=` the closing of one position, `?pair=` of two. */
export function OptionsPage() {
  const [query] = useQuery<"/home/options">();
  const [series, close, pair] = [query.get("series"), query.get("close"), query.get("pair")];
  if (series !== null) return <OptionForm key={series} code={series} />;
  if (pair !== null) return <OptionPairClose key={pair} pair={pair} />;
  return close === null ? <OptionTabs /> : <OptionClose key={close} positionNo={close} />;
}

function OptionTabs() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/home/options">();
  const part = PARTS.find((one) => one === query.get("part")) ?? "chain";
  return (
    <Screen
      header={<BackHeader title={t("app.title.options")} fallback="/home/allTool" />}
      top={
        <>
          <StaleNotice />
          <Tabs
            label={t("app.title.options")}
            tabs={PARTS.map((value) => ({ value, label: t(`options.part.${value}`) }))}
            value={part}
            onChoose={(next) => setQuery({ part: next })}
            panelId="options"
          />
        </>
      }
    >
      <div id="options" role="tabpanel" aria-label={t(`options.part.${part}`)} className={styles.panel}>
        {part === "chain" && <OptionChain month={query.get("month")} onMonth={(month) => setQuery({ part: "chain", month })} />}
        {part === "mine" && <OptionPositions />}
        {part === "trades" && <OptionTrades />}
      </div>
    </Screen>
  );
}
