/** The channel password: set or replaced with the sign-in password, beside the deposit that asks for it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { depositing } from "#src/streams/deposits.ts";
import { Button } from "#src/ui/button.tsx";
import { Card } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { FundingError } from "./funding-error.tsx";
import styles from "./funding.module.css";

/** Open at once where none is set, and otherwise behind a button. */
export function ChannelPasswordSection({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(!isSet);
  return (
    <Card label={t("deposit.password.title")}>
      <div className={styles.form}>
        <h2 className={styles.blockedTitle}>{t("deposit.password.title")}</h2>
        <p className={styles.note}>{t("deposit.password.intro")}</p>
        {open ? (
          <PasswordForm onDone={() => setOpen(false)} />
        ) : (
          <Button onClick={() => setOpen(true)}>{t(isSet ? "deposit.password.change" : "deposit.password.set")}</Button>
        )}
      </div>
    </Card>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const request = useRequest("setChannelPassword", {
    fields: ["current", "channelPassword", "confirmation"],
    onAccepted: () => {
      depositing.change((known) => ({ ...known, channelPassword: true }));
      showToast(t("deposit.password.done"), "success");
      onDone();
    },
  });
  const { values, field, form } = useFields({ current: "", channelPassword: "", confirmation: "" }, request);
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
      <TextField {...field("current")} type="password" autoComplete="current-password" label={t("deposit.password.signIn")} />
      <TextField {...field("channelPassword")} type="password" autoComplete="off" maxLength={20} label={t("deposit.password.new")} />
      <TextField {...field("confirmation")} type="password" autoComplete="off" maxLength={20} label={t("deposit.password.confirm")} />
      <FundingError request={request} />
      <Button type="submit" block busy={request.busy}>
        {t("deposit.password.set")}
      </Button>
    </form>
  );
}
