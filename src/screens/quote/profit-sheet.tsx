/** How a profit comes about: every amount it is made of, as it is now, adding up to it. */
import { useObservableState } from "observable-hooks";
import { useMemo } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatPercent, formatPrice } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { instrumentOf, useInstruments } from "#src/streams/instruments.ts";
import { useMember } from "#src/streams/member.ts";
import { positions } from "#src/streams/orders.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { profit$, profitTotal$ } from "#src/streams/profits.ts";
import { useResource } from "#src/streams/resource.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { fullName } from "./names.ts";
import type { ProfitOf } from "./profit-button.tsx";
import { closedLines, openLines, totalLines } from "./profit-lines.ts";
import type { ProfitLine } from "./profit-lines.ts";
import { useUnits } from "./units.ts";
import styles from "./profit-sheet.module.css";

/** The sheet; `ProfitButton` opens it. */
export function ProfitSheet({ of, open, onClose }: { of: ProfitOf; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t("profit.title")}>
      <div className={styles.sheet}>
        {of.kind === "order" && <OfOrder order={of.order} />}
        {of.kind === "open" && <OfOpen />}
        {of.kind === "realised" && <Told total={of.profitCents} why={t("profit.realisedWhy")} />}
        {of.kind === "today" && <Told total={of.todayCents} why={t("profit.todayWhy")} />}
      </div>
    </Sheet>
  );
}

const signed = (amount: number): ReactNode => <Direction trend={trendOf(amount)} text={formatMoney(amount, "always")} arrow={false} />;

/** Amounts below each other, and what they come to. */
function Sum({
  lines,
  word,
  total,
  rate,
}: {
  lines: readonly ProfitLine[];
  word: (line: ProfitLine) => string;
  total: number;
  rate?: number;
}) {
  const { t } = useTranslation();
  const currency = useMember().value?.currency;
  return (
    <dl className={styles.lines}>
      {lines.map((line) => (
        <div key={line.part}>
          <dt>{word(line)}</dt>
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

/** A position: what is held of it, and what its closed part made. */
function OfOrder({ order: shown }: { order: Order }) {
  const held = useResource(positions).value?.find(({ orderNo }) => orderNo === shown.orderNo);
  const order = held && held.version >= shown.version ? held : shown;
  const { t } = useTranslation();
  useInstruments();
  const instrument = instrumentOf(order.code);
  const open = order.filledLots > order.closedLots;
  return (
    <>
      <p className={styles.what}>
        {instrument ? `${order.code} ${fullName(instrument)}` : order.code} · {t(`ticket.${order.direction}`)}
      </p>
      {open && <Held order={order} decimals={instrument?.decimals ?? 2} />}
      {order.closedLots > 0 && <Made order={order} decimals={instrument?.decimals ?? 2} titled={open} />}
      <p className={styles.why}>{t(open ? "profit.openWhy" : "profit.closedWhy")}</p>
    </>
  );
}

function useWord(order: Order, now: "now" | "closed"): (line: ProfitLine) => string {
  const { t } = useTranslation();
  return ({ part }) => {
    if (part === "then") return t(`profit.then.${order.direction}`);
    return part === "now" ? t(`profit.${now}.${order.direction}`) : t(`profit.part.${part}`);
  };
}

function Held({ order, decimals }: { order: Order; decimals: number }) {
  const { t } = useTranslation();
  const units = useUnits();
  const word = useWord(order, "now");
  const told$ = useMemo(() => profit$(order.orderNo), [order.orderNo]);
  const told = useObservableState(told$, null);
  const size = units(order.filledLots - order.closedLots, order.lotShares);
  return (
    <>
      <p className={styles.size}>
        {t("profit.size", { size, price: formatPrice(order.openAverage, decimals) })}
        {told && told.price > 0 && <> {t("profit.priceNow", { price: formatPrice(told.price, decimals) })}</>}
      </p>
      {told?.profit ? (
        <Sum lines={openLines(order, told.profit)} word={word} total={told.profit.profitCents} rate={told.profit.returnBasisPoints} />
      ) : (
        <p className={styles.why}>{t("profit.noPrice")}</p>
      )}
    </>
  );
}

function Made({ order, decimals, titled }: { order: Order; decimals: number; titled: boolean }) {
  const { t } = useTranslation();
  const units = useUnits();
  const word = useWord(order, "closed");
  return (
    <>
      {titled && <h3 className={styles.part}>{t("order.realised")}</h3>}
      <p className={styles.size}>
        {t("profit.madeSize", {
          size: units(order.closedLots, order.lotShares),
          open: formatPrice(order.openAverage, decimals),
          close: formatPrice(order.closeAverage, decimals),
        })}
      </p>
      <Sum lines={closedLines(order)} word={word} total={order.profitCents} />
    </>
  );
}

/** Every open position: the sums, and whose they are. */
function OfOpen() {
  const { t } = useTranslation();
  const sum = useObservableState(profitTotal$, null);
  const held = useResource(positions).value ?? [];
  const table = useInstruments();
  if (!sum) return <p className={styles.why}>{t("profit.noPrice")}</p>;
  return (
    <>
      <p className={styles.size}>{t("profit.sumOf", { before: formatMoney(sum.openCents), now: formatMoney(sum.nowCents) })}</p>
      {held.some(({ direction }) => direction === "fall") && <p className={styles.why}>{t("profit.fallsTurn")}</p>}
      <Sum
        lines={totalLines(sum)}
        word={({ part }) => (part === "then" || part === "now" ? "" : t(`profit.part.${part}`))}
        total={sum.profitCents}
        rate={sum.returnBasisPoints}
      />
      {sum.unpriced > 0 && <p className={styles.why}>{t("profit.unpriced", { count: sum.unpriced, n: sum.unpriced })}</p>}
      {held.length > 0 && <h3 className={styles.part}>{t("profit.each")}</h3>}
      <dl className={styles.lines}>
        {held.map(({ orderNo, code }) => {
          const instrument = table?.byCode.get(code);
          return (
            <div key={orderNo}>
              <dt>{instrument ? `${code} ${fullName(instrument)}` : code}</dt>
              <dd>
                <ProfitCell orderNo={orderNo} field="profit" />
              </dd>
            </div>
          );
        })}
      </dl>
      <p className={styles.why}>{t("profit.openWhy")}</p>
    </>
  );
}

/** A sum over many orders that only the desk knows one by one: what it counts, and where each stands. */
function Told({ total, why }: { total: number; why: string }) {
  const { t } = useTranslation();
  const open = useObservableState(profitTotal$, null);
  return (
    <>
      <dl className={styles.lines}>
        {open && (
          <div>
            <dt>{t("profit.openNow")}</dt>
            <dd>{signed(open.profitCents)}</dd>
          </div>
        )}
      </dl>
      <Sum lines={[]} word={() => ""} total={total} />
      <p className={styles.why}>{why}</p>
    </>
  );
}
