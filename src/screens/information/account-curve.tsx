/** The equity curve: a line, the gain net of deposits and withdrawals, and the same data as a table. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EQUITY_CURVE_SPANS } from "#contract/equity-curve.ts";
import type { EquityCurveSpan, EquityPoint } from "#contract/equity-curve.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { formatDate, formatDateTime, formatTime } from "#contract/kernel/time.ts";
import { useEquityCurve } from "#src/streams/equity-curve.ts";
import { Segmented } from "#src/ui/choice.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { FoldedTable } from "#src/ui/folded-table.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { drawCurve, endingAt, gainedCents, thinned } from "./curve-path.ts";
import type { Drawn } from "./curve-path.ts";
import styles from "./curve.module.css";

/** Rows of the table, and points a phone's width can show. */
const TABLE_ROWS = 32;
const LINE_POINTS = 360;

/** `totalCents`: the account's current total, where the line ends. */
export function AccountCurve({ totalCents }: { totalCents: Cents }) {
  const { t } = useTranslation();
  const [span, setSpan] = useState<EquityCurveSpan>("day");
  const { value: read, state, failure, retry } = useEquityCurve(span);
  const value = read && endingAt(read, totalCents);
  const skeleton = useSkeleton(value === null && state === "loading");
  const drawn = value && drawCurve(thinned(value, LINE_POINTS));
  const formatAt = span === "day" ? formatTime : span === "week" ? formatDateTime : formatDate;
  return (
    <Section title={t("information.curve.title")} inset>
      <Card label={t("information.curve.title")}>
        <Segmented
          label={t("information.curve.span")}
          options={EQUITY_CURVE_SPANS.map((one) => ({ value: one, label: t(`information.curve.spans.${one}`) }))}
          value={span}
          onChoose={setSpan}
        />
        {value === null && skeleton && <Skeleton shape="block" />}
        {value === null && state === "failed" && <ErrorState what={t("information.curve.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && !drawn && <p className={styles.none}>{t("information.curve.none")}</p>}
        {value && drawn && (
          <>
            <CurveLine points={value} drawn={drawn} />
            <p className={styles.ends} aria-hidden>
              <span>{formatAt(value[0]?.at ?? 0)}</span>
              <span>{formatAt(value.at(-1)?.at ?? 0)}</span>
            </p>
            <CurveTable points={thinned(value, TABLE_ROWS)} formatAt={formatAt} />
          </>
        )}
      </Card>
    </Section>
  );
}

/** The gain over the span, and the line with its description for screen readers. */
function CurveLine({ points, drawn }: { points: readonly EquityPoint[]; drawn: Drawn }) {
  const { t } = useTranslation();
  const gained = gainedCents(points);
  return (
    <>
      <p className={styles.gained}>
        <span>{t("information.curve.gained")}</span>
        <Direction trend={trendOf(gained)} text={formatMoney(gained, "always")} arrow={false} />
      </p>
      <svg
        className={styles.line}
        data-gain={trendOf(gained)}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={t("information.curve.said", {
          from: formatMoney(points[0]?.totalCents),
          to: formatMoney(points.at(-1)?.totalCents),
          low: formatMoney(drawn.lowCents),
          high: formatMoney(drawn.highCents),
        })}
      >
        <path d={drawn.path} vectorEffect="non-scaling-stroke" />
      </svg>
    </>
  );
}

/** The same totals as a table, folded away. */
function CurveTable({ points, formatAt }: { points: readonly EquityPoint[]; formatAt: (at: number) => string }) {
  const { t } = useTranslation();
  return (
    <FoldedTable
      title={t("information.curve.table")}
      columns={[t("export.flow.time"), t("information.curve.total")]}
      rows={points.map(({ at, totalCents }) => ({ key: at, cells: [formatAt(at), formatMoney(totalCents)] }))}
    />
  );
}
