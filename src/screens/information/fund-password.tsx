/** The fund password: set for the first time with the sign-in password, then changed with the old one or reset with a one-time code. */
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "#contract/kernel/time.ts";
import { useFields } from "#src/actors/fields.ts";
import type { Field } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import type { RequestState } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import { SandboxPhone } from "#src/ui/sandbox-phone.tsx";
import { member, useMember } from "#src/streams/member.ts";
import { useRules } from "#src/streams/rules.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { BackHeader, Screen, useBack } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./secret.module.css";

const PAIR = { fundPassword: "", confirmation: "" };
const digits = { type: "password", inputMode: "numeric", maxLength: 6, autoComplete: "off" } as const;

export function FundPasswordPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useMember();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("member.fund.title")} fallback="/information/setting" />}>
      {!value && skeleton && <Skeleton rows={4} />}
      {!value && state === "failed" && <ErrorState what={t("member.arrive.failed")} code={failure ?? ""} onRetry={retry} />}
      {value && <Forms isSet={value.facts.fundPassword} />}
    </Screen>
  );
}

function Forms({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation();
  const [way, setWay] = useState<"change" | "reset">("change");
  const hours = useRules().value?.account.slowHours ?? null;
  const back = useBack("/information/setting");
  const done = (): void => {
    showToast(t(isSet ? "member.fund.done" : "member.fund.doneSet"), "success");
    member.refetch();
    back();
  };
  return (
    <div className={styles.page}>
      <p className={styles.why}>{t("member.fund.intro")}</p>
      {isSet && (
        <>
          {hours !== null && <p className={styles.why}>{t("member.fund.slow", { hours })}</p>}
          <Segmented
            label={t("member.fund.ways")}
            value={way}
            options={[
              { value: "change", label: t("member.fund.change") },
              { value: "reset", label: t("member.fund.reset") },
            ]}
            onChoose={setWay}
          />
        </>
      )}
      {isSet ? way === "change" ? <Change onDone={done} /> : <Reset onDone={done} /> : <FirstOne onDone={done} />}
    </div>
  );
}

interface Frame {
  children: ReactNode;
  field: (name: "fundPassword" | "confirmation") => Field;
  request: { busy: boolean; errorOfForm: string | null; state: RequestState };
  onSubmit: () => void;
  form: ReturnType<typeof useFields>["form"];
}

/** What proves the member, then the new fund password twice. */
function SecretForm({ children, field, request, onSubmit, form }: Frame) {
  const { t } = useTranslation();
  const failed = request.state === "failed" || request.state === "unknown" ? t("member.fund.failed") : null;
  return (
    <form
      ref={form}
      className={styles.part}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <TextField {...field("fundPassword")} {...digits} label={t("member.fund.new")} hint={t("member.fund.newHint")} />
      <TextField {...field("confirmation")} {...digits} label={t("member.fund.confirm")} />
      <FormTrouble text={request.errorOfForm ?? failed} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("member.fund.set")}
      </Button>
    </form>
  );
}

function FirstOne({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const request = useRequest("setFundPassword", { fields: ["current", "fundPassword", "confirmation"], onAccepted: onDone });
  const { values, field, form } = useFields({ current: "", ...PAIR }, request);
  return (
    <SecretForm field={field} request={request} form={form} onSubmit={() => request.submit(values)}>
      <TextField {...field("current")} label={t("member.fund.signIn")} type="password" autoComplete="current-password" />
    </SecretForm>
  );
}

function Change({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const request = useRequest("changeFundPassword", { fields: ["current", "fundPassword", "confirmation"], onAccepted: onDone });
  const { values, field, form } = useFields({ current: "", ...PAIR }, request);
  return (
    <SecretForm field={field} request={request} form={form} onSubmit={() => request.submit(values)}>
      <TextField {...field("current")} {...digits} label={t("member.fund.current")} />
    </SecretForm>
  );
}

function Reset({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const sending = useRequest("requestFundCode");
  const request = useRequest("resetFundPassword", { fields: ["oneTimeCode", "fundPassword", "confirmation"], onAccepted: onDone });
  const { values, field, fill, form } = useFields({ oneTimeCode: "", ...PAIR }, request);
  const sent = sending.answer;
  return (
    <>
      <Button busy={sending.busy} tone={sent ? "secondary" : "primary"} onClick={() => sending.submit({})}>
        {t(sent ? "member.forget.again" : "member.forget.send")}
      </Button>
      <FormTrouble text={sending.errorOfForm ?? (sending.state === "failed" ? t("member.forget.failed") : null)} />
      {sent && (
        <>
          <p role="status">{t("member.forget.sent", { time: formatTime(sent.expiresAt) })}</p>
          <SandboxPhone code={sent.sandboxCode} onUse={(code) => fill("oneTimeCode", code)} />
          <SecretForm field={field} request={request} form={form} onSubmit={() => request.submit(values)}>
            <TextField
              {...field("oneTimeCode")}
              label={t("member.forget.code")}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
            />
          </SecretForm>
        </>
      )}
    </>
  );
}
