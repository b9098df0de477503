/** How well the margin account is covered: its ratio at the newest prices against the lines of the rule, and what it owes. */
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

/** A ratio is read, not watched: once a second is plenty. */
const slowly$ = covered$.pipe(auditTime(1000));
/** Where the drawing begins: what is owed is just covered. */
const NOTHING_LEFT = 100;

export function MarginCover({ account, rule }: { account: MarginAccount; rule: MarginRule | null }) {
  const { t } = useTranslation();
  const covered = useObservableState(slowly$, null);
  // Before every price is known, what the desk said last.
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
            {rule && <p className={styles.plain}>{t(wordOf(ratio, rule), { call: rule.callPercent, cleared: rule.clearedPercent })}</p>}
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

function wordOf(ratio: number, { callPercent, clearedPercent }: MarginRule) {
  if (ratio < callPercent * 100) return "margin.belowCall";
  return ratio < clearedPercent * 100 ? "margin.between" : "margin.clear";
}

/** The ratio on a line with both marks; the words below say the same. */
function Gauge({ ratio, rule: { callPercent, clearedPercent } }: { ratio: number; rule: MarginRule }) {
  const end = clearedPercent + (clearedPercent - NOTHING_LEFT) / 2;
  const place = (percent: number): string => `${Math.min(100, Math.max(0, ((percent - NOTHING_LEFT) / (end - NOTHING_LEFT)) * 100))}%`;
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
