/** Streaming settings: data saver, and notifications on this device. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { askToNotify, notificationPermission } from "#src/gateway/notification.ts";
import { savePreferences, usePreferences } from "#src/streams/preferences.ts";
import { Switch } from "#src/ui/choice.tsx";
import { Section } from "#src/ui/row.tsx";

/** The preferences are saved on the server. Notifications also need the device's permission, requested on the tap. */
export function Streaming() {
  const { t } = useTranslation();
  const { saveData, notify } = usePreferences();
  const [permission, setPermission] = useState(notificationPermission);
  const switchNotify = async (on: boolean): Promise<void> => {
    const result = on && permission === "ask" ? await askToNotify() : permission;
    setPermission(result);
    await savePreferences({ notify: on && result === "granted" });
  };
  const refused = permission === "denied" || permission === "unsupported";
  const hint = permission === "denied" ? "notifyDenied" : permission === "unsupported" ? "notifyUnsupported" : "notifyHint";
  return (
    <Section title={t("information.streaming")}>
      <Switch
        label={t("information.dataSaver")}
        hint={t("information.dataSaverHint")}
        on={saveData}
        onSwitch={(on) => void savePreferences({ saveData: on })}
      />
      <Switch
        label={t("information.notify")}
        hint={t(`information.${hint}`)}
        on={notify && permission === "granted"}
        disabled={refused}
        onSwitch={(on) => void switchNotify(on)}
      />
    </Section>
  );
}
