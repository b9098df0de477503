/** A forgotten password: a one-time code to the registered mobile number, then a new password and guarantee code. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "#contract/kernel/time.ts";
import type { SentCode } from "#contract/registration.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { goTo } from "#src/gateway/shell.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { Button } from "#src/ui/button.tsx";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import { SandboxPhone } from "#src/ui/sandbox-phone.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { NewGuaranteeCode, NewPassword } from "#src/ui/new-password.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./login.module.css";

/** Whom the code was sent to. */
interface Owner {
  idNumber: string;
  mobile: string;
}

export function Forget() {
  const { t } = useTranslation();
  const [owner, setOwner] = useState<Owner | null>(null);
  const [sent, setSent] = useState<SentCode | null>(null);
  return (
    <Screen header={<BackHeader title={t("member.forget.title")} fallback="/login/login" />}>
      <div className={styles.page}>
        <p>{t("member.forget.intro")}</p>
        <AskForCode
          isSent={sent !== null}
          onSent={(to, code) => {
            setOwner(to);
            setSent(code);
          }}
        />
        {owner && sent && <NewSecrets key={sent.expiresAt} owner={owner} sent={sent} />}
      </div>
    </Screen>
  );
}

function AskForCode({ isSent, onSent }: { isSent: boolean; onSent: (to: Owner, sent: SentCode) => void }) {
  const { t } = useTranslation();
  const request = useRequest("requestPasswordCode", {
    fields: ["idNumber", "mobile"],
    onAccepted: (code) => onSent(values, code),
  });
  const { values, field, form } = useFields({ idNumber: "", mobile: "" }, request);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit(values);
      }}
    >
      <TextField
        {...field("idNumber")}
        label={t("login.idNumber")}
        autoComplete="username"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <TextField {...field("mobile")} label={t("member.register.mobile")} type="tel" inputMode="tel" autoComplete="tel-national" />
      <FormTrouble text={request.errorOfForm ?? (request.state === "failed" ? t("member.forget.failed") : null)} />
      <Button type="submit" tone={isSent ? "secondary" : "primary"} size="large" block busy={request.busy}>
        {t(isSent ? "member.forget.again" : "member.forget.send")}
      </Button>
    </form>
  );
}

function NewSecrets({ owner, sent }: { owner: Owner; sent: SentCode }) {
  const { t } = useTranslation();
  const request = useRequest("resetPassword", {
    fields: ["oneTimeCode", "password", "confirmation", "guaranteeCode"],
    onAccepted: () => {
      showToast(t("member.forget.done"), "success");
      goTo("/login/login", "replace");
    },
  });
  const { values, field, fill, form } = useFields({ oneTimeCode: "", password: "", confirmation: "", guaranteeCode: "" }, request);
  const failed = request.state === "failed" || request.state === "unknown" ? t("member.forget.failed") : null;
  return (
    <>
      <p role="status">{t("member.forget.sent", { time: formatTime(sent.expiresAt) })}</p>
      <SandboxPhone code={sent.sandboxCode} onUse={(code) => fill("oneTimeCode", code)} />
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          request.submit({ ...owner, ...values });
        }}
      >
        <TextField
          {...field("oneTimeCode")}
          label={t("member.forget.code")}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
        />
        <NewPassword field={field} label={t("member.forget.newPassword")} />
        <NewGuaranteeCode field={field("guaranteeCode")} label={t("member.forget.newGuarantee")} />
        <FormTrouble text={request.errorOfForm ?? failed} />
        <Button type="submit" tone="primary" size="large" block busy={request.busy}>
          {t("member.forget.submit")}
        </Button>
      </form>
    </>
  );
}
