/** What institutions bought and sold of a stock, and its margin balances, as published after the close. */
import { useTranslation } from "react-i18next";
import { INSTITUTIONS } from "#contract/investor.ts";
import type { InvestorDay } from "#contract/investor.ts";
import type { Instrument } from "#contract/instrument.ts";
import { grouped } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import { useVenue } from "#src/streams/instruments.ts";
import { useInvestors } from "#src/streams/investors.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { barsOf, netOf, signedLots, totalOf } from "./investor-bars.ts";
import styles from "./investors.module.css";

/** The sessions listed one by one. */
const LISTED = 10;

export function Investors({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useInvestors(instrument.code);
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("market.investor.failed")} code={failure ?? ""} onRetry={retry} />;
    return skeleton && <Skeleton rows={6} />;
  }
  const newest = value.days?.[0];
  if (!value.days || !newest) {
    return <EmptyState title={t("market.investor.none")} why={t(value.days ? "market.investor.noneYet" : "market.investor.noneWhy")} />;
  }
  return (
    <>
      <Institutions days={value.days} newest={newest} />
      {instrument.marginable && <Margin days={value.days} />}
    </>
  );
}

/** The figures are invented where the market is, and labelled so. */
function Heading({ id, title, at }: { id: string; title: string; at: number }) {
  const { t } = useTranslation();
  const simulated = useVenue()?.simulated === true;
  return (
    <div className={styles.heading}>
      <h2 id={id}>
        {title} {simulated && <span className={styles.chip}>{t("market.simulated")}</span>}
      </h2>
      <p className={styles.note}>
        {formatDate(at)} · {t("market.investor.unit")}
      </p>
    </div>
  );
}

function Institutions({ days, newest }: { days: readonly InvestorDay[]; newest: InvestorDay }) {
  const { t } = useTranslation();
  const listed = days.slice(0, LISTED);
  const kinds = INSTITUTIONS.map((who) => ({ key: who, label: t(`market.investor.${who}`), lots: netOf(newest, who) }));
  return (
    <section className={styles.part} aria-labelledby="institutions">
      <Heading id="institutions" title={t("market.investor.title")} at={newest.at} />
      <Bars rows={[...kinds, { key: "total", label: t("market.investor.total"), lots: totalOf(newest) }]} />
      <h3>{t("market.investor.daily")}</h3>
      <Bars rows={listed.map((day) => ({ key: String(day.at), label: formatDate(day.at).slice(5), lots: totalOf(day) }))} />
    </section>
  );
}

interface BarRow {
  key: string;
  label: string;
  lots: number;
}

function Bars({ rows }: { rows: readonly BarRow[] }) {
  const bars = barsOf(rows.map(({ lots }) => lots));
  return (
    <dl className={styles.bars}>
      {rows.map(({ key, label, lots }, nth) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <span className={styles.track} aria-hidden>
              <span
                data-side={trendOf(lots)}
                style={{ insetInlineStart: `${bars[nth]?.startPercent ?? 50}%`, inlineSize: `${bars[nth]?.widthPercent ?? 0}%` }}
              />
            </span>
            <span className={styles.lots}>
              <Direction trend={trendOf(lots)} text={signedLots(lots)} arrow={false} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Balances are published hours after the trades: the newest session may not have them yet. */
function Margin({ days }: { days: readonly InvestorDay[] }) {
  const { t } = useTranslation();
  const published = days.flatMap(({ at, margin }) => (margin ? [{ at, ...margin }] : [])).slice(0, LISTED);
  const [newest] = published;
  if (!newest) return null;
  const ratio = newest.long.balance > 0 ? `${((newest.short.balance * 100) / newest.long.balance).toFixed(2)}%` : "--";
  return (
    <section className={styles.part} aria-labelledby="margin-balances">
      <Heading id="margin-balances" title={t("market.investor.margin")} at={newest.at} />
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t("market.investor.day")}</th>
            <th scope="col">{t("market.investor.long")}</th>
            <th scope="col">{t("market.investor.change")}</th>
            <th scope="col">{t("market.investor.short")}</th>
            <th scope="col">{t("market.investor.change")}</th>
          </tr>
        </thead>
        <tbody>
          {published.map(({ at, long, short }) => (
            <tr key={at}>
              <th scope="row">{formatDate(at).slice(5)}</th>
              {[long, short].map(({ added, repaid, balance }, nth) => [
                <td key={`balance ${nth}`}>{grouped(String(balance))}</td>,
                <td key={`change ${nth}`}>
                  <Direction trend={trendOf(added - repaid)} text={signedLots(added - repaid)} arrow={false} />
                </td>,
              ])}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>{t("market.investor.ratio", { ratio })}</p>
    </section>
  );
}
