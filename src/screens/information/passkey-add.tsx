/** Adds a passkey: a name and the password, then the browser's own dialog. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { makePasskey } from "#src/gateway/passkey.ts";
import type { PasskeyProblem } from "#src/gateway/passkey.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { passkeys } from "#src/streams/passkeys.ts";
import { Button } from "#src/ui/button.tsx";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./security.module.css";

export function PasskeyAdd() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (open) return <AddForm onEnd={() => setOpen(false)} />;
  return (
    <Button tone="primary" block onClick={() => setOpen(true)}>
      {t("passkey.add")}
    </Button>
  );
}

function AddForm({ onEnd }: { onEnd: () => void }) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<PasskeyProblem | null>(null);
  const [making, setMaking] = useState(false);
  const [unnamed, setUnnamed] = useState(false);
  const adding = useRequest("addPasskey", {
    fields: ["name"],
    onAccepted: () => {
      passkeys.refetch();
      showToast(t("passkey.added"), "success");
      onEnd();
    },
  });
  const starting = useRequest("startPasskey", {
    fields: ["current"],
    onAccepted: (options) => {
      setMaking(true);
      void makePasskey(options).then((made) => {
        setMaking(false);
        setProblem(made.problem);
        if (made.passkey) adding.submit({ name: values.name, passkey: made.passkey });
      });
    },
  });
  const { values, field, form } = useFields({ name: "", current: "" }, starting);
  const named = field("name");
  const failed = starting.state === "failed" || adding.state === "failed" ? t("passkey.notDone") : null;
  return (
    <form
      ref={form}
      className={styles.part}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(null);
        setUnnamed(values.name.trim() === "");
        if (values.name.trim() !== "") starting.submit({ current: values.current });
      }}
    >
      <TextField
        {...named}
        onText={(text) => {
          setUnnamed(false);
          named.onText(text);
        }}
        error={unnamed ? t("refusal.VAL_PASSKEY_NAME") : adding.errorAt("name")}
        label={t("passkey.name")}
        hint={t("passkey.nameHint")}
        maxLength={40}
        autoComplete="off"
        autoFocus
      />
      <TextField {...field("current")} label={t("passkey.password")} type="password" autoComplete="current-password" />
      <FormTrouble text={(problem && t(`passkey.problem.${problem}`)) ?? starting.errorOfForm ?? adding.errorOfForm ?? failed} />
      <div className={styles.actions}>
        <Button onClick={onEnd}>{t("ui.cancel")}</Button>
        <Button type="submit" tone="primary" busy={starting.busy || making || adding.busy}>
          {t("passkey.continue")}
        </Button>
      </div>
    </form>
  );
}
