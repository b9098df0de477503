/** The language choice: stored on this device, and applied by a button, because applying reloads the app. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, currentLanguage, LANGUAGES, UNREVIEWED } from "#src/gateway/language.ts";
import type { Language } from "#src/gateway/language.ts";
import { Button } from "#src/ui/button.tsx";
import { RadioList } from "#src/ui/choice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import styles from "./information.module.css";

export function Languages() {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(currentLanguage);
  const same = chosen === currentLanguage();
  const options = (Object.keys(LANGUAGES) as Language[]).map((value) => ({
    value,
    label: LANGUAGES[value],
    lang: value,
    ...(UNREVIEWED.includes(value) ? { hint: t("information.unreviewed") } : {}),
  }));
  return (
    <Screen header={<BackHeader title={t("information.languageTitle")} />}>
      <div className={styles.page}>
        <RadioList label={t("information.languageTitle")} options={options} value={chosen} onChoose={setChosen} />
        <p className={styles.note}>{t("information.languageNote")}</p>
        <div className={styles.inset}>
          <Button tone="primary" size="large" block aria-disabled={same || undefined} onClick={() => chooseLanguage(chosen)}>
            {t("information.languageApply")}
          </Button>
        </div>
      </div>
    </Screen>
  );
}
