/** The margin account's maintenance ratio at the latest prices against the rule's thresholds, and its debt. */
import { useObservableState } from "observable-hooks";
import { useTranslation } from "react-i18next";
import { auditTime } from "rxjs";
import { formatMoney, formatPercent } from "#contract/kernel/money.ts";
import { coverOf } from "#contract/margin.ts";
import type { MarginAccount } from "#contract/margin.ts";
import type { MarginRule } from "#contract/rule.ts";
import { covered$ } from "#src/streams/margin.ts";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import styles from "./trading.module.css";

/** The ratio changes too fast to read: one update a second is enough. */
const coverage$ = covered$.pipe(auditTime(1000));
/** Where the gauge starts, in percent: assets just equal the debt. */
const GAUGE_START = 100;

export function MarginCover({ account, rule }: { account: MarginAccount; rule: MarginRule | null }) {
  const { t } = useTranslation();
  const covered = useObservableState(coverage$, null);
  // The server's last ratio until every price is known.
  const ratio = covered === null ? account.ratioBasisPoints : coverOf(covered, account.addedCents).ratioBasisPoints;
  return (
    <Section title={t("margin.cover")} inset>
      <Card label={t("margin.cover")}>
        {ratio === null ? (
          <p>{t("margin.nothingOwed")}</p>
        ) : (
          <>
            <p className={styles.ratio}>{formatPercent(ratio, "never")}</p>
            {rule && <Gauge ratio={ratio} rule={rule} />}
            {rule && <p className={styles.plain}>{t(ratioKey(ratio, rule), { call: rule.callPercent, cleared: rule.clearedPercent })}</p>}
          </>
        )}
        <FieldList
          fields={[
            { label: t("margin.loan"), value: formatMoney(account.loanCents) },
            { label: t("margin.interest"), value: formatMoney(account.interestCents) },
            { label: t("margin.added"), value: formatMoney(account.addedCents) },
          ]}
        />
      </Card>
    </Section>
  );
}

function ratioKey(ratio: number, { callPercent, clearedPercent }: MarginRule) {
  if (ratio < callPercent * 100) return "margin.belowCall";
  return ratio < clearedPercent * 100 ? "margin.between" : "margin.clear";
}

/** The ratio on a line with both thresholds; hidden from screen readers, since the text below says the same. */
function Gauge({ ratio, rule: { callPercent, clearedPercent } }: { ratio: number; rule: MarginRule }) {
  const end = clearedPercent + (clearedPercent - GAUGE_START) / 2;
  const place = (percent: number): string => `${Math.min(100, Math.max(0, ((percent - GAUGE_START) / (end - GAUGE_START)) * 100))}%`;
  return (
    <div className={styles.gauge} data-below={ratio < callPercent * 100 || undefined} aria-hidden>
      <div className={styles.bar}>
        <div className={styles.fill} style={{ inlineSize: place(ratio / 100) }} />
      </div>
      {[callPercent, clearedPercent].map((percent) => (
        <div key={percent} className={styles.mark} style={{ insetInlineStart: place(percent) }}>
          <span>{percent}%</span>
        </div>
      ))}
    </div>
  );
}
