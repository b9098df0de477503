/** The payoff of an option order at expiry: drawn over the level of the index, and said in words. */
import { useTranslation } from "react-i18next";
import { formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatPremium } from "#contract/premium.ts";
import { outcomeOf, payoffLine } from "./option-outcome.ts";
import type { OptionDeal, PayoffLine } from "./option-outcome.ts";
import styles from "./option.module.css";

const inBox = (x: number): boolean => x >= 0 && x <= 100;

/** `level` is the index now, in points. */
export function OptionPayoff({ deal, level }: { deal: OptionDeal; level: number | null }) {
  return <PayoffDrawing line={payoffLine(deal, level)} strikes={[deal.strike]} words={usePayoffWords(deal)} />;
}

interface PayoffDrawingProps {
  line: PayoffLine;
  /** Ascending, in points. */
  strikes: readonly number[];
  /** What it shows, in words. */
  words: string;
}

export function PayoffDrawing({ line: { path, zero, index, even, from, to }, strikes, words }: PayoffDrawingProps) {
  const { t } = useTranslation();
  const points = (value: number): string => grouped(String(value));
  return (
    <figure className={styles.payoff}>
      <figcaption className={styles.caption}>{t("options.payoff")}</figcaption>
      <svg className={styles.lines} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
        <path className={styles.zero} d={`M0 ${zero}H100`} vectorEffect="non-scaling-stroke" />
        {index !== null && inBox(index) && <path className={styles.now} d={`M${index} 0V100`} vectorEffect="non-scaling-stroke" />}
        {even !== null && inBox(even) && <path className={styles.even} d={`M${even} 0V100`} vectorEffect="non-scaling-stroke" />}
        <path className={styles.gain} d={path} vectorEffect="non-scaling-stroke" />
      </svg>
      <p className={styles.scale} aria-hidden>
        <span>{points(from)}</span>
        <span>{strikes.map(points).join(" / ")}</span>
        <span>{points(to)}</span>
      </p>
      <p className={styles.key} aria-hidden>
        <span className={styles.gainKey}>{t("options.gainLine")}</span>
        {even !== null && <span className={styles.evenKey}>{t("options.even")}</span>}
        {index !== null && <span className={styles.nowKey}>{t("options.indexNow")}</span>}
      </p>
      <p className={styles.words}>{words}</p>
    </figure>
  );
}

/** What the drawing shows, in words. */
export function usePayoffWords(deal: OptionDeal): string {
  const { t } = useTranslation();
  const { mostLossCents, mostGainCents, evenTenths, pointCents } = outcomeOf(deal);
  const words = {
    strike: grouped(String(deal.strike)),
    even: formatPremium(evenTenths),
    point: formatTwd(pointCents),
    loss: formatTwd(mostLossCents ?? 0),
    gain: formatTwd(mostGainCents ?? 0),
  };
  if (deal.side === "buy") return t(deal.right === "call" ? "options.words.buyCall" : "options.words.buyPut", words);
  return t(deal.right === "call" ? "options.words.sellCall" : "options.words.sellPut", words);
}
