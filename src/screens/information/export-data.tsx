/** The export of all own data as one archive; it asks for the sign-in password. */
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EXPORTS_A_DAY } from "#contract/privacy.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { saveFile } from "#src/gateway/shell.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { Button } from "#src/ui/button.tsx";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import { Section } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./funding.module.css";

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

export function ExportData() {
  const { t } = useTranslation();
  const request = useRequest("exportData", {
    fields: ["current"],
    onAccepted: ({ name, base64 }) => {
      saveFile(name, "application/zip", bytesOf(base64));
      showToast(t("privacy.exported", { name }), "success");
      clear();
    },
  });
  const { values, field, form, clear } = useFields({ current: "" }, request);
  const failed = request.state === "failed" || request.state === "unknown" ? t("privacy.exportFailed") : null;
  return (
    <Section title={t("privacy.export")} inset>
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          request.submit(values);
        }}
      >
        <p className={styles.note}>{t("privacy.exportWhy", { times: EXPORTS_A_DAY })}</p>
        <TextField {...field("current")} label={t("privacy.password")} type="password" autoComplete="current-password" />
        <FormTrouble text={request.errorOfForm ?? failed} />
        <Button type="submit" icon={<Download size={18} aria-hidden />} size="large" block busy={request.busy}>
          {t("privacy.download")}
        </Button>
      </form>
    </Section>
  );
}
