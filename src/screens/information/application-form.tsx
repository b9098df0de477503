/** An application to become an agent or to take a seat: what keeps the member from it, its review, the reviewer's question, applying again. */
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { mayApplyAgain, STATEMENT_MAX } from "#contract/review.ts";
import type { Application, ApplicationKind } from "#contract/review.ts";
import type { RewardRule } from "#contract/reward.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { refetchApplications, takeApplication } from "#src/streams/agency.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { Blocked } from "./blocked.tsx";
import { FundingError } from "./funding-error.tsx";
import styles from "./funding.module.css";

interface Props {
  kind: ApplicationKind;
  application: Application | null;
  rule: RewardRule;
}

export function ApplicationForm({ kind, application, rule }: Props) {
  const { t } = useTranslation();
  const facts = useMember().value?.facts;
  const missing = facts ? missingFor(kind, facts) : [];
  const title = application ? t(`agency.status.${application.status}`) : t("agency.apply");
  const isWaiting = application?.status === "waiting";
  return (
    <Section title={title} inset>
      <Card label={title}>
        <div className={styles.form}>
          {application && <Progress application={application} />}
          {(application === null || mayApplyAgain(application) || isWaiting) &&
            (missing.length > 0 ? (
              <Blocked title={t("agency.blocked")} missing={missing} />
            ) : isWaiting ? (
              <Answer kind={kind} rule={rule} statement={application.statement} />
            ) : (
              <Apply kind={kind} rule={rule} />
            ))}
        </div>
      </Card>
    </Section>
  );
}

/** Where the application stands, and why. */
function Progress({ application }: { application: Application }) {
  const { t } = useTranslation();
  const { status, reason, note, submittedAt } = application;
  return (
    <>
      <p className={styles.note}>{t("agency.appliedAt", { at: formatDateTime(submittedAt) })}</p>
      {status === "pendingReview" && <p>{t("agency.reviewed")}</p>}
      {reason !== null && <p>{t(`agency.reason.${reason}`)}</p>}
      {note !== null && <p>{t("agency.note", { note })}</p>}
      {mayApplyAgain(application) && <p>{t("agency.again")}</p>}
    </>
  );
}

function Apply({ kind, rule }: Pick<Props, "kind" | "rule">) {
  const { t } = useTranslation();
  const request = useRequest(kind === "agent" ? "applyForAgent" : "applyForSeat", {
    fields: ["statement"],
    onAccepted: (application) => {
      takeApplication(application);
      showToast(t(kind === "seat" ? "operation.OP_SEAT_APPLY_OK" : "operation.OP_SUBMIT_OK"), "success");
    },
    onArrived: refetchApplications,
  });
  const send = (statement: string): void => request.submit({ statement });
  return <StatementForm kind={kind} rule={rule} request={request} first="" button={t("agency.apply")} onSend={send} />;
}

/** The answer to the reviewer's question, which begins with what was written before. */
function Answer({ kind, rule, statement }: Pick<Props, "kind" | "rule"> & { statement: string }) {
  const { t } = useTranslation();
  const request = useRequest("answerReview", {
    fields: ["statement"],
    onAccepted: (application) => {
      takeApplication(application);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
    onArrived: refetchApplications,
  });
  const send = (answer: string): void => request.submit({ statement: answer, kind });
  return <StatementForm kind={kind} rule={rule} request={request} first={statement} button={t("agency.answer")} onSend={send} />;
}

interface StatementFormProps<Name extends EndpointName> extends Pick<Props, "kind" | "rule"> {
  request: Request<Name>;
  /** What the field begins with. */
  first: string;
  /** Text of the button. */
  button: string;
  onSend: (statement: string) => void;
}

function StatementForm<Name extends EndpointName>({ kind, rule, request, first, button, onSend }: StatementFormProps<Name>) {
  const { t } = useTranslation();
  const { values, field, form } = useFields({ statement: first }, request);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSend(values.statement);
      }}
    >
      <TextField
        {...field("statement")}
        label={t(kind === "agent" ? "agency.statementAgent" : "agency.statementSeat")}
        hint={t("agency.statementHint", { n: rule.statementLetters, most: STATEMENT_MAX })}
        maxLength={STATEMENT_MAX}
        autoComplete="off"
      />
      <FundingError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {button}
      </Button>
    </form>
  );
}
