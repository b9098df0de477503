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
  const table = useInstruments();
  const place = usePlace();
  const groupName = useGroupName();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  // Codes that were removed from the group meanwhile are no longer ticked.
  const chosen = group.codes.filter((code) => ticked.has(code));
  const all = chosen.length === group.codes.length;
  const nameOf = (code: string): string => {
    const instrument = table?.byCode.get(code);
    return instrument ? shortName(instrument) : code;
  };
  const tick = (code: string, on: boolean): void =>
    setTicked((before) => new Set(on ? [...before, code] : [...before].filter((one) => one !== code)));
  const remove = async (): Promise<void> => {
    setBusy(true);
    const outcome = await removeWatched(group.id, chosen);
    setBusy(false);
    setConfirming(false);
    if (outcome.ok) showToast(t("operation.OP_FAVORITE_REMOVE_OK"), "success");
    reportFailure(outcome, t("operation.OP_FAVORITE_REMOVE_FAIL"));
  };
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
        renderRow={(code) => {
          const instrument = table?.byCode.get(code);
          return (
            <label className={styles.stock}>
              <input
                type="checkbox"
                className={styles.tick}
                checked={ticked.has(code)}
                onChange={(event) => tick(code, event.currentTarget.checked)}
              />
              <span className={styles.texts}>
                <span className={styles.name}>{instrument ? fullName(instrument) : code}</span>
                {instrument && <span className={styles.place}>{place(instrument)}</span>}
              </span>
            </label>
          );
        }}
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
      <Alert
        open={confirming}
        title={t("watchlist.removeTitle", { count: chosen.length, group: groupName(group) })}
        confirm={t("watchlist.remove")}
        busy={busy}
        onConfirm={() => void remove()}
        onClose={() => setConfirming(false)}
      >
        <ul role="list">
          {chosen.slice(0, NAMED).map((code) => (
            <li key={code}>{nameOf(code)}</li>
          ))}
        </ul>
        {chosen.length > NAMED && <p>{t("watchlist.andMore", { count: chosen.length - NAMED })}</p>}
      </Alert>
    </>
  );
}
