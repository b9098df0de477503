/** Tells the visitors of a shared demo account that it is shared. */
import { useTranslation } from "react-i18next";
import { useMember } from "#src/streams/member.ts";
import styles from "./information.module.css";

export function SharedNote() {
  const { t } = useTranslation();
  return useMember().value?.shared === true && <p className={styles.note}>{t("information.shared")}</p>;
}
