/** The chain of an expiry: calls, strikes and puts in rows for a thumb, priced live, with the strike at the money in view. */
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { formatPrice, grouped, PRICE_ONE } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { seriesOf } from "#contract/option-code.ts";
import type { OptionRight } from "#contract/option-price.ts";
import type { OptionExpiry } from "#contract/option.ts";
import { pathTo } from "#src/paths.ts";
import { useMember } from "#src/streams/member.ts";
import { useLiveChain } from "#src/streams/option-chain.ts";
import type { PricedChain, SeriesField } from "#src/streams/option-worker.ts";
import { useOptions } from "#src/streams/options.ts";
import type { Options } from "#src/streams/options.ts";
import { SeriesCell } from "#src/streams/series-cell.tsx";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { Chip, ChipRow, Segmented } from "#src/ui/choice.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import { Link } from "#src/ui/link.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { monthText, OptionNotes } from "./option-words.tsx";
import fund from "./fund.module.css";
import styles from "./option.module.css";

/** What the columns of a side show: two fields that belong together. */
const VIEWS = ["quotes", "volatility", "decay"] as const;
type ChainView = (typeof VIEWS)[number];
const FIELDS: Record<ChainView, readonly [SeriesField, SeriesField]> = {
  quotes: ["bid", "ask"],
  volatility: ["delta", "volatility"],
  decay: ["theta", "vega"],
};

/** The chain as the worker prices it; null without an index. */
export function pricedChain({ index, expiries, month, chain }: Options): PricedChain | null {
  const expiry = expiries.find((one) => one.month === month);
  if (index === null || !expiry || expiry.forward === null) return null;
  const series = chain.flatMap(({ strike, call, put }) => [
    { code: call.code, right: "call" as const, strike, quoted: call.ask !== null },
    { code: put.code, right: "put" as const, strike, quoted: put.ask !== null },
  ]);
  const { forward, half, halfVolatility, followsIndex, days, smile } = expiry;
  return { index, forward, half, halfVolatility, followsIndex, days, smile, series };
}

/** The strike nearest to the future's fair price. */
function atTheMoney({ chain }: Options, forward: number | null): number | null {
  if (forward === null) return null;
  const level = forward / PRICE_ONE;
  return chain.map(({ strike }) => strike).toSorted((a, b) => Math.abs(a - level) - Math.abs(b - level))[0] ?? null;
}

export function OptionChain({ month, onMonth }: { month: string | null; onMonth: (month: string) => void }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useOptions(month);
  const facts = useMember().value?.facts;
  const skeleton = useSkeleton(value === null && state === "loading");
  useLiveChain(useMemo(() => value && pricedChain(value), [value]));
  if (value === null) {
    // A month that has expired is not found.
    if (failure === "GEN_NOT_FOUND")
      return (
        <EmptyState
          title={t("options.unlisted")}
          why={t("options.unlistedWhy")}
          action={{ label: t("options.part.chain"), to: "/home/options" }}
        />
      );
    if (state === "failed") return <ErrorState what={t("options.failed")} code={failure ?? ""} onRetry={retry} />;
    return skeleton ? <Skeleton rows={10} /> : null;
  }
  const expiry = value.expiries.find((one) => one.month === value.month);
  return (
    <>
      <div className={fund.inset}>
        {facts && (
          <MissingNotice
            title={t("options.blocked")}
            missing={missingFor("tradeOptions", facts).slice(0, 1)}
            agreement="options"
            supply={t("fund.supply")}
          />
        )}
        {!value.open && <p className={fund.status}>{t("futures.closed")}</p>}
      </div>
      {value.chain.length > 0 && expiry ? (
        <Rows options={value} expiry={expiry} onMonth={onMonth} />
      ) : (
        <EmptyState title={t("options.none")} why={t("options.noneWhy")} />
      )}
      <div className={fund.inset}>
        <OptionNotes />
      </div>
    </>
  );
}

/** Brings the strike at the money into view when a chain is shown. @returns the list of its rows */
function useMiddleInView(month: string | null) {
  const list = useRef<HTMLUListElement>(null);
  const shown = useRef<string | null>(null);
  // Once for each month: what the member scrolls to afterwards stays.
  useEffect(() => {
    if (shown.current === month) return;
    shown.current = month;
    const row = list.current?.querySelector<HTMLElement>("[data-middle]");
    const scroller = row?.closest<HTMLElement>("[data-scroll]");
    const heads = list.current?.previousElementSibling?.getBoundingClientRect().height;
    // Not scrollIntoView: that would scroll the page too.
    if (!row || !scroller || heads === undefined) return;
    const [seen, at] = [scroller.getBoundingClientRect(), row.getBoundingClientRect()];
    // In the middle of what the heads leave free, with no row half below them.
    const above = Math.max(0, Math.floor((seen.height - heads) / 2 / at.height));
    scroller.scrollTop += at.top - (seen.top + heads + above * at.height);
  }, [month]);
  return list;
}

