/** The dock's profit of the day: in total, of open positions and day trades, and realised by instrument. */
import { useObservableState } from "observable-hooks";
import { useTranslation } from "react-i18next";
import { auditTime } from "rxjs";
import type { OrderFill } from "#contract/fill.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { useOrderName } from "#src/screens/trade/order-lines.tsx";
import { daySum$ } from "#src/streams/day-trading.ts";
import { useFills } from "#src/streams/fills.ts";
import { liveOverview, useMember } from "#src/streams/member.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { profitTotal$ } from "#src/streams/profits.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { realisedBy } from "./realised.ts";
import styles from "./dock.module.css";

const slowTotal$ = profitTotal$.pipe(auditTime(1000));
const slowDay$ = daySum$.pipe(auditTime(1000));

const Amount = ({ cents }: { cents: number }) => <Direction trend={trendOf(cents)} text={formatMoney(cents, "always")} arrow={false} />;

export function DayProfit() {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const { value } = useMember();
  const sum = useObservableState(slowTotal$, null);
  const day = useObservableState(slowDay$, null);
  const realised = realisedBy(useFills().value ?? []);
  const total = realised.reduce((all, [, cents]) => all + cents, 0);
  return (
    <div className={styles.scroller} tabIndex={0} role="region" aria-label={t("workspace.tab.profit")}>
      <dl className={styles.sums}>
        <div>
          <dt>{t("workspace.today")}</dt>
          <dd>{value && <Amount cents={liveOverview(value, sum).todayProfitCents} />}</dd>
        </div>
        <div>
          <dt>{t("workspace.realised")}</dt>
          <dd>
            <Amount cents={total} />
          </dd>
        </div>
        <div>
          <dt>{t("trade.totalProfit")}</dt>
          <dd>
            <ProfitCell orderNo={null} field="profit" />
          </dd>
        </div>
        <div>
          <dt>{t("workspace.dayTrades")}</dt>
          <dd>{day && day.count > 0 ? <Amount cents={day.profitCents} /> : "–"}</dd>
        </div>
      </dl>
      {realised.length > 0 && (
        <ul className={styles.realised} role="list" aria-label={t("workspace.realised")}>
          {realised.map(([code, cents]) => (
            <li key={code}>
              <span>{nameOf({ code: code as OrderFill["code"] })}</span>
              <Amount cents={cents} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
