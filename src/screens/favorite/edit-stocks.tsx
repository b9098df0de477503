/** Edits the instruments of one group: reorder by drag or keys, remove several at once. */
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WatchGroup } from "#contract/watchlist.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { arrangeWatch, removeWatched } from "#src/streams/watchlist.ts";
import { fullName, shortName, useGroupName, usePlace } from "#src/screens/quote/names.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button } from "#src/ui/button.tsx";
import { ReorderList } from "#src/ui/reorder-list.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import { reportFailure } from "./report-failure.ts";
import styles from "./watchlist-edit.module.css";

const itself = (code: string): string => code;
/** How many instruments the confirmation lists by name. */
const NAMED = 5;

export function EditStocks({ group }: { group: WatchGroup }) {
  const { t } = useTranslation();
  const nameOf = useShortName();
  const groupName = useGroupName();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [confirming, setConfirming] = useState(false);
  // Codes that were removed from the group meanwhile are no longer ticked.
  const chosen = group.codes.filter((code) => ticked.has(code));
  const all = chosen.length === group.codes.length;
  const tick = (code: string, on: boolean): void =>
    setTicked((before) => new Set(on ? [...before, code] : [...before].filter((one) => one !== code)));
  if (group.codes.length === 0) {
    return (
      <EmptyState
        title={t("watchlist.emptyGroup")}
        why={t("favorite.noneWhy")}
        action={{ label: t("favorite.find"), to: "/favorite/search" }}
      />
    );
  }
  return (
    <>
      <ReorderList
        label={groupName(group)}
        items={group.codes}
        keyOf={itself}
        nameOf={nameOf}
        onOrder={async (codes) => reportFailure(await arrangeWatch(group.id, codes), t("watchlist.notArranged"))}
        renderRow={(code) => <StockTick code={code} ticked={ticked.has(code)} onTick={(on) => tick(code, on)} />}
      />
      <div className={styles.foot}>
        <Button tone="quiet" onClick={() => setTicked(new Set(all ? [] : group.codes))}>
          {all ? t("watchlist.tickNone") : t("watchlist.tickAll")}
        </Button>
        <Button
          tone="danger"
          icon={<Trash2 size={20} aria-hidden />}
          aria-disabled={chosen.length === 0 || undefined}
          onClick={() => chosen.length > 0 && setConfirming(true)}
        >
          {chosen.length === 0 ? t("watchlist.remove") : t("watchlist.removeCount", { count: chosen.length })}
        </Button>
      </div>
      <RemoveStocksAlert group={group} codes={chosen} open={confirming} onClose={() => setConfirming(false)} />
    </>
  );
}

/** The short name of an instrument by its code; the code itself while the table is loading. */
function useShortName(): (code: string) => string {
  const table = useInstruments();
  return (code) => {
    const instrument = table?.byCode.get(code);
    return instrument ? shortName(instrument) : code;
  };
}

/** An instrument with the checkbox that chooses it. */
function StockTick({ code, ticked, onTick }: { code: string; ticked: boolean; onTick: (on: boolean) => void }) {
  const place = usePlace();
  const instrument = useInstruments()?.byCode.get(code);
  return (
    <label className={styles.stock}>
      <input type="checkbox" className={styles.tick} checked={ticked} onChange={(event) => onTick(event.currentTarget.checked)} />
      <span className={styles.texts}>
        <span className={styles.name}>{instrument ? fullName(instrument) : code}</span>
        {instrument && <span className={styles.place}>{place(instrument)}</span>}
      </span>
    </label>
  );
}

interface RemoveStocksAlertProps {
  group: WatchGroup;
  /** The instruments to remove. */
  codes: readonly string[];
  open: boolean;
  onClose: () => void;
}

/** Confirms removing instruments from a group. */
function RemoveStocksAlert({ group, codes, open, onClose }: RemoveStocksAlertProps) {
  const { t } = useTranslation();
  const nameOf = useShortName();
  const groupName = useGroupName();
  const [busy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    const outcome = await removeWatched(group.id, codes);
    setBusy(false);
    onClose();
    if (outcome.ok) showToast(t("operation.OP_FAVORITE_REMOVE_OK"), "success");
    reportFailure(outcome, t("operation.OP_FAVORITE_REMOVE_FAIL"));
  };
  return (
    <Alert
      open={open}
      title={t("watchlist.removeTitle", { count: codes.length, group: groupName(group) })}
      confirm={t("watchlist.remove")}
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <ul role="list">
        {codes.slice(0, NAMED).map((code) => (
          <li key={code}>{nameOf(code)}</li>
        ))}
      </ul>
      {codes.length > NAMED && <p>{t("watchlist.andMore", { count: codes.length - NAMED })}</p>}
    </Alert>
  );
}
