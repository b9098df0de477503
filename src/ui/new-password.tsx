/** The fields of new secrets, the same wherever a member chooses them: the password with its repetition, and the guarantee code. */
import { useTranslation } from "react-i18next";
import { TextField } from "./text-field.tsx";
import type { TextFieldProps } from "./text-field.tsx";

type Field = Pick<TextFieldProps, "name" | "value" | "error" | "onText">;

export function NewPassword({ field, label }: { field: (name: "password" | "confirmation") => Field; label: string }) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        {...field("password")}
        label={label}
        hint={t("member.register.passwordHint")}
        type="password"
        autoComplete="new-password"
      />
      <TextField {...field("confirmation")} label={t("member.register.confirm")} type="password" autoComplete="new-password" />
    </>
  );
}

export function NewGuaranteeCode({ field, label }: { field: Field; label: string }) {
  const { t } = useTranslation();
  return (
    <TextField {...field} label={label} hint={t("member.register.guaranteeHint")} inputMode="numeric" autoComplete="off" maxLength={6} />
  );
}