/** The index now and the last trade of the expiry. */
function Level({ options: { open, index }, expiry: { lastTradeAt } }: { options: Options; expiry: OptionExpiry }) {
  const { t } = useTranslation();
  return (
    <p className={styles.level}>
      <span>
        {t("futures.index")} {open ? <QuoteCell code="IX0001" field="last" /> : index !== null && formatPrice(index)}
      </span>
      <span>{`${t("futures.lastTrade")} ${formatDateTime(lastTradeAt)}`}</span>
    </p>
  );
}

function Rows({ options, expiry, onMonth }: { options: Options; expiry: OptionExpiry; onMonth: (month: string) => void }) {
  const { t } = useTranslation();
  const [view, setView] = useState<ChainView>("quotes");
  const { expiries, month, chain, held } = options;
  const { forward } = expiry;
  const middle = atTheMoney(options, forward);
  const list = useMiddleInView(month);
  const level = (forward ?? 0) / PRICE_ONE;
  // A strike that dividends have lowered is another series than its code's.
  const own = new Set(held.flatMap(({ position: { code, strike } }) => (seriesOf(code).strike === strike ? [code] : [])));
  const [first, second] = FIELDS[view];
  const heads = [t(`options.head.${first}`), t(`options.head.${second}`)];
  return (
    <div className={styles.chain}>
      <div className={styles.above}>
        <ChipRow label={t("options.expiry")}>
          {expiries.map((one) => (
            <Chip key={one.month} pressed={one.month === month} onPress={() => onMonth(one.month)}>
              {monthText(one.month)}
            </Chip>
          ))}
        </ChipRow>
        <div className={fund.inset}>
          <Level options={options} expiry={expiry} />
          <Segmented
            label={t("options.columns")}
            options={VIEWS.map((value) => ({ value, label: t(`options.view.${value}`) }))}
            value={view}
            onChoose={setView}
          />
        </div>
        <div className={styles.heads} aria-hidden>
          <span className={styles.side}>
            <b>{t("options.calls")}</b>
            {heads.map((head) => (
              <span key={head}>{head}</span>
            ))}
          </span>
          <span className={styles.strike}>{t("options.strike")}</span>
          <span className={styles.side}>
            <b>{t("options.puts")}</b>
            {heads.map((head) => (
              <span key={head}>{head}</span>
            ))}
          </span>
        </div>
      </div>
      <ul ref={list} role="list" aria-label={t("options.chainOf", { month: monthText(month ?? "") })} className={styles.rows}>
        {chain.map(({ strike, call, put }) => (
          <li key={strike} className={styles.row} data-middle={strike === middle || undefined}>
            <Side code={call.code} right="call" strike={strike} view={view} inside={strike < level} held={own.has(call.code)} />
            <span className={styles.strike} aria-hidden>
              {grouped(String(strike))}
            </span>
            <Side code={put.code} right="put" strike={strike} view={view} inside={strike > level} held={own.has(put.code)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SideProps {
  code: string;
  right: OptionRight;
  strike: number;
  view: ChainView;
  /** In the money. */
  inside: boolean;
  held: boolean;
}

/** One series: the whole half of the row leads to its order. */
const Side = memo(function Side({ code, right, strike, view, inside, held }: SideProps) {
  const { t } = useTranslation();
  return (
    <Link
      to={pathTo("/home/options", { series: code })}
      className={styles.side ?? ""}
      data-inside={inside || undefined}
      data-held={held || undefined}
    >
      <Hidden>
        {t(`options.right.${right}`)} {grouped(String(strike))}
        {inside && `, ${t("options.inside")}`}
        {held && `, ${t("options.heldNow")}`}
      </Hidden>
      {FIELDS[view].map((field) => (
        <span key={field} className={styles.figure}>
          <Hidden>{t(`options.head.${field}`)}</Hidden> <SeriesCell code={code} field={field} />
        </span>
      ))}
    </Link>
  );
});
