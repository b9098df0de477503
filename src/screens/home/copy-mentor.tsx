/** One mentor: the record with every fill behind it, its recomputation on this device, and the form to follow. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isOpenCopy, SHORT_RECORD_DAYS } from "#contract/copy.ts";
import type { Mentor } from "#contract/copy.ts";
import { formatGain, formatPrice, formatRate, formatTwd, grouped } from "#contract/kernel/money.ts";
import { HOUR_MS, MINUTE_MS, formatDate, formatDateTime, taipeiDay } from "#contract/kernel/time.ts";
import { isSameRecord, openProfitOf, recordOf } from "#contract/mentor-record.ts";
import type { MentorFill, MentorRecord } from "#contract/mentor-record.ts";
import { MILLION } from "#contract/rule.ts";
import { pathTo } from "#src/paths.ts";
import { useMinute } from "#src/screens/quote/use-minute.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { readAllFills, useCopies, useMentors } from "#src/streams/copies.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { FollowForm } from "./copy-form.tsx";
import { CopyNotes, useMentorName } from "./copy-words.tsx";
import styles from "./fund.module.css";

/** Fills shown on the screen, the newest of them; the recomputation reads all. */
const SHOWN_FILLS = 40;

/** `/home/fllow?mentor=…` */
export function MentorPage({ mentorNo }: { mentorNo: string }) {
  const { t } = useTranslation();
  const nameOf = useMentorName();
  const { value, state, failure, retry } = useMentors();
  const own = useCopies().value?.copies.find((copy) => copy.mentorNo === mentorNo && isOpenCopy(copy));
  const mentor = value?.mentors.find((one) => one.mentorNo === mentorNo);
  const skeleton = useSkeleton(value === null && state !== "failed");
  return (
    <Screen header={<BackHeader title={mentor ? nameOf(mentor) : t("app.title.copy")} fallback="/home/fllow" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("copy.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && !mentor && (
          <EmptyState title={t("copy.gone")} why={t("copy.goneWhy")} action={{ label: t("copy.all"), to: "/home/fllow" }} />
        )}
        {value && mentor && (
          <>
            <About mentor={mentor} />
            <RecordCard mentor={mentor} />
            <Recompute mentor={mentor} />
            <Months record={mentor.record} />
            {own ? (
              <div>
                <ButtonLink to={pathTo("/home/fllow", { part: "mine" })} tone="primary" block>
                  {t("copy.toMine")}
                </ButtonLink>
              </div>
            ) : (
              <FollowForm mentor={mentor} rule={value.rule} />
            )}
            <CopyNotes rule={value.rule} />
          </>
        )}
      </div>
    </Screen>
  );
}

function About({ mentor: { strategy } }: { mentor: Mentor }) {
  const { t } = useTranslation();
  return (
    <div>
      <p className={styles.strong}>{t(strategy === null ? "copy.member" : "copy.house")}</p>
      {strategy !== null && <p className={styles.note}>{t(`copy.does.${strategy}`)}</p>}
    </div>
  );
}

/** Hours and minutes of a span. */
function useSpan(): (ms: number) => string {
  const { t } = useTranslation();
  return (ms) => t("copy.span", { hours: Math.floor(ms / HOUR_MS), minutes: Math.floor((ms % HOUR_MS) / MINUTE_MS) });
}

function useRecordFields({ record, capitalCents, prices, since, followers }: Mentor): Field[] {
  const { t } = useTranslation();
  const span = useSpan();
  const open = openProfitOf(record, prices);
  const rate = Math.round(((record.profitCents + open) * MILLION) / capitalCents);
  const signed = `${rate < 0 ? "−" : "+"}${formatRate(Math.abs(rate))}`;
  return [
    { label: t("copy.field.since"), value: formatDate(since) },
    { label: t("copy.field.capital"), value: formatTwd(capitalCents) },
    { label: t("copy.field.result"), value: `${formatGain(record.profitCents + open)} (${signed})` },
    { label: t("copy.field.realised"), value: formatGain(record.profitCents) },
    { label: t("copy.field.open"), value: formatGain(open) },
    { label: t("copy.field.drawdown"), value: formatRate(record.drawdownPerMillion) },
    { label: t("copy.field.won"), value: t("copy.wonOf", { won: record.won, count: record.closed }) },
    { label: t("copy.field.holding"), value: record.closed === 0 ? "--" : span(record.holdingMs) },
    { label: t("copy.field.turnover"), value: formatTwd(record.turnoverCents) },
    { label: t("copy.field.costs"), value: formatTwd(record.costsCents) },
    { label: t("copy.field.withMembers"), value: grouped(String(record.withMembers)) },
    { label: t("copy.field.followers"), value: String(followers) },
  ];
}

