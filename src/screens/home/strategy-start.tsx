/** The form to run a strategy: the amount and the loss to stop at. */
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import type { Code } from "#contract/kernel/id.ts";
import type { Strategy } from "#contract/strategy.ts";
import type { StrategyRule } from "#contract/strategy-rule.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { useMember } from "#src/streams/member.ts";
import { takeRun } from "#src/streams/strategies.ts";
import { Button } from "#src/ui/button.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { AmountAndStop, amountProblems, useAmountAndStop } from "./amount-and-stop.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

interface StartProps {
  strategy: Strategy;
  code: Code | null;
  rule: StrategyRule;
}

/** What keeps the member from running one comes before the form. */
export function StartForm(props: StartProps) {
  const { t } = useTranslation();
  const member = useMember().value;
  const missing = member ? missingFor("runStrategy", member.facts) : [];
  return (
    <>
      <MissingNotice title={t("strategy.blocked")} missing={missing} supply={t("fund.supply")} />
      {missing.length === 0 && <Start {...props} />}
    </>
  );
}

function useStart(rule: StrategyRule) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useRequest("startStrategy", {
    fields: ["amount", "stopPercent"],
    check: ({ amount }) => amountProblems(amount, rule.minimumCents),
    onAccepted: (run) => {
      takeRun(run);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
      void navigate(pathTo("/home/qcList", { part: "mine" }), { replace: true });
    },
  });
}

function Start({ strategy, code, rule }: StartProps) {
  const { t } = useTranslation();
  const request = useStart(rule);
  const { amount, stopPercent, stopsAt, field, form } = useAmountAndStop(request);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ strategy, code, amount, stopPercent });
      }}
    >
      <AmountAndStop of="strategy" field={field} minimumCents={rule.minimumCents} />
      <FieldList fields={[{ label: t("strategy.field.stopsAt"), value: stopsAt }]} />
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("strategy.start")}
      </Button>
    </form>
  );
}
