/** Today's executions of all orders, newest first, live: what was done at what price, its costs, and what a close realised. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MAX_FILLS } from "#contract/fill.ts";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import { formatTime } from "#contract/kernel/time.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useFills } from "#src/streams/fills.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { Link } from "#src/ui/link.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import { AsyncSection } from "./async-section.tsx";
import { FilterRow } from "./filter-row.tsx";
import { NO_FILTER } from "./filter.ts";
import type { OrderFilter } from "./filter.ts";
import { actOf, actTrend, numbered, useFillKind } from "./fill-words.ts";
import type { NumberedFill } from "./fill-words.ts";
import { orderPath, useDecimals, useOrderName } from "./order-lines.tsx";
import styles from "./fill-list.module.css";
import trade from "./trade.module.css";

/** Rows that are added at a time. */
const ROWS = 100;

const Amount = ({ cents }: { cents: number }) => <Direction trend={trendOf(cents)} text={formatMoney(cents, "always")} arrow={false} />;

/** A tab of the trade screen. Of the filter it uses the instrument only: sides and kinds are those of positions. */
export function FillList({ filter, onFilter }: { filter: OrderFilter; onFilter: (filter: OrderFilter) => void }) {
  const { t } = useTranslation();
  const read = useFills();
  const [rows, setRows] = useState(ROWS);
  const all = numbered(read.value ?? []);
  const shown = all.filter(({ code }) => filter.code === null || code === filter.code);
  return (
    <AsyncSection read={read}>
      {all.length === 0 ? (
        <EmptyState title={t("trade.none.fills")} why={t("trade.noneWhy.fills")} />
      ) : (
        <>
          <Totals fills={all} />
          <FilterRow
            orders={all.map(({ code }) => ({ code, direction: "rise", funding: "cash" }))}
            filter={{ ...NO_FILTER, code: filter.code }}
            onFilter={({ code }) => onFilter({ ...filter, code })}
          />
          <ul className={styles.list} role="list" aria-label={t("trade.fills")}>
            {shown.slice(0, rows).map((fill) => (
              <Row key={fill.key} fill={fill} />
            ))}
          </ul>
          {shown.length > rows && (
            <div className={trade.more}>
              <Button onClick={() => setRows(rows + ROWS)}>{t("trade.more")}</Button>
            </div>
          )}
        </>
      )}
    </AsyncSection>
  );
}

/** What the day realised and cost. A list that is cut off has no total of its costs. */
function Totals({ fills }: { fills: readonly NumberedFill[] }) {
  const { t } = useTranslation();
  const realised = useMember().value?.todayRealisedCents;
  const costs = fills.reduce((sum, { feeCents, taxCents }) => sum + feeCents + taxCents, 0);
  return (
    <dl className={styles.totals}>
      <div>
        <dt>{t("trade.realisedToday")}</dt>
        <dd>{realised === undefined ? "--" : <Amount cents={realised} />}</dd>
      </div>
      <div>
        <dt>{t("ticket.feeAndTax")}</dt>
        <dd>{fills.length < MAX_FILLS ? formatMoney(costs) : "--"}</dd>
      </div>
    </dl>
  );
}

function Row({ fill }: { fill: NumberedFill }) {
  const { t } = useTranslation();
  const units = useUnits();
  const decimals = useDecimals();
  const nameOf = useOrderName();
  const kindOf = useFillKind();
  const kind = kindOf(fill);
  return (
    <li>
      <Link to={orderPath(fill)} className={styles.fill ?? ""}>
        <span className={styles.name}>{nameOf(fill)}</span>
        <span className={styles.price}>
          {t("trade.heldSize", { size: units(fill.lots, fill), price: formatPrice(fill.price, decimals(fill.code)) })}
        </span>
        <span className={styles.note}>
          <b data-trend={actTrend(fill)}>{t(`ticket.act.${actOf(fill)}`)}</b>
          {kind && <span>{kind}</span>}
          <time dateTime={new Date(fill.at).toISOString()}>{formatTime(fill.at)}</time>
        </span>
        <span className={styles.costs}>
          {t("ticket.feeAndTax")} {formatMoney(fill.feeCents + fill.taxCents)}
        </span>
        {fill.side === "close" && (
          <span className={styles.realised}>
            {t("order.realised")} <Amount cents={fill.profitCents} />
          </span>
        )}
      </Link>
    </li>
  );
}
