/** The draw of an offering, open to all: what was published when, and the draw repeated on this device with its steps. */
import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import { grouped } from "#contract/kernel/money.ts";
import type { Offering } from "#contract/offering.ts";
import type { Subscription } from "#contract/subscription.ts";
import { saveFile } from "#src/gateway/shell.ts";
import { checkDraw } from "#src/streams/draws.ts";
import type { CheckedDraw } from "#src/streams/draws.ts";
import { Button } from "#src/ui/button.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import styles from "./new-share.module.css";

type Progress = "idle" | "busy" | "failed" | CheckedDraw;

/** Nothing before the commitment is published. */
export function DrawCheck({ offering, subscription }: { offering: Offering; subscription: Subscription | null }) {
  const { t } = useTranslation();
  const [progress, setProgress] = useState<Progress>("idle");
  const { commitment, phase, offeringNo, drawnAt, opensAt } = offering;
  if (commitment === null) return null;
  const isDrawn = phase === "drawn" || phase === "allotted" || phase === "listed";
  const check = async (): Promise<void> => {
    setProgress("busy");
    setProgress((await checkDraw(offeringNo)) ?? "failed");
  };
  const part = offering.kind === "placement" ? "placement" : "draw";
  // A server that was started later found the window open.
  const isLate = commitment.committedAt > opensAt;
  const checked = typeof progress === "string" ? null : progress;
  return (
    <Section title={t(`offering.${part}.title`)} inset>
      <Card label={t(`offering.${part}.title`)}>
        <div className={styles.card}>
          <p className={styles.note}>
            {t(`offering.${part}.${isLate ? "whyLate" : "why"}`, { time: formatDateTime(commitment.committedAt) })}
          </p>
          {checked ? (
            <Steps checked={checked} committedAt={commitment.committedAt} subscription={subscription} />
          ) : (
            <dl className={styles.hashes}>
              <dt>{t("offering.draw.committed", { time: formatDateTime(commitment.committedAt) })}</dt>
              <dd>
                <code>{commitment.secretHash}</code>
              </dd>
              <dd>
                <code>{commitment.crowdHash}</code>
              </dd>
            </dl>
          )}
          {progress === "failed" && (
            <p className={styles.trouble} role="alert">
              {t("offering.draw.failed")}
            </p>
          )}
          {isDrawn && !checked && (
            <Button busy={progress === "busy"} onClick={() => void check()}>
              {t(`offering.${part}.check`)}
            </Button>
          )}
          {!isDrawn && phase !== "void" && drawnAt !== null && (
            <p className={styles.note}>{t(`offering.${part}.ahead`, { time: formatDateTime(drawnAt) })}</p>
          )}
        </div>
      </Card>
    </Section>
  );
}

interface StepsProps {
  checked: CheckedDraw;
  committedAt: number;
  subscription: Subscription | null;
}

/** What was repeated, step by step, and whether each agrees with what was published. */
function Steps({ checked: { draw, entries, check }, committedAt, subscription }: StepsProps) {
  const { t } = useTranslation();
  const own = subscription === null ? undefined : check.wonLots.get(subscription.receipt);
  const holds = check.secret && check.crowd && check.list && check.result;
  const isOwnRight = own === undefined || own === subscription?.wonLots;
  return (
    <>
      <ol className={styles.steps}>
        <Step ok={check.secret} title={t("offering.draw.secret", { time: formatDateTime(committedAt) })}>
          <code>{draw.secret}</code>
        </Step>
        <Step ok={check.crowd} title={t("offering.draw.crowd", { n: grouped(String(draw.crowdLots ?? 0)) })}>
          <code>{draw.crowdKey}</code>
        </Step>
        <Step ok={check.list} title={t("offering.draw.list", { n: grouped(String(draw.applications ?? 0)) })}>
          <code>{draw.listHash}</code>
        </Step>
        <Step
          ok={check.result}
          title={t(draw.kind === "placement" ? "offering.draw.shared" : "offering.draw.shuffled", {
            n: grouped(String(draw.winningLots ?? 0)),
          })}
        >
          <code>{draw.resultHash}</code>
        </Step>
        {subscription !== null && own !== undefined && (
          <Step ok={isOwnRight} title={t("offering.draw.own", { count: own, n: grouped(String(own)) })}>
            <code>{subscription.receipt}</code>
          </Step>
        )}
      </ol>
      <p className={holds && isOwnRight ? styles.verdict : styles.trouble} role="status">
        {t(holds && isOwnRight ? "offering.draw.holds" : "offering.draw.differs")}
      </p>
      {/* The README has a program of a few lines that checks this file anywhere else. */}
      <Button onClick={() => saveFile(`draw-${draw.offeringNo}.json`, "application/json", JSON.stringify({ draw, entries }))}>
        {t("offering.draw.save")}
      </Button>
    </>
  );
}

function Step({ ok, title, children }: { ok: boolean; title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <li data-ok={ok ? "yes" : "no"}>
      {ok ? <CircleCheck size={20} aria-label={t("offering.draw.ok")} /> : <CircleX size={20} aria-label={t("offering.draw.wrong")} />}
      <div>
        <strong>{title}</strong>
        {children}
      </div>
    </li>
  );
}
