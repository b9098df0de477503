/** The member's futures: positions with their value now and what they have paid, and every trade with its charges. */
import { useTranslation } from "react-i18next";
import { isOpenFutures } from "#contract/futures.ts";
import type { FuturesPosition, FuturesTrade } from "#contract/futures.ts";
import { formatGain, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { useFutures, useFuturesPositions, useFuturesTrades } from "#src/streams/futures.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { useContractName } from "./futures-words.tsx";
import { PagedList } from "./paged-list.tsx";
import styles from "./fund.module.css";

/** Points of an average, which is no whole number. */
const averageOf = ({ costPoints, lots }: FuturesPosition): string => {
  const [whole = "0", part = "00"] = (costPoints / lots).toFixed(2).split(".");
  return `${grouped(whole)}.${part}`;
};

export function FuturesPositions() {
  const { t } = useTranslation();
  const action = { label: t("futures.part.contracts"), to: "/home/futures" } as const;
  return (
    <div className={styles.inset}>
      <PagedList
        pages={useFuturesPositions()}
        words={{ label: t("futures.part.mine"), failed: t("futures.failed") }}
        empty={{ title: t("futures.mineNone"), why: t("futures.mineNoneWhy"), action }}
        as="cards"
        keyOf={({ positionNo }) => positionNo}
      >
        {(position) => <PositionCard position={position} />}
      </PagedList>
    </div>
  );
}

function PositionCard({ position }: { position: FuturesPosition }) {
  const { t } = useTranslation();
  const nameOf = useContractName();
  const name = nameOf(position.code);
  const { status, code } = position;
  return (
    <Card label={`${name} ${position.positionNo}`}>
      <div className={styles.cardHead}>
        <h3 className={styles.name}>{name}</h3>
        <p className={styles.status} data-status={status} role="status">
          {t(`futures.status.${status}`)}
        </p>
      </div>
      <FieldList fields={usePositionFields(position)} />
      {isOpenFutures(position) && (
        <ButtonLink to={pathTo("/home/futures", { code })} block>
          {t("futures.close")}
        </ButtonLink>
      )}
    </Card>
  );
}

function usePositionFields(position: FuturesPosition): Field[] {
  const { t } = useTranslation();
  const now = useFutures().value?.held.find(({ position: { positionNo } }) => positionNo === position.positionNo);
  const lots = Math.abs(position.lots);
  const open = isOpenFutures(position);
  return [
    ...(open
      ? [
          {
            label: t(position.lots > 0 ? "futures.long" : "futures.short"),
            value: t("futures.lotsOf", { count: lots, n: grouped(String(lots)) }),
          },
          { label: t("futures.average"), value: averageOf(position) },
        ]
      : []),
    ...(open && now?.mark ? [{ label: t("futures.mark"), value: grouped(String(now.mark)) }] : []),
    ...(open && now ? [{ label: t("futures.unpaid"), value: formatGain(now.gainCents) }] : []),
    { label: t("futures.paid"), value: formatGain(position.paidCents) },
    { label: t("futures.charges"), value: t("futures.sum", { fee: formatTwd(position.feeCents), tax: formatTwd(position.taxCents) }) },
    { label: t("futures.opened"), value: formatDateTime(position.openedAt) },
    ...(position.endedAt === null ? [] : [{ label: t("futures.ended"), value: formatDateTime(position.endedAt) }]),
  ];
}

export function FuturesTrades() {
  const { t } = useTranslation();
  return (
    <PagedList
      pages={useFuturesTrades()}
      words={{ label: t("futures.part.trades"), failed: t("futures.failed") }}
      empty={{ title: t("futures.tradesNone"), why: t("futures.mineNoneWhy") }}
      as="rows"
      keyOf={({ tradeNo }) => tradeNo}
    >
      {(trade) => <TradeRow trade={trade} />}
    </PagedList>
  );
}

function TradeRow({ trade }: { trade: FuturesTrade }) {
  const { t } = useTranslation();
  const nameOf = useContractName();
  const lots = t("futures.lotsOf", { count: trade.lots, n: grouped(String(trade.lots)) });
  return (
    <div className={styles.row}>
      <span className={styles.texts}>
        <span className={styles.name}>{`${nameOf(trade.code)} ${t(`futures.${trade.side}`)} ${lots}`}</span>
        <span className={styles.small}>{`${formatDateTime(trade.at)} · ${t(`futures.cause.${trade.cause}`)}`}</span>
        <span className={styles.small}>
          {`${t("futures.charges")} ${t("futures.sum", { fee: formatTwd(trade.feeCents), tax: formatTwd(trade.taxCents) })}`}
        </span>
      </span>
      <span className={styles.numbers}>
        <span className={styles.price}>{grouped(String(trade.price))}</span>
        <span className={styles.small}>{formatGain(trade.gainCents)}</span>
      </span>
    </div>
  );
}
