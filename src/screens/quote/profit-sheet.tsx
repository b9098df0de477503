/** The breakdown of a profit: every amount it consists of, live, adding up to it. */
import { useObservableState } from "observable-hooks";
import { useMemo } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatPercent, formatPrice } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import { instrumentOf, useInstruments } from "#src/streams/instruments.ts";
import { useMember } from "#src/streams/member.ts";
import { positions } from "#src/streams/orders.ts";
import { usePositions } from "#src/streams/positions.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { profit$, profitTotal$ } from "#src/streams/profits.ts";
import type { ProfitSum } from "#src/streams/profits.ts";
import { useResource } from "#src/streams/resource.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { fullName } from "./names.ts";
import { usePositionKind, useSharesWord } from "./position-words.ts";
import { closedLines, openLines, totalLines } from "./profit-lines.ts";
import type { ProfitLine } from "./profit-lines.ts";
import { useUnits } from "./units.ts";
import styles from "./profit-sheet.module.css";

/**
 * What the profit is of: one order (open or closed), one open position, all open positions, all closed ones (realised), or today
 * (today's realised profit plus the change of the open one, in cents).
 */
export type ProfitOf =
  | { kind: "order"; order: Order }
  | { kind: "position"; position: Position }
  | { kind: "open" }
  | { kind: "realised"; profitCents: number }
  | { kind: "today"; todayCents: number };

/** The sheet; `ProfitButton` opens it. */
export function ProfitSheet({ of, open, onClose }: { of: ProfitOf; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t("profit.title")}>
      <div className={styles.sheet}>
        {of.kind === "order" && <OrderProfit order={of.order} />}
        {of.kind === "position" && <PositionProfit position={of.position} />}
        {of.kind === "open" && <OpenProfit />}
        {of.kind === "realised" && <ServerTotal total={of.profitCents} why={t("profit.realisedWhy")} />}
        {of.kind === "today" && <TodayProfit total={of.todayCents} />}
      </div>
    </Sheet>
  );
}

const signed = (amount: number): ReactNode => <Direction trend={trendOf(amount)} text={formatMoney(amount, "always")} arrow={false} />;

/** Amounts in a list with their total. */
function Sum({
  lines,
  labelOf,
  total,
  rate,
}: {
  lines: readonly ProfitLine[];
  labelOf: (line: ProfitLine) => string;
  total: number;
  rate?: number;
}) {
  const { t } = useTranslation();
  const currency = useMember().value?.currency;
  return (
    <dl className={styles.lines}>
      {lines.map((line) => (
        <div key={line.part}>
          <dt>{labelOf(line)}</dt>
          <dd>{formatMoney(line.cents, "always")}</dd>
        </div>
      ))}
      <div data-total>
        <dt>
          {t("trade.profit")} {currency && <small>{currency}</small>}
        </dt>
        <dd>
          {signed(total)}
          {rate !== undefined && <small> {formatPercent(rate)}</small>}
        </dd>
      </div>
    </dl>
  );
}

/** One position: the sum over its orders. */
function PositionProfit({ position: shown }: { position: Position }) {
  const { t } = useTranslation();
  const kindOf = usePositionKind();
  const sharesOf = useSharesWord();
  const position = usePositions().value?.find(({ id }) => id === shown.id) ?? shown;
  const instrument = instrumentOf(position.code);
  const { orders, averagePrice, shares } = position;
  const [first, ...rest] = orders;
  return (
    <>
      <p className={styles.what}>
        {instrument ? `${position.code} ${fullName(instrument)}` : position.code} · {kindOf(position)}
      </p>
      {first && (
        <OpenPart
          profitKey={position.id}
          orders={[first, ...rest]}
          size={sharesOf(position, shares)}
          average={averagePrice}
          decimals={instrument?.decimals ?? 2}
        />
      )}
      <p className={styles.why}>{t("profit.openWhy")}</p>
    </>
  );
}

/** One order: its open part and its realised part. */
function OrderProfit({ order: shown }: { order: Order }) {
  const held = useResource(positions).value?.find(({ orderNo }) => orderNo === shown.orderNo);
  const order = held && held.version >= shown.version ? held : shown;
  const { t } = useTranslation();
  useInstruments();
  const instrument = instrumentOf(order.code);
  const units = useUnits();
  const open = order.filledLots > order.closedLots;
  return (
    <>
      <p className={styles.what}>
        {instrument ? `${order.code} ${fullName(instrument)}` : order.code} · {t(`ticket.${order.direction}`)}
      </p>
      {open && (
        <OpenPart
          profitKey={order.orderNo}
          orders={[order]}
          size={units(order.filledLots - order.closedLots, order)}
          average={order.openAverage}
          decimals={instrument?.decimals ?? 2}
        />
      )}
      {order.closedLots > 0 && <RealisedPart order={order} decimals={instrument?.decimals ?? 2} titled={open} />}
      <p className={styles.why}>{t(open ? "profit.openWhy" : "profit.closedWhy")}</p>
    </>
  );
}

function useLabel(order: Order, now: "now" | "closed"): (line: ProfitLine) => string {
  const { t } = useTranslation();
  return ({ part }) => {
    if (part === "then") return t(`profit.then.${order.direction}`);
    return part === "now" ? t(`profit.${now}.${order.direction}`) : t(`profit.part.${part}`);
  };
}

