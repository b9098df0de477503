/** The language choice: stored on this device, applied by reloading the app. */
import { useTranslation } from "react-i18next";
import { chooseLanguage, currentLanguage, LANGUAGES, UNREVIEWED } from "#src/gateway/language.ts";
import type { Language } from "#src/gateway/language.ts";
import { RadioList } from "#src/ui/choice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import styles from "./information.module.css";

export function Languages() {
  const { t } = useTranslation();
  const options = (Object.keys(LANGUAGES) as Language[]).map((value) => ({
    value,
    label: LANGUAGES[value],
    ...(UNREVIEWED.includes(value) ? { hint: t("information.unreviewed") } : {}),
  }));
  return (
    <Screen header={<BackHeader title={t("information.languageTitle")} />}>
      <div className={styles.page}>
        <RadioList label={t("information.languageTitle")} options={options} value={currentLanguage()} onChoose={chooseLanguage} />
        <p className={styles.note}>{t("information.languageNote")}</p>
      </div>
    </Screen>
  );
}
