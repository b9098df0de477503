/** The star that adds an instrument to the watchlist or removes it; with several groups it opens a sheet. On the watchlist itself, the dots of the row's menu. */
import { EllipsisVertical, Star } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { setWatched, useWatchlist } from "#src/streams/watchlist.ts";
import { IconButton } from "#src/ui/button.tsx";
import { Switch } from "#src/ui/choice.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { shortName, useGroupName } from "./names.ts";
import { openRowMenu } from "./row-menu-request.ts";
import styles from "./watch-star.module.css";

/** Pressed while the instrument is on the list; changes only after the server has confirmed. */
export function WatchStar({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { groups, has, busy } = useWatchlist();
  const [choosing, setChoosing] = useState(false);
  const { code } = instrument;
  const watched = has(code);
  const choice = groups.length > 1;
  return (
    <>
      <IconButton
        label={t("favorite.watch", { name: shortName(instrument) })}
        icon={<Star size={22} aria-hidden fill={watched ? "currentColor" : "none"} />}
        pressed={watched}
        aria-haspopup={choice ? "dialog" : undefined}
        aria-busy={busy(code) || undefined}
        onClick={() => (choice ? setChoosing(true) : void setWatched(code, !watched))}
      />
      {choice && <GroupSheet instrument={instrument} open={choosing} onClose={() => setChoosing(false)} />}
    </>
  );
}

/** For the watchlist itself, where every star would be filled and a mistap would remove a row: opens the row's menu. */
export function RowDots({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  return (
    <IconButton
      label={t("favorite.menu.of", { name: shortName(instrument) })}
      icon={<EllipsisVertical size={20} aria-hidden />}
      aria-haspopup="dialog"
      onClick={() => openRowMenu(instrument)}
    />
  );
}

/** The groups, each with a switch. */
export function GroupSwitches({ instrument: { code } }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { groups } = useWatchlist();
  const nameOf = useGroupName();
  return (
    <div className={styles.groups}>
      {groups.map((group) => (
        <Switch
          key={group.id}
          label={nameOf(group)}
          hint={t("favorite.groupCount", { count: group.codes.length })}
          on={group.codes.some((one) => one === code)}
          onSwitch={(on) => void setWatched(code, on, group.id)}
        />
      ))}
    </div>
  );
}

/** The groups in a sheet. React events bubble out of the dialog to the row that renders it, so they are stopped here. */
function GroupSheet({ instrument, open, onClose }: { instrument: Instrument; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}>
      <Sheet open={open} onClose={onClose} title={t("favorite.watchIn", { name: shortName(instrument) })}>
        <GroupSwitches instrument={instrument} />
      </Sheet>
    </div>
  );
}
