/** The member's options: the wallet they share with futures, positions with their profit or loss now, and every trade with its charges. */
import { useTranslation } from "react-i18next";
import { formatGain, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { isOpenOption } from "#contract/option.ts";
import type { OptionPosition, OptionTrade } from "#contract/option.ts";
import { formatPremium } from "#contract/premium.ts";
import { pathTo } from "#src/paths.ts";
import { useOptionPositions, useOptions, useOptionTrades } from "#src/streams/options.ts";
import type { Options } from "#src/streams/options.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { BlockedNotice } from "#src/ui/state.tsx";
import { OptionPairs } from "./option-pair-list.tsx";
import { useSeriesName } from "./option-words.tsx";
import { PagedList } from "./paged-list.tsx";
import styles from "./fund.module.css";

export function OptionPositions() {
  const { t } = useTranslation();
  const now = useOptions(null).value;
  const action = { label: t("options.part.chain"), to: "/home/options" } as const;
  return (
    <div className={styles.inset}>
      {now && <Account options={now} />}
      {now && <OptionPairs options={now} />}
      <PagedList
        pages={useOptionPositions()}
        words={{ label: t("options.part.mine"), failed: t("options.failed") }}
        empty={{ title: t("futures.mineNone"), why: t("options.mineNoneWhy"), action }}
        as="cards"
        keyOf={({ positionNo }) => positionNo}
      >
        {(position) => <PositionCard position={position} now={now} />}
      </PagedList>
    </div>
  );
}

function Account({ options: { account, open } }: { options: Options }) {
  const { t } = useTranslation();
  return (
    <>
      {account.called && (
        <BlockedNotice
          title={t("futures.called")}
          why={t("options.calledWhy", { amount: formatTwd(account.neededCents) })}
          action={{ label: t("futures.move"), to: "/information/payBag" }}
        />
      )}
      {!open && <p className={styles.status}>{t("futures.closed")}</p>}
      <Card label={t("futures.account")}>
        <FieldList
          fields={[
            { label: t("futures.wallet"), value: formatTwd(account.walletCents) },
            { label: t("options.longValue"), value: formatTwd(account.longCents) },
            { label: t("options.shortValue"), value: formatTwd(account.shortCents) },
            { label: t("futures.initial"), value: formatTwd(account.initialCents) },
            { label: t("futures.maintenance"), value: formatTwd(account.maintenanceCents) },
            ...(account.riskPercent === null ? [] : [{ label: t("futures.indicator"), value: `${account.riskPercent}%` }]),
            { label: t("futures.free"), value: formatTwd(account.freeCents) },
          ]}
        />
        <ButtonLink to="/information/payBag">{t("futures.move")}</ButtonLink>
      </Card>
    </>
  );
}

function PositionCard({ position, now }: { position: OptionPosition; now: Options | null }) {
  const { t } = useTranslation();
  const name = useSeriesName()(position.code, position.strike);
  const { status, positionNo } = position;
  const held = now?.held.find((one) => one.position.positionNo === positionNo) ?? null;
  return (
    <Card label={`${name} ${positionNo}`}>
      <div className={styles.cardHead}>
        <h3 className={styles.name}>{name}</h3>
        <p className={styles.status} data-status={status} role="status">
          {t(`options.status.${status}`)}
        </p>
      </div>
      <FieldList fields={usePositionFields(position, held)} />
      {isOpenOption(position) && (
        <ButtonLink to={pathTo("/home/options", { close: positionNo })} block>
          {t("futures.close")}
        </ButtonLink>
      )}
    </Card>
  );
}

/** The rows of a position's card: what was bought or sold, and while it is open its value now. */
export function usePositionFields(position: OptionPosition, now: Options["held"][number] | null): Field[] {
  const { t } = useTranslation();
  const lots = Math.abs(position.lots);
  const open = isOpenOption(position);
  return [
    ...(open
      ? [
          {
            label: t(position.lots > 0 ? "options.bought" : "options.sold"),
            value: t("futures.lotsOf", { count: lots, n: grouped(String(lots)) }),
          },
          { label: t("options.average"), value: formatPremium(position.costTenths / position.lots) },
        ]
      : []),
    ...(open && now?.mark != null ? [{ label: t("options.field.mark"), value: formatPremium(now.mark) }] : []),
    ...(open && now ? [{ label: t("options.gain"), value: formatGain(now.openGainCents) }] : []),
    ...(open && now && now.marginCents > 0 ? [{ label: t("options.margin"), value: formatTwd(now.marginCents) }] : []),
    { label: t(open ? "options.premiums" : "options.result"), value: formatGain(position.paidCents) },
    { label: t("options.charges"), value: t("futures.sum", { fee: formatTwd(position.feeCents), tax: formatTwd(position.taxCents) }) },
    { label: t("futures.opened"), value: formatDateTime(position.openedAt) },
    ...(position.endedAt === null ? [] : [{ label: t("futures.ended"), value: formatDateTime(position.endedAt) }]),
  ];
}

export function OptionTrades() {
  const { t } = useTranslation();
  return (
    <PagedList
      pages={useOptionTrades()}
      words={{ label: t("options.part.trades"), failed: t("options.failed") }}
      empty={{ title: t("futures.tradesNone"), why: t("options.mineNoneWhy") }}
      as="rows"
      keyOf={({ tradeNo }) => tradeNo}
    >
      {(trade) => <TradeRow trade={trade} />}
    </PagedList>
  );
}

/** The numbers of two trades of one order, in the same order at both. */
function bothLegs(one: string, other: string): { no: string; other: string } {
  const of = (no: string): number => Number(no.slice(1));
  return of(one) < of(other) ? { no: one, other } : { no: other, other: one };
}

function TradeRow({ trade }: { trade: OptionTrade }) {
  const { t } = useTranslation();
  const name = useSeriesName()(trade.code);
  const lots = t("futures.lotsOf", { count: trade.lots, n: grouped(String(trade.lots)) });
  return (
    <div className={styles.row}>
      <span className={styles.texts}>
        <span className={styles.name}>{`${name} ${t(`futures.${trade.side}`)} ${lots}`}</span>
        <span className={styles.small}>{`${formatDateTime(trade.at)} · ${t(`futures.cause.${trade.cause}`)}`}</span>
        {trade.withNo !== null && <span className={styles.small}>{t("options.pair.with", bothLegs(trade.tradeNo, trade.withNo))}</span>}
        <span className={styles.small}>
          {`${t("options.charges")} ${t("futures.sum", { fee: formatTwd(trade.feeCents), tax: formatTwd(trade.taxCents) })}`}
        </span>
        {/* Since the last daily marking, not since the purchase; an opening has none. */}
        {trade.gainCents !== 0 && <span className={styles.small}>{`${t("options.dayGain")} ${formatGain(trade.gainCents)}`}</span>}
      </span>
      <span className={styles.price}>{formatPremium(trade.price)}</span>
    </div>
  );
}
