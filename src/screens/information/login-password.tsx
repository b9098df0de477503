/** Changing the sign-in password; all other devices are signed out. */
import { useTranslation } from "react-i18next";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import { member } from "#src/streams/member.ts";
import { useRules } from "#src/streams/rules.ts";
import { Button } from "#src/ui/button.tsx";
import { BackHeader, Screen, useBack } from "#src/ui/screen.tsx";
import { NewPassword } from "#src/ui/new-password.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./secret.module.css";

const FIELDS = ["current", "password", "confirmation"] as const;
const EMPTY = { current: "", password: "", confirmation: "" };

export function LoginPassword() {
  const { t } = useTranslation();
  const hours = useRules().value?.account.slowHours ?? null;
  const back = useBack("/information/setting");
  const request = useRequest("changePassword", {
    fields: FIELDS,
    onAccepted: ({ sessionsEnded }) => {
      showToast(sessionsEnded === 0 ? t("member.password.doneOne") : t("member.password.done", { n: sessionsEnded }), "success");
      member.refetch();
      back();
    },
  });
  const { values, field, form } = useFields(EMPTY, request);
  const failed = request.state === "failed" || request.state === "unknown" ? t("member.password.failed") : null;
  return (
    <Screen header={<BackHeader title={t("member.password.title")} fallback="/information/setting" />}>
      <form
        ref={form}
        className={styles.page}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          request.submit(values);
        }}
      >
        {hours !== null && <p className={styles.why}>{t("member.password.intro", { hours })}</p>}
        <TextField {...field("current")} label={t("member.password.current")} type="password" autoComplete="current-password" />
        <NewPassword field={field} label={t("member.forget.newPassword")} />
        <FormTrouble text={request.errorOfForm ?? failed} />
        <Button type="submit" tone="primary" size="large" block busy={request.busy}>
          {t("member.password.submit")}
        </Button>
      </form>
    </Screen>
  );
}
