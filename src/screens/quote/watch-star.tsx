/** The star that puts an instrument on the watchlist and takes it off. */
import { Star } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { setWatched, useWatchlist } from "#src/streams/watchlist.ts";
import { IconButton } from "#src/ui/button.tsx";
import { fullName } from "./names.ts";

/** Pressed while the instrument is on the list; waits for the desk's word before it changes. */
export function WatchStar({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { has, busy } = useWatchlist();
  const watched = has(instrument.code);
  return (
    <IconButton
      label={t("favorite.watch", { name: fullName(instrument) })}
      icon={<Star size={22} aria-hidden fill={watched ? "currentColor" : "none"} />}
      pressed={watched}
      aria-busy={busy(instrument.code) || undefined}
      onClick={() => void setWatched(instrument.code, !watched)}
    />
  );
}
