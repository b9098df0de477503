/** The sandbox's stand-in for a phone: shows a one-time code where the server sends none, plainly marked as such. */
import { Smartphone } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import styles from "./form.module.css";

export function SandboxPhone({ code, onUse }: { code: string | null; onUse: (code: string) => void }) {
  const { t } = useTranslation();
  if (code === null) return null;
  return (
    <section className={styles.phone} aria-label={t("member.phone.title")}>
      <p className={styles.phoneTitle}>
        <Smartphone size={20} aria-hidden />
        {t("member.phone.title")}
      </p>
      <p className={styles.why}>{t("member.phone.text")}</p>
      <Button onClick={() => onUse(code)}>{t("member.phone.use", { code })}</Button>
    </section>
  );
}