interface OpenPartProps {
  /** Order number or id of the position. */
  profitKey: string;
  orders: readonly [Order, ...Order[]];
  size: string;
  average: Price | null;
  decimals: number;
}

function OpenPart({ profitKey, orders, size, average, decimals }: OpenPartProps) {
  const { t } = useTranslation();
  const labelOf = useLabel(orders[0], "now");
  const update$ = useMemo(() => profit$(profitKey), [profitKey]);
  const update = useObservableState(update$, null);
  return (
    <>
      <p className={styles.size}>
        {t("profit.size", { size, price: formatPrice(average, decimals) })}
        {update && update.price > 0 && <> {t("profit.priceNow", { price: formatPrice(update.price, decimals) })}</>}
      </p>
      {update?.profit ? (
        <Sum
          lines={openLines(orders, update.profit)}
          labelOf={labelOf}
          total={update.profit.profitCents}
          rate={update.profit.returnBasisPoints}
        />
      ) : (
        <p className={styles.why}>{t("profit.noPrice")}</p>
      )}
    </>
  );
}

function RealisedPart({ order, decimals, titled }: { order: Order; decimals: number; titled: boolean }) {
  const { t } = useTranslation();
  const units = useUnits();
  const labelOf = useLabel(order, "closed");
  return (
    <>
      {titled && <h3 className={styles.part}>{t("order.realised")}</h3>}
      <p className={styles.size}>
        {t("profit.madeSize", {
          size: units(order.closedLots, order),
          open: formatPrice(order.openAverage, decimals),
          close: formatPrice(order.closeAverage, decimals),
        })}
      </p>
      <Sum lines={closedLines(order)} labelOf={labelOf} total={order.profitCents} />
    </>
  );
}

/** The total over all positions; null while none of them has a price, because their sum would read as zero. */
function useOpenTotal(): ProfitSum | null {
  const sum = useObservableState(profitTotal$, null);
  return sum === null || (sum.priced === 0 && sum.unpriced > 0) ? null : sum;
}

/** All open positions: the totals, and each position. */
function OpenProfit() {
  const { t } = useTranslation();
  const sum = useOpenTotal();
  const held = usePositions().value ?? [];
  const table = useInstruments();
  const kindOf = usePositionKind();
  if (!sum) return <p className={styles.why}>{t("profit.noPrice")}</p>;
  return (
    <>
      <p className={styles.size}>{t("profit.sumOf", { before: formatMoney(sum.openCents), now: formatMoney(sum.nowCents) })}</p>
      {held.some(({ direction }) => direction === "fall") && <p className={styles.why}>{t("profit.fallsTurn")}</p>}
      <Sum
        lines={totalLines(sum)}
        labelOf={({ part }) => (part === "then" || part === "now" ? "" : t(`profit.part.${part}`))}
        total={sum.profitCents}
        rate={sum.returnBasisPoints}
      />
      {sum.unpriced > 0 && <p className={styles.why}>{t("profit.unpriced", { count: sum.unpriced, n: sum.unpriced })}</p>}
      {held.length > 0 && <h3 className={styles.part}>{t("profit.each")}</h3>}
      <dl className={styles.lines}>
        {held.map((position) => {
          const instrument = table?.byCode.get(position.code);
          return (
            <div key={position.id}>
              <dt>
                {instrument ? `${position.code} ${fullName(instrument)}` : position.code} · {kindOf(position)}
              </dt>
              <dd>
                <ProfitCell positionId={position.id} field="profit" />
              </dd>
            </div>
          );
        })}
      </dl>
      <p className={styles.why}>{t("profit.openWhy")}</p>
    </>
  );
}

function TodayProfit({ total }: { total: number }) {
  const { t } = useTranslation();
  const { futuresTodayCents: futures = 0, optionsTodayCents: options = 0 } = useMember().value ?? {};
  const lines = [
    ...(futures === 0 ? [] : [{ label: t("profit.futures"), cents: futures }]),
    ...(options === 0 ? [] : [{ label: t("profit.options"), cents: options }]),
  ];
  const why = [
    t("profit.todayWhy"),
    ...(futures === 0 ? [] : [t("profit.futuresWhy")]),
    ...(options === 0 ? [] : [t("profit.optionsWhy")]),
  ];
  return <ServerTotal total={total} lines={lines} why={why.join(" ")} />;
}

/** A total over many orders that only the server knows one by one, with an explanation, the open profit and further parts of it. */
function ServerTotal({ total, why, lines = [] }: { total: number; why: string; lines?: readonly { label: string; cents: number }[] }) {
  const { t } = useTranslation();
  const open = useOpenTotal();
  return (
    <>
      <dl className={styles.lines}>
        {open && (
          <div>
            <dt>{t("profit.openNow")}</dt>
            <dd>{signed(open.profitCents)}</dd>
          </div>
        )}
        {lines.map(({ label, cents }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{signed(cents)}</dd>
          </div>
        ))}
      </dl>
      <Sum lines={[]} labelOf={() => ""} total={total} />
      <p className={styles.why}>{why}</p>
    </>
  );
}
