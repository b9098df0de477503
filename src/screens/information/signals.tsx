/** How the member learns of fills, forced closes and alerts on this device: notifications, sound and vibration. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { askToNotify, notificationPermission } from "#src/gateway/notification.ts";
import { startPush, stopPush } from "#src/gateway/push.ts";
import { haptic } from "#src/gateway/shell.ts";
import { playTone } from "#src/gateway/sound.ts";
import { savePreferences, usePreferences } from "#src/streams/preferences.ts";
import { Switch } from "#src/ui/choice.tsx";
import { Section } from "#src/ui/row.tsx";

/** The preferences are saved on the server. Notifications also need the device's permission, requested on the tap. */
export function Signals() {
  const { t } = useTranslation();
  const { notify, sound, vibrate } = usePreferences();
  const [permission, setPermission] = useState(notificationPermission);
  const switchNotify = async (on: boolean): Promise<void> => {
    const result = on && permission === "ask" ? await askToNotify() : permission;
    setPermission(result);
    const allowed = on && result === "granted";
    await savePreferences({ notify: allowed });
    await (allowed ? startPush() : stopPush());
  };
  // A sample of what is switched on.
  const switchSound = (on: boolean): void => {
    if (on) void playTone("fill").catch(() => undefined);
    void savePreferences({ sound: on });
  };
  const switchVibrate = (on: boolean): void => {
    if (on) haptic("success");
    void savePreferences({ vibrate: on });
  };
  const refused = permission === "denied" || permission === "unsupported";
  const hint = permission === "denied" ? "notifyDenied" : permission === "unsupported" ? "notifyUnsupported" : "notifyHint";
  return (
    <Section title={t("information.signals")}>
      <Switch
        label={t("information.notify")}
        hint={t(`information.${hint}`)}
        on={notify && permission === "granted"}
        disabled={refused}
        onSwitch={(on) => void switchNotify(on)}
      />
      <Switch label={t("information.soundRow")} hint={t("information.soundHint")} on={sound} onSwitch={switchSound} />
      <Switch label={t("information.vibrateRow")} hint={t("information.vibrateHint")} on={vibrate} onSwitch={switchVibrate} />
    </Section>
  );
}
