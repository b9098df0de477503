/** The member's invitation code, and the QR code of the link that opens registration with it. */
import { useTranslation } from "react-i18next";
import { brokerOrigin, copyText } from "#src/gateway/shell.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { Button } from "#src/ui/button.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { QrCode } from "./qr-code.tsx";
import styles from "./agent.module.css";

/** The address that opens registration with a code. */
export const invitationLink = (code: string): string => `${brokerOrigin()}/#${pathTo("/login/register", { code })}`;

export function Invitation({ code }: { code: string | null }) {
  const { t } = useTranslation();
  if (code === null) {
    return (
      <Section title={t("agency.code")} inset>
        <p>{t("agency.noCode")}</p>
      </Section>
    );
  }
  const link = invitationLink(code);
  const copy = (text: string): void =>
    void copyText(text).then((copied) => showToast(t(copied ? "agency.copied" : "agency.notCopied"), copied ? "success" : "danger"));
  return (
    <Section title={t("agency.code")} inset>
      <Card label={t("agency.code")}>
        <div className={styles.invitation}>
          <p className={styles.code}>{code}</p>
          <p className={styles.note}>{t("agency.codeWhy")}</p>
          <QrCode text={link} label={t("agency.qr")} pixels={256} />
          <div className={styles.actions}>
            <Button onClick={() => copy(code)}>{t("agency.copyCode")}</Button>
            <Button onClick={() => copy(link)}>{t("agency.copyLink")}</Button>
          </div>
        </div>
      </Card>
    </Section>
  );
}
