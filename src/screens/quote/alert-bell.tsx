/** The bell of an instrument: leads to its price alerts, and is filled while one of them waits. */
import { Bell } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { useAlerts } from "#src/streams/alerts.ts";
import { IconButton } from "#src/ui/button.tsx";
import { fullName } from "./names.ts";

/** Beside the star in a head; the sheet it opens is its screen's, because a head holds no dialogs. */
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
