/** The order of one series: its live quote and Greeks, what keeps the member from it, and the form. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { seriesOf } from "#contract/option-code.ts";
import { pathTo } from "#src/paths.ts";
import { useMember } from "#src/streams/member.ts";
import { useLiveChain } from "#src/streams/option-chain.ts";
import type { SeriesField } from "#src/streams/option-worker.ts";
import { useOptions } from "#src/streams/options.ts";
import { SeriesCell } from "#src/streams/series-cell.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { BlockedNotice, EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { pricedChain } from "./option-chain.tsx";
import { OptionOrder } from "./option-order.tsx";
import { OptionNotes, useSeriesName } from "./option-words.tsx";
import styles from "./fund.module.css";

const SHOWN: readonly SeriesField[] = ["bid", "ask", "mark", "volatility", "delta", "gamma", "theta", "vega"];

/** `/home/options?series=…` */
export function OptionForm({ code }: { code: string }) {
  const { t } = useTranslation();
  const nameOf = useSeriesName();
  const { month, right, strike } = seriesOf(code);
  const { value, state, failure, retry } = useOptions(month);
  const facts = useMember().value?.facts;
  const skeleton = useSkeleton(value === null && state !== "failed");
  useLiveChain(useMemo(() => value && pricedChain(value), [value]));
  // A month that has expired is not found, and its chain is not read.
  const gone = value === null && failure === "GEN_NOT_FOUND";
  const listed = value?.chain.some(({ call, put }) => call.code === code || put.code === code) ?? false;
  const expiry = value?.expiries.find((one) => one.month === month);
  const held = value?.held.find(({ position }) => position.code === code && position.strike === strike)?.position ?? null;
  const missing = facts ? missingFor("tradeOptions", facts).slice(0, 1) : [];
  return (
    <Screen header={<BackHeader title={nameOf(code)} fallback="/home/options" />} top={<StaleNotice />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && !gone && <ErrorState what={t("options.failed")} code={failure ?? ""} onRetry={retry} />}
        {(gone || (value && !listed)) && (
          <EmptyState
            title={t(value?.index === null ? "options.none" : "options.unlisted")}
            why={t(value?.index === null ? "options.noneWhy" : "options.unlistedWhy")}
            action={{ label: t("options.part.chain"), to: "/home/options" }}
          />
        )}
        <MissingNotice title={t("options.blocked")} missing={missing} agreement="options" supply={t("fund.supply")} />
        {value && !value.open && <p className={styles.status}>{t("futures.closed")}</p>}
        {listed && expiry && (
          <Card label={nameOf(code)}>
            <div data-live>
              <FieldList
                columns={2}
                fields={SHOWN.map((field) => ({ label: t(`options.field.${field}`), value: <SeriesCell code={code} field={field} /> }))}
              />
            </div>
            <FieldList fields={[{ label: t("futures.lastTrade"), value: formatDateTime(expiry.lastTradeAt) }]} />
          </Card>
        )}
        {held && (
          <BlockedNotice
            title={t(held.lots > 0 ? "options.holdsLong" : "options.holdsShort", {
              count: Math.abs(held.lots),
              n: String(Math.abs(held.lots)),
            })}
            why={t("options.holdsWhy")}
            action={{ label: t("options.close"), to: pathTo("/home/options", { close: held.positionNo }) }}
          />
        )}
        {listed && missing.length === 0 && (
          <OptionOrder
            code={code}
            right={right}
            strike={strike}
            fixed={held === null ? null : held.lots > 0 ? "buy" : "sell"}
            level={value?.index ? value.index / PRICE_ONE : null}
          />
        )}
        <div>
          <OptionNotes />
        </div>
      </div>
    </Screen>
  );
}
