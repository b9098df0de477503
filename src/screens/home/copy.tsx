/** Copy trading: the mentors, and the member's copies: two tabs; and one mentor, or what was copied of one, by itself. */
import { useTranslation } from "react-i18next";
import { isOpenCopy, SHORT_RECORD_DAYS } from "#contract/copy.ts";
import type { Mentor } from "#contract/copy.ts";
import { formatGain, formatRate } from "#contract/kernel/money.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { openProfitOf } from "#contract/mentor-record.ts";
import { pathTo } from "#src/paths.ts";
import { useMinute } from "#src/screens/quote/use-minute.ts";
import { useCopies, useMentors } from "#src/streams/copies.ts";
import { Link, useQuery } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { CopyList } from "./copy-list.tsx";
import { MentorPage } from "./copy-mentor.tsx";
import { PartsPage } from "./copy-parts.tsx";
import { CopyNotes, useMentorName } from "./copy-words.tsx";
import styles from "./fund.module.css";

const PARTS = ["mentors", "mine"] as const;

/** `/home/fllow`; `?mentor=` is one mentor with the form to follow, `?copy=` what was copied of one. */
export function CopyPage() {
  const [query] = useQuery<"/home/fllow">();
  const mentor = query.get("mentor");
  const copy = query.get("copy");
  if (mentor !== null) return <MentorPage key={mentor} mentorNo={mentor} />;
  return copy === null ? <CopyTabs /> : <PartsPage key={copy} copyNo={copy} />;
}

function CopyTabs() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/home/fllow">();
  const part = PARTS.find((one) => one === query.get("part")) ?? "mentors";
  return (
    <Screen
      header={<BackHeader title={t("app.title.copy")} fallback="/home/allTool" />}
      top={
        <Tabs
          label={t("app.title.copy")}
          tabs={PARTS.map((value) => ({ value, label: t(`copy.part.${value}`) }))}
          value={part}
          onChoose={(next) => setQuery({ part: next })}
          panelId="copy"
        />
      }
    >
      <div id="copy" role="tabpanel" aria-label={t(`copy.part.${part}`)} className={styles.panel}>
        {part === "mentors" ? <Mentors /> : <CopyList />}
      </div>
    </Screen>
  );
}

function Mentors() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useMentors();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <>
      {value === null && skeleton && <Skeleton rows={4} />}
      {value === null && state === "failed" && <ErrorState what={t("copy.failed")} code={failure ?? ""} onRetry={retry} />}
      {value && value.mentors.length === 0 && <EmptyState title={t("copy.none")} why={t("copy.noneWhy")} />}
      {value && value.mentors.length > 0 && (
        <ul role="list" aria-label={t("copy.part.mentors")} className={styles.rows}>
          {value.mentors.map((mentor) => (
            <li key={mentor.mentorNo}>
              <MentorRow mentor={mentor} />
            </li>
          ))}
        </ul>
      )}
      {value && (
        <div className={styles.inset}>
          <CopyNotes rule={value.rule} />
        </div>
      )}
    </>
  );
}

/** One mentor: what the record is and how long, never the result alone. */
function MentorRow({ mentor }: { mentor: Mentor }) {
  const { t } = useTranslation();
  const nameOf = useMentorName();
  const copies = useCopies().value?.copies ?? [];
  const { record } = mentor;
  const days = taipeiDay(useMinute()) - taipeiDay(mentor.since) + 1;
  const follows = copies.some((copy) => copy.mentorNo === mentor.mentorNo && isOpenCopy(copy));
  return (
    <Link to={pathTo("/home/fllow", { mentor: mentor.mentorNo })} className={styles.row ?? ""}>
      <span className={styles.texts}>
        <span className={styles.name}>{nameOf(mentor)}</span>
        <span className={styles.small}>{t(mentor.strategy === null ? "copy.member" : "copy.house")}</span>
        <span className={styles.small}>{t("copy.recordOf", { count: days })}</span>
        {days < SHORT_RECORD_DAYS && <span className={styles.small}>{t("copy.short")}</span>}
        <span className={styles.small}>{t("copy.followers", { count: mentor.followers })}</span>
        {follows && <span className={styles.strong}>{t("copy.youFollow")}</span>}
      </span>
      <span className={styles.numbers}>
        <span className={styles.price}>{formatGain(record.profitCents + openProfitOf(record, mentor.prices))}</span>
        <span className={styles.small}>{t("copy.past")}</span>
        <span className={styles.small}>{t("copy.fall", { rate: formatRate(record.drawdownPerMillion) })}</span>
      </span>
    </Link>
  );
}
