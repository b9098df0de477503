/** The bell button of an instrument: opens its price alerts, and is filled while one of them is waiting. */
import { Bell } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { useAlerts } from "#src/streams/alerts.ts";
import { IconButton } from "#src/ui/button.tsx";
import { fullName } from "./names.ts";

/** Shown next to the star in a header; the sheet belongs to the screen, because a header contains no dialogs. */
export function AlertBell({ instrument, onOpen }: { instrument: Instrument; onOpen: () => void }) {
  const { t } = useTranslation();
  const { value } = useAlerts();
  const waiting = value?.some((alert) => alert.code === instrument.code && alert.status === "waiting") === true;
  return (
    <IconButton
      label={t(waiting ? "alert.openWaiting" : "alert.open", { name: fullName(instrument) })}
      icon={<Bell size={22} aria-hidden fill={waiting ? "currentColor" : "none"} />}
      aria-haspopup="dialog"
      onClick={onOpen}
    />
  );
}
