/** The head of the positions: their total, what was realised today, and the open day trades; live without React rendering. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { ProfitButton } from "#src/screens/quote/profit-button.tsx";
import { useMember } from "#src/streams/member.ts";
import { usePositions } from "#src/streams/positions.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import styles from "./positions.module.css";

export function HoldingsHead() {
  const { t } = useTranslation();
  const realised = useMember().value?.todayRealisedCents;
  const held = usePositions().value ?? [];
  const dayTrades = held.some(({ dayTrade }) => dayTrade);
  return (
    <dl className={styles.head} data-figures={dayTrades ? 4 : 3}>
      {held.length > 0 && (
        <div data-main>
          <dt>{t("trade.totalProfit")}</dt>
          <dd>
            <ProfitButton of={{ kind: "open" }} className={styles.total}>
              <ProfitCell orderNo={null} field="profit" className={styles.hero} />
              <ProfitCell orderNo={null} field="returnRate" className={styles.rate} />
            </ProfitButton>
          </dd>
        </div>
      )}
      <div>
        <dt>{t("trade.realisedToday")}</dt>
        <dd>
          {realised === undefined ? "--" : <Direction trend={trendOf(realised)} text={formatMoney(realised, "always")} arrow={false} />}
        </dd>
      </div>
      {dayTrades && (
        <div>
          <dt>{t("trade.dayTradesOpen")}</dt>
          <dd>
            <ProfitCell dayTrades field="profit" />
          </dd>
        </div>
      )}
      {held.length > 0 && (
        <>
          <div>
            <dt>{t("trade.marketValue")}</dt>
            <dd>
              <ProfitCell orderNo={null} field="marketValue" className={styles.plain} />
            </dd>
          </div>
          <div>
            <dt>{t("trade.cost")}</dt>
            <dd>
              <ProfitCell orderNo={null} field="openCost" className={styles.plain} />
            </dd>
          </div>
        </>
      )}
    </dl>
  );
}
