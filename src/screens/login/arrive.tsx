/** After signing in: what is still missing, each line leading to where it is supplied, and what every act still needs. */
import { Circle, CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import type { MemberFacts, Missing } from "#contract/eligibility.ts";
import { useSession } from "#src/actors/session.ts";
import { pathTo, remedyPath } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import { useMember } from "#src/streams/member.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { BlockedNotice, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./login.module.css";

/** The acts a newcomer looks for. */
const ACTS = ["trade", "deposit", "withdraw", "convert", "subscribe", "bid", "lend", "borrow", "follow"] as const;

/** Where an act begins that is open to the member. */
const WHERE: Partial<Record<(typeof ACTS)[number], Path>> = {
  trade: "/favorite/index",
  deposit: "/information/recharge",
  withdraw: "/information/cashOut",
  convert: pathTo("/information/exChange", {}),
  borrow: "/home/loan",
};

const allMissing = (facts: MemberFacts): Missing[][] => ACTS.map((act) => missingFor(act, facts));

/** Everything that is missing for any of the acts, each once, what hinders most acts first. What is not for minors is no step of theirs. */
function stepsOf(missing: readonly Missing[][]): Missing[] {
  const counts = new Map<string, { step: Missing; times: number }>();
  const open = missing.filter((steps) => !steps.some(({ code }) => code === "ACC_MINOR"));
  for (const step of open.flat()) counts.set(step.code, { step, times: (counts.get(step.code)?.times ?? 0) + 1 });
  return [...counts.values()].toSorted((a, b) => b.times - a.times).map(({ step }) => step);
}

export function Arrive() {
  const { t } = useTranslation();
  const signedIn = useSession((session) => session.context.account !== null);
  return (
    <Screen
      header={<BackHeader title={t("member.arrive.title")} fallback="/home/index" />}
      footer={
        signedIn && (
          <ButtonLink to="/home/index" replace tone="primary" size="large" block>
            {t("member.arrive.home")}
          </ButtonLink>
        )
      }
    >
      {signedIn ? (
        <Checklist />
      ) : (
        <BlockedNotice
          title={t("member.arrive.signIn")}
          why={t("refusal.ACC_SESSION_EXPIRED")}
          action={{ label: t("login.signIn"), to: "/login/login" }}
        />
      )}
    </Screen>
  );
}

function Checklist() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useMember();
  const skeleton = useSkeleton(value === null && state === "loading");
  if (!value && state === "failed") return <ErrorState what={t("member.arrive.failed")} code={failure ?? ""} onRetry={retry} />;
  if (!value) return skeleton ? <Skeleton rows={8} /> : null;
  const missing = allMissing(value.facts);
  const steps = stepsOf(missing);
  const { identity, fundPassword, cards } = value.facts;
  const done = [
    ...(identity === "verified" ? [t("member.arrive.identity")] : []),
    ...(fundPassword ? [t("member.arrive.fundPassword")] : []),
    ...(cards > 0 ? [t("member.arrive.card")] : []),
  ];
  const text = ({ code, params }: Missing): string => t(`refusal.${code}`, params);
  return (
    <div className={styles.checklist}>
      <p className={styles.intro}>{t(steps.length > 0 ? "member.arrive.intro" : "member.arrive.complete")}</p>
      <Section title={t("member.arrive.steps")}>
        <List label={t("member.arrive.steps")}>
          {steps.map((step) => {
            const to = remedyPath(step.remedy);
            return <Row key={step.code} leading={<Circle size={22} aria-hidden />} title={text(step)} {...(to ? { to } : {})} />;
          })}
          {done.map((name) => (
            <Row
              key={name}
              leading={<CircleCheck className={styles.done} size={22} aria-hidden />}
              title={name}
              trailing={t("member.arrive.done")}
            />
          ))}
        </List>
      </Section>
      <Section title={t("member.arrive.may")}>
        <List label={t("member.arrive.may")}>
          {ACTS.map((act, at) => {
            const [first] = missing[at] ?? [];
            const to = first ? undefined : WHERE[act];
            const subtitle = first ? text(first) : t("member.arrive.open");
            return <Row key={act} title={t(`member.arrive.act.${act}`)} subtitle={subtitle} {...(to ? { to } : {})} />;
          })}
        </List>
      </Section>
    </div>
  );
}
