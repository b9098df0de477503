/** Streaming settings: the data saver. */
import { useTranslation } from "react-i18next";
import { savePreferences, usePreferences } from "#src/streams/preferences.ts";
import { Switch } from "#src/ui/choice.tsx";
import { Section } from "#src/ui/row.tsx";

/** The preference is saved on the server. */
export function Streaming() {
  const { t } = useTranslation();
  const { saveData } = usePreferences();
  return (
    <Section title={t("information.streaming")}>
      <Switch
        label={t("information.dataSaver")}
        hint={t("information.dataSaverHint")}
        on={saveData}
        onSwitch={(on) => void savePreferences({ saveData: on })}
      />
    </Section>
  );
}
