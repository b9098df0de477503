/** The sign-in form: ID number, password, guarantee code; errors show at their field. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRequest } from "#src/actors/request.ts";
import { enterSession } from "#src/actors/session.ts";
import { read, remove, write } from "#src/gateway/storage.ts";
import { Button } from "#src/ui/button.tsx";
import { Checkbox } from "#src/ui/choice.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./login.module.css";

const FIELDS = ["idNumber", "password", "guaranteeCode"] as const;
type FieldName = (typeof FIELDS)[number];

export interface SignInFormProps {
  /** The remembered ID number: shown and fixed, so that only the secrets are entered. */
  fixedId?: string;
}

/** The form. On success the session starts and the app shell redirects. */
export function SignInForm({ fixedId }: SignInFormProps) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => ({ idNumber: fixedId ?? read("rembInfo")?.idNumber ?? "", password: "", guaranteeCode: "" }));
  const [remembers, setRemembers] = useState(() => read("rembInfo") !== null);
  const request = useRequest("signIn", {
    fields: FIELDS,
    onAccepted: (session) => {
      if (remembers) write("rembInfo", { idNumber: values.idNumber.trim().toUpperCase() });
      else remove("rembInfo");
      enterSession(session);
    },
  });
  const invalid = request.problems.length > 0 || request.refusal !== null;
  useEffect(() => {
    if (invalid) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [invalid]);
  const field = (name: FieldName) => ({
    name,
    value: values[name],
    error: request.errorAt(name),
    onText: (text: string) => {
      setValues((before) => ({ ...before, [name]: text }));
      request.edit(name);
    },
  });
  const formError = request.errorOfForm ?? (request.state === "failed" ? t("login.failed") : null);
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
      {fixedId === undefined && (
        <TextField
          {...field("idNumber")}
          label={t("login.idNumber")}
          hint={t("login.idHint")}
          autoComplete="username"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          maxLength={20}
        />
      )}
      <TextField {...field("password")} label={t("login.password")} type="password" autoComplete="current-password" enterKeyHint="next" />
      <TextField
        {...field("guaranteeCode")}
        label={t("login.guaranteeCode")}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
      />
      <Checkbox label={t("login.remember")} on={remembers} onCheck={setRemembers} />
      <div role="alert">{formError !== null && <p className={styles.trouble}>{formError}</p>}</div>
      <Button type="submit" tone="primary" size="large" block busy={request.busy} aria-disabled={request.state === "coolingDown"}>
        {request.state === "coolingDown" ? t("login.coolDown") : t("login.submit")}
      </Button>
    </form>
  );
}
