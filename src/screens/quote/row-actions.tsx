/** The quick actions of every quote row: the keys that a swipe uncovers, and the menu of a long press or of the row's dots. */
import { Bell, ChevronRight } from "lucide-react";
import { useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { useObservableEagerState } from "observable-hooks";
import type { Instrument } from "#contract/instrument.ts";
import { useWatchlist } from "#src/streams/watchlist.ts";
import { Button } from "#src/ui/button.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { AlertSheet } from "./alert-sheet.tsx";
import { rememberDetail, ticketPath } from "./detail-link.ts";
import type { TicketSide } from "./detail-link.ts";
import { fullName } from "./names.ts";
import { rowMenu$ } from "./row-menu-request.ts";
import { useRowGestures } from "./use-row-gestures.ts";
import { GroupSwitches } from "./watch-star.tsx";
import styles from "./row-actions.module.css";

const SIDES = [
  { side: "buy", tone: "up" },
  { side: "sell", tone: "down" },
] as const;

/** Opens the ticket of an instrument on its detail. */
function useTrade(): (instrument: Instrument, side: TicketSide) => void {
  const navigate = useNavigate();
  return (instrument, side) => {
    rememberDetail(instrument);
    void navigate(ticketPath(instrument.code, side));
  };
}

/** One for the whole app. */
export function RowActions() {
  const { t } = useTranslation();
  const trade = useTrade();
  const [swiped, close] = useRowGestures();
  const menu = useObservableEagerState(rowMenu$);
  // Keeps its content while it closes.
  const [shown, setShown] = useState<Instrument | null>(menu);
  if (menu !== null && menu !== shown) setShown(menu);
  return (
    <>
      {swiped &&
        createPortal(
          <span className={styles.keys} data-row-keys="" role="group" aria-label={fullName(swiped.instrument)}>
            {SIDES.map(({ side, tone }) => (
              <button
                key={side}
                type="button"
                className={styles.key}
                data-tone={tone}
                onClick={() => {
                  close();
                  trade(swiped.instrument, side);
                }}
              >
                {t(`favorite.menu.${side}`)}
              </button>
            ))}
          </span>,
          swiped.row,
        )}
      {shown && <RowMenu key={shown.code} instrument={shown} open={menu !== null} onClose={() => rowMenu$.next(null)} />}
    </>
  );
}

function RowMenu({ instrument, open, onClose }: { instrument: Instrument; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const trade = useTrade();
  const { groups } = useWatchlist();
  const [alerting, setAlerting] = useState(false);
  return (
    <Sheet open={open} onClose={onClose} title={`${fullName(instrument)} ${instrument.code}`}>
      <div className={styles.menu}>
        {instrument.tradable && (
          <div className={styles.sides}>
            {SIDES.map(({ side, tone }) => (
              <Button
                key={side}
                tone={tone}
                size="large"
                block
                onClick={() => {
                  onClose();
                  trade(instrument, side);
                }}
              >
                {t(`favorite.menu.${side}`)}
              </Button>
            ))}
          </div>
        )}
        <button type="button" className={styles.alert} aria-haspopup="dialog" onClick={() => setAlerting(true)}>
          <Bell size={20} aria-hidden />
          <span>{t("favorite.menu.alert")}</span>
          <ChevronRight size={18} aria-hidden />
        </button>
        {groups.length > 0 && <h3 className={styles.lists}>{t("favorite.menu.lists")}</h3>}
        <GroupSwitches instrument={instrument} />
      </div>
      <AlertSheet instrument={instrument} open={alerting} onClose={() => setAlerting(false)} />
    </Sheet>
  );
}
