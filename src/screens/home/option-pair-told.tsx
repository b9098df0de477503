/** What a member is told before two option positions are closed together: each leg with its charges, both together, and the margin that is released. */
import { useTranslation } from "react-i18next";
import type { Answer } from "#contract/endpoints.ts";
import { cents, formatGain, formatTwd, grouped } from "#contract/kernel/money.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { formatPremium } from "#contract/premium.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeOptionPair } from "#src/streams/options.ts";
import type { OptionPairCost } from "#src/streams/options.ts";
import { useNavigate } from "#src/ui/link.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { LackingNotice, useMarginFields } from "./margin-told.tsx";
import type { HeldPair } from "./option-pair-list.tsx";
import { netNow } from "./option-pair-net.ts";
import { useSeriesName } from "./option-words.tsx";
import styles from "./fund.module.css";

/** A net price in words: paid or received. */
export function useNetWords(): (net: number) => string {
  const { t } = useTranslation();
  return (net) => t(net < 0 ? "options.pair.paid" : "options.pair.received", { n: formatPremium(Math.abs(net)) });
}

/** Says what has been filled, and leads to the positions. */
export function usePairFilled(): (answer: Answer<"closeOptionPair">) => void {
  const { t } = useTranslation();
  const netWords = useNetWords();
  const navigate = useNavigate();
  return (answer) => {
    takeOptionPair(answer);
    const lots = answer.trades[0]?.lots ?? 0;
    const net = answer.trades.reduce((sum, { side, price }) => sum + (side === "sell" ? price : -price), 0);
    const n = grouped(String(lots));
    showToast(t("options.pair.done", { lots: t("futures.lotsOf", { count: lots, n }), net: netWords(net) }), "success");
    void navigate(pathTo("/home/options", { part: "mine" }), { replace: true });
  };
}

interface PairToldProps {
  legs: HeldPair;
  lots: number;
  limit: number | null;
  /** Null until it is known, and while a leg has no quote. */
  cost: OptionPairCost | null;
}

export function PairTold({ legs, lots, limit, cost }: PairToldProps) {
  const { t } = useTranslation();
  return (
    <>
      {legs.map((leg) => (
        <LegCard key={leg.position.positionNo} leg={leg} lots={lots} cost={cost} />
      ))}
      <Card label={t("options.pair.together")}>
        <h3 className={styles.name}>{t("options.pair.together")}</h3>
        <FieldList fields={useTogether({ legs, lots, limit, cost })} />
      </Card>
      <p className={styles.small}>{t("options.pair.whole")}</p>
      {cost && <LackingNotice lackingCents={cost.lackingCents} />}
    </>
  );
}

function LegCard({ leg: { position, close }, lots, cost }: { leg: HeldPair[number] } & Pick<PairToldProps, "lots" | "cost">) {
  const { t } = useTranslation();
  const name = useSeriesName()(position.code, position.strike);
  const sells = position.lots > 0;
  const charged = cost?.legs.find(({ positionNo }) => positionNo === position.positionNo);
  const count = t("futures.lotsOf", { count: lots, n: grouped(String(lots)) });
  return (
    <Card label={name}>
      <div className={styles.cardHead}>
        <h3 className={styles.name}>{name}</h3>
        <p className={styles.status}>{`${t(sells ? "futures.sell" : "futures.buy")} ${count}`}</p>
      </div>
      <FieldList
        fields={[
          { label: t("options.priceNow"), value: close === null ? t("futures.noQuote") : t("options.points", { n: formatPremium(close) }) },
          ...(close === null
            ? []
            : [{ label: t(sells ? "options.received" : "options.paidPremium"), value: formatTwd(premiumWorth(close, lots)) }]),
          ...(charged
            ? [
                {
                  label: t("options.charges"),
                  value: t("futures.sum", { fee: formatTwd(charged.feeCents), tax: formatTwd(charged.taxCents) }),
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
}

/** Both legs together: the net price with its limit, the money after charges, and the margin. */
function useTogether({ legs, lots, limit, cost }: PairToldProps): Field[] {
  const { t } = useTranslation();
  const netWords = useNetWords();
  const marginFields = useMarginFields();
  const net = netNow(legs);
  if (net === null) return [{ label: t("options.pair.net"), value: t("futures.noQuote") }];
  const charges = cost?.legs.reduce((sum, { feeCents, taxCents }) => sum + feeCents + taxCents, 0);
  return [
    { label: t("options.pair.net"), value: netWords(net) },
    ...(limit === null || !Number.isInteger(limit) ? [] : [{ label: t("options.pair.worst"), value: netWords(limit) }]),
    ...(charges === undefined ? [] : [{ label: t("options.pair.netMoney"), value: formatGain(cents(premiumWorth(net, lots) - charges)) }]),
    ...(cost === null ? [] : cost.marginCents < 0 ? released(cost) : marginFields(cost)),
  ];

  function released({ marginCents, marginAfterCents }: OptionPairCost): Field[] {
    return [
      { label: t("options.pair.released"), value: formatTwd(cents(0 - marginCents)) },
      { label: t("futures.marginAfter"), value: formatTwd(marginAfterCents) },
    ];
  }
}
