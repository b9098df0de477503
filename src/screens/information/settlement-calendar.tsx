/** The settlement calendar: amounts to pay and receive on the coming trading days, and dividends that are not paid yet. */
import { pathTo } from "#src/paths.ts";
import { CalendarCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDate, formatDateTime, taipeiDay } from "#contract/kernel/time.ts";
import type { Settlement } from "#contract/settlement.ts";
import { useSettlements } from "#src/streams/settlements.ts";
import type { Settlements } from "#src/streams/settlements.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { settlementDays } from "./settlement-days.ts";
import styles from "./settlement.module.css";

function Amount({ cents }: { cents: number }) {
  return <Direction trend={trendOf(cents)} text={formatMoney(cents, "always")} arrow={false} />;
}

/** `/information/settlements` */
export function SettlementCalendar() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useSettlements();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen
      scroll={value?.settlements.length ? "page" : "read"}
      header={<BackHeader title={t("settlement.title")} fallback="/information/index" />}
    >
      <p className={styles.note}>{t("settlement.note")}</p>
      {value === null && skeleton && <Skeleton rows={6} />}
      {value === null && state === "failed" && <ErrorState what={t("settlement.failed")} code={failure ?? ""} onRetry={retry} />}
      {value && value.settlements.length === 0 && (
        <EmptyState icon={<CalendarCheck size={32} aria-hidden />} title={t("settlement.none")} why={t("settlement.noneWhy")} />
      )}
      {value && <Days known={value} />}
    </Screen>
  );
}

function Days({ known }: { known: Settlements }) {
  const { t } = useTranslation();
  const [today] = useState(() => taipeiDay(Date.now()));
  return (
    <ol className={styles.days} aria-label={t("settlement.title")}>
      {settlementDays(known).map(({ day, at, settlements, sumCents }) => (
        <li key={day}>
          <div className={styles.day}>
            <h2>
              {formatDate(at)}
              {day === today && ` · ${t("settlement.today")}`}
            </h2>
            {settlements.length > 0 ? <Amount cents={sumCents} /> : <span className={styles.nothing}>{t("settlement.nothing")}</span>}
          </div>
          {settlements.length > 0 && (
            <ul role="list">
              {settlements.map((one) => (
                <Due key={`${one.orderNo}-${one.tradedAt}-${one.amountCents}`} one={one} />
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

function Due({ one }: { one: Settlement }) {
  const { t } = useTranslation();
  const wordOf = ({ kind, amountCents }: Settlement): string =>
    t(kind === "trade" ? (amountCents < 0 ? "settlement.pays" : "settlement.receives") : `settlement.${kind}`);
  return (
    <li>
      <Link to={pathTo("/trade/positionDetail", { orderNo: one.orderNo })} className={styles.due ?? ""}>
        <span>
          {wordOf(one)} · {one.orderNo}
          <small>
            {one.kind === "dividend"
              ? t("settlement.exDate", { day: formatDate(one.tradedAt) })
              : one.kind === "hold"
                ? formatDateTime(one.tradedAt)
                : t("settlement.traded", { time: formatDateTime(one.tradedAt) })}
          </small>
        </span>
        <Amount cents={one.amountCents} />
      </Link>
    </li>
  );
}
