/** The permanent word that nothing here is real money: a slim strip above every screen and every sheet. */
import { useTranslation } from "react-i18next";
import styles from "./sandbox-mark.module.css";

export function SandboxMark() {
  const { t } = useTranslation();
  return (
    <aside className={styles.mark} aria-label={t("ui.sandbox")}>
      <p>{t("ui.sandbox")}</p>
    </aside>
  );
}
