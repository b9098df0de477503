/** The form to run a strategy: the amount and the loss to stop at. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import type { Code } from "#contract/kernel/id.ts";
import { grouped } from "#contract/kernel/money.ts";
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
import { TextField } from "#src/ui/text-field.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { RequestError } from "./request-error.tsx";
import { money } from "./strategy-words.tsx";
import { wholeNumber } from "./whole-number.ts";
import styles from "./fund.module.css";

const CENTS = 100;
const FIRST_STOP = "20";

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
    check: ({ amount }) =>
      amount * CENTS < rule.minimumCents
        ? [{ code: "TRD_PRODUCT_MIN", params: { n: grouped(String(rule.minimumCents / CENTS)) }, field: "amount" }]
        : [],
    onAccepted: (run) => {
      takeRun(run);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
      void navigate(pathTo("/home/qcList", { part: "mine" }), { replace: true });
    },
  });
}

function Start({ strategy, code, rule }: StartProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [stop, setStop] = useState(FIRST_STOP);
  const request = useStart(rule);
  const amount = wholeNumber(text);
  const stopPercent = wholeNumber(stop);
  // An amount in whole NT$ times a percentage is in cents.
  const stopsAt = amount === null || stopPercent === null ? "--" : money(0 - amount * stopPercent);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ strategy, code, amount, stopPercent });
      }}
    >
      <TextField
        label={t("strategy.field.amount")}
        hint={t("strategy.amountHint", { amount: grouped(String(rule.minimumCents / CENTS)) })}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={request.errorAt("amount")}
        onText={(next) => {
          setText(next);
          request.edit("amount");
        }}
      />
      <TextField
        label={t("strategy.field.stop")}
        hint={t("strategy.stopHint")}
        value={stop}
        inputMode="numeric"
        autoComplete="off"
        error={request.errorAt("stopPercent")}
        onText={(next) => {
          setStop(next);
          request.edit("stopPercent");
        }}
      />
      <FieldList fields={[{ label: t("strategy.field.stopsAt"), value: stopsAt }]} />
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("strategy.start")}
      </Button>
    </form>
  );
}
