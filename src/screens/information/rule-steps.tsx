/** The tick-size table of a kind of instrument, with its daily price limit. */
import { useTranslation } from "react-i18next";
import type { Kind } from "#contract/instrument.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { tickBands, usualLimitPercent } from "#contract/tick.ts";
import styles from "./rule-steps.module.css";

/** A price with two decimals, or four where two are not exact. */
const exact = (units: number): string => formatPrice(units, units % 100 === 0 ? 2 : 4);

/** A small table; the daily limit is in its caption. */
export function PriceSteps({ kind }: { kind: Kind }) {
  const { t } = useTranslation();
  const bands = tickBands(kind);
  const percent = usualLimitPercent(kind);
  const limit = percent === null ? t("rule.noLimit") : t("rule.limit", { n: percent });
  return (
    <table className={styles.table}>
      <caption>
        {limit} {percent !== null && t("rule.newcomers")} {(kind === "etf" || kind === "etn") && t("rule.fundLimits")}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t("rule.price")}</th>
          <th scope="col">{t("rule.step")}</th>
        </tr>
      </thead>
      <tbody>
        {bands.map(([below, tick], at) => {
          const from = at === 0 ? null : (bands[at - 1]?.[0] ?? null);
          const upTo = Number.isFinite(below) ? below : null;
          return (
            <tr key={below}>
              <th scope="row">
                {from === null && upTo === null && t("rule.anyPrice")}
                {from === null && upTo !== null && t("rule.below", { price: exact(upTo) })}
                {from !== null && upTo !== null && t("rule.between", { from: exact(from), price: exact(upTo) })}
                {from !== null && upTo === null && t("rule.from", { from: exact(from) })}
              </th>
              <td>{exact(tick)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