function RecordCard({ mentor }: { mentor: Mentor }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const days = taipeiDay(useMinute()) - taipeiDay(mentor.since) + 1;
  return (
    <Card label={t("copy.record")}>
      <p className={styles.strong}>{t("copy.pastOf", { count: days })}</p>
      {days < SHORT_RECORD_DAYS && <p className={styles.note}>{t("copy.short")}</p>}
      <FieldList fields={useRecordFields(mentor)} />
      {mentor.record.held.length > 0 && (
        <>
          <h3 className={styles.name}>{t("copy.held")}</h3>
          <FieldList
            fields={mentor.record.held.map(({ code, shares }) => ({
              label: nameOf(code),
              value: t("copy.shares", { count: shares, n: grouped(String(shares)) }),
            }))}
          />
        </>
      )}
    </Card>
  );
}

function Months({ record: { months } }: { record: MentorRecord }) {
  const { t } = useTranslation();
  if (months.length === 0) return null;
  return (
    <Card label={t("copy.months")}>
      <h3 className={styles.name}>{t("copy.months")}</h3>
      <FieldList
        fields={months.toReversed().map(({ month, trades, profitCents }) => ({
          label: t("copy.monthOf", { month, count: trades }),
          value: formatGain(profitCents),
        }))}
      />
    </Card>
  );
}

type Recomputed = { state: "reading" | "failed" } | { state: "done"; fills: MentorFill[]; isSame: boolean };

/** Computes the record here, from the published fills, and compares it with the server's. */
function Recompute({ mentor }: { mentor: Mentor }) {
  const { t } = useTranslation();
  const [result, setResult] = useState<Recomputed | null>(null);
  const recompute = async (): Promise<void> => {
    setResult({ state: "reading" });
    const fills = await readAllFills(mentor.mentorNo);
    if (fills === null) return setResult({ state: "failed" });
    // The mentor may have traded since the record was told: it is compared as of then.
    const told = fills.slice(0, mentor.record.lines);
    setResult({ state: "done", fills, isSame: isSameRecord(recordOf(told, mentor.capitalCents), mentor.record) });
  };
  return (
    <>
      <div>
        <Button block busy={result?.state === "reading"} onClick={() => void recompute()}>
          {t("copy.recompute")}
        </Button>
      </div>
      {result?.state === "failed" && (
        <p className={styles.trouble} role="alert">
          {t("copy.recomputeFailed")}
        </p>
      )}
      {result?.state === "done" && (
        <>
          <p className={styles.strong} role="status">
            {t(result.isSame ? "copy.same" : "copy.differs", { count: mentor.record.lines })}
          </p>
          <Fills fills={result.fills} />
        </>
      )}
    </>
  );
}

function Fills({ fills }: { fills: readonly MentorFill[] }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  if (fills.length === 0) return null;
  return (
    <Section title={t("copy.fills")}>
      <ul role="list" aria-label={t("copy.fills")} className={styles.rows}>
        {fills
          .slice(-SHOWN_FILLS)
          .toReversed()
          .map((fill) => (
            <li key={fill.n} className={styles.row}>
              <span className={styles.texts}>
                <span className={styles.name}>{nameOf(fill.code)}</span>
                <span className={styles.small}>{formatDateTime(fill.at)}</span>
              </span>
              <span className={styles.numbers}>
                <span className={styles.price}>{t(`copy.kind.${fill.kind}`, { n: grouped(String(fill.shares)) })}</span>
                <span className={styles.small}>{fill.kind === "adjust" ? formatGain(fill.cashCents) : formatPrice(fill.price)}</span>
              </span>
            </li>
          ))}
      </ul>
    </Section>
  );
}
