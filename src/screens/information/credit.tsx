/** The credit score: its band, what every band lets a member do, what changes the score, its curve, and every change with its reason. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { bandOf, BAND_NAMES, CHANGES_LISTED, HIGHEST_SCORE } from "#contract/credit.ts";
import type { CreditRule } from "#contract/credit.ts";
import { formatMoney, MINUS } from "#contract/kernel/money.ts";
import { formatDate, formatDateTime } from "#contract/kernel/time.ts";
import { useCredit } from "#src/streams/loans.ts";
import type { Credit } from "#src/streams/loans.ts";
import { useRules } from "#src/streams/rules.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { scoreCurve } from "./score-path.ts";
import curve from "./curve.module.css";
import styles from "./funding.module.css";

/** `/information/credit` */
export function CreditPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useCredit();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("app.title.credit")} fallback="/information/index" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={8} />}
        {value === null && state === "failed" && <ErrorState what={t("credit.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && <Known credit={value} />}
      </div>
    </Screen>
  );
}

function Known({ credit }: { credit: Credit }) {
  const { t } = useTranslation();
  const { score, rule } = credit;
  const { name, percent, mostCents } = bandOf(rule, score);
  const withdraws = useRules().value?.funding.minimumScore;
  return (
    <>
      <div className={styles.inset}>
        <div>
          <p className={styles.note}>{t("credit.score")}</p>
          <p className={styles.total}>{score}</p>
          <p>{`${t(`credit.band.${name}`)} · ${t("credit.of", { most: HIGHEST_SCORE })}`}</p>
        </div>
        <p>{percent > 0 ? t("credit.lends", { percent, most: formatMoney(mostCents) }) : t("credit.lendsNothing")}</p>
        {withdraws !== undefined && <p className={styles.note}>{t("credit.withdraws", { score: withdraws })}</p>}
        <ButtonLink to="/home/loan">{t("app.title.loan")}</ButtonLink>
      </div>
      <Bands rule={rule} score={score} />
      <Section title={t("credit.what")} inset>
        <ul className={styles.points}>
          <li>{t("credit.rule.repaid", { count: rule.monthlyPoints })}</li>
          <li>{t("credit.rule.overdue", { count: rule.overduePoints })}</li>
          <li>{t("credit.rule.streak", { days: rule.streakDays, count: rule.streakPoints })}</li>
          <li>{t("credit.rule.other")}</li>
        </ul>
      </Section>
      <Curve credit={credit} />
      <Changes credit={credit} />
    </>
  );
}

/** Every band with its scores and what it lends; the member's own is marked. */
function Bands({ rule, score }: { rule: CreditRule; score: number }) {
  const { t } = useTranslation();
  const own = bandOf(rule, score).name;
  return (
    <Section title={t("credit.bands")}>
      <List label={t("credit.bands")}>
        {rule.bands.map(({ score: from, percent, mostCents }, nth) => {
          const name = BAND_NAMES[nth] ?? "poor";
          const to = nth === 0 ? HIGHEST_SCORE : (rule.bands[nth - 1]?.score ?? 1) - 1;
          return (
            <Row
              key={from}
              title={`${t(`credit.band.${name}`)} · ${t("credit.range", { from, to })}`}
              subtitle={percent > 0 ? t("credit.share", { percent, most: formatMoney(mostCents) }) : t("credit.none")}
              trailing={name === own ? <span className={styles.tag}>{t("credit.yours")}</span> : null}
            />
          );
        })}
      </List>
    </Section>
  );
}

/** The score since the account was opened, or since the oldest change that is listed. */
function Curve({ credit: { firstScore, openedAt, changes } }: { credit: Credit }) {
  const { t } = useTranslation();
  const since = changes.length === CHANGES_LISTED ? (changes.at(-1)?.at ?? openedAt) : openedAt;
  const [now] = useState(() => Date.now());
  const { path, ...said } = scoreCurve({ firstScore, openedAt: since, changes }, now);
  return (
    <Section title={t("credit.curve")} inset>
      <Card label={t("credit.curve")}>
        <svg
          className={curve.line}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={t("credit.curveSaid", { from: said.from, to: said.to, low: said.low, high: said.high })}
        >
          <path d={path} vectorEffect="non-scaling-stroke" />
        </svg>
        <p className={curve.ends} aria-hidden>
          <span>{formatDate(since)}</span>
          <span>{formatDate(now)}</span>
        </p>
      </Card>
    </Section>
  );
}

function Changes({ credit: { changes, firstScore } }: { credit: Credit }) {
  const { t } = useTranslation();
  if (changes.length === 0) return <EmptyState title={t("credit.noChange")} why={t("credit.noChangeWhy", { score: firstScore })} />;
  return (
    <Section title={t("credit.changes")}>
      <List label={t("credit.changes")}>
        {changes.map(({ at, points, score, reason, loanNo }) => (
          <Row
            key={`${at} ${reason} ${loanNo}`}
            title={t(`credit.reason.${reason}`)}
            subtitle={[formatDateTime(at), loanNo, t("credit.after", { score })].filter(Boolean).join(" · ")}
            trailing={points > 0 ? `+${points}` : `${MINUS}${-points}`}
          />
        ))}
      </List>
      {changes.length === CHANGES_LISTED && <p className={styles.none}>{t("credit.older", { count: CHANGES_LISTED })}</p>}
    </Section>
  );
}
