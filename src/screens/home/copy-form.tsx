/** The form to follow a mentor: the amount, the loss to stop at, and for how long. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { COPY_DAYS } from "#contract/copy.ts";
import type { Mentor } from "#contract/copy.ts";
import type { CopyRule } from "#contract/copy-rule.ts";
import { missingFor } from "#contract/eligibility.ts";
import { formatRate } from "#contract/kernel/money.ts";
import { DAY_MS, formatDateTime } from "#contract/kernel/time.ts";
import { MILLION } from "#contract/rule.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { useMinute } from "#src/screens/quote/use-minute.ts";
import { takeCopy } from "#src/streams/copies.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { AmountAndStop, amountProblems, useAmountAndStop } from "./amount-and-stop.tsx";
import { DayChips } from "./day-chips.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

const CENTS = 100;

/** What keeps the member from following comes before the form. */
export function FollowForm({ mentor, rule }: { mentor: Mentor; rule: CopyRule }) {
  const { t } = useTranslation();
  const member = useMember().value;
  const now = useMinute();
  const missing = member ? missingFor("follow", member.facts) : [];
  if (mentor.closesAt !== null && mentor.closesAt <= now) return <p className={styles.note}>{t("refusal.TRD_COPY_DEADLINE")}</p>;
  return (
    <>
      <MissingNotice title={t("copy.blocked")} missing={missing} agreement="copy" supply={t("fund.supply")} />
      {missing.length === 0 && <Follow mentor={mentor} rule={rule} />}
    </>
  );
}

function useFollow(rule: CopyRule) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useRequest("followMentor", {
    fields: ["amount", "stopPercent"],
    check: ({ amount }) => amountProblems(amount, rule.minimumCents),
    onAccepted: (copy) => {
      takeCopy(copy);
      showToast(t("operation.OP_COPY_OK"), "success");
      void navigate(pathTo("/home/fllow", { part: "mine" }), { replace: true });
    },
  });
}

function Follow({ mentor, rule }: { mentor: Mentor; rule: CopyRule }) {
  const { t } = useTranslation();
  const [days, setDays] = useState<(typeof COPY_DAYS)[number]>(COPY_DAYS[1]);
  const request = useFollow(rule);
  const { amount, stopPercent, stopsAt, field, form } = useAmountAndStop(request);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ mentorNo: mentor.mentorNo, amount, stopPercent, days });
      }}
    >
      <AmountAndStop of="copy" field={field} minimumCents={rule.minimumCents} />
      <DayChips label={t("copy.field.days")} options={COPY_DAYS} value={days} onChoose={setDays} />
      <Terms mentor={mentor} amount={amount} stopsAt={stopsAt} days={days} />
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("copy.follow")}
      </Button>
    </form>
  );
}

interface TermsProps {
  mentor: Mentor;
  amount: number | null;
  stopsAt: string;
  days: number;
}

/** What the entries come to. */
function Terms({ mentor, amount, stopsAt, days }: TermsProps) {
  const { t } = useTranslation();
  const now = useMinute();
  const scale = amount === null ? "--" : formatRate(Math.round((amount * CENTS * MILLION) / mentor.capitalCents));
  return (
    <FieldList
      fields={[
        { label: t("copy.field.scale"), value: scale },
        { label: t("copy.field.stopsAt"), value: stopsAt },
        { label: t("copy.field.until"), value: formatDateTime(now + days * DAY_MS) },
      ]}
    />
  );
}
