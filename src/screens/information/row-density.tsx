/** The setting of how dense lists of quotes are. */
import { useTranslation } from "react-i18next";
import { DENSITIES } from "#contract/preference.ts";
import { savePreferences } from "#src/streams/preferences.ts";
import { useDensity } from "#src/screens/quote/density.ts";
import { Segmented } from "#src/ui/choice.tsx";
import { Section } from "#src/ui/row.tsx";
import styles from "./information.module.css";

/** Saved on the server, so that it applies on every device. */
export function RowDensity() {
  const { t } = useTranslation();
  return (
    <Section title={t("information.density")}>
      <div className={styles.inset}>
        <Segmented
          label={t("information.density")}
          options={DENSITIES.map((value) => ({ value, label: t(`information.densities.${value}`) }))}
          value={useDensity()}
          onChoose={(density) => void savePreferences({ density })}
        />
      </div>
    </Section>
  );
}
