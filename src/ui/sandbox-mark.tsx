/** The permanent notice that no real money is involved: a slim strip above every screen and sheet. */
import { useTranslation } from "react-i18next";
import styles from "./sandbox-mark.module.css";

export function SandboxMark({ simulated }: { simulated: boolean }) {
  const { t } = useTranslation();
  const word = simulated ? t("ui.sandbox") : t("ui.paper");
  return (
    <aside className={styles.mark} aria-label={word}>
      <p>{word}</p>
    </aside>
  );
}
