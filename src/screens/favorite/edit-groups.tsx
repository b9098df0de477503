/** Manages watchlist groups: create, rename, reorder, delete. Refusals show at the name field. */
import { newRequestId } from "#src/gateway/pending-commands.ts";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { MAX_GROUPS } from "#contract/watchlist.ts";
import type { WatchGroup } from "#contract/watchlist.ts";
import { arrangeGroups, removeGroup } from "#src/streams/watchlist.ts";
import { useGroupName } from "#src/screens/quote/names.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, IconButton } from "#src/ui/button.tsx";
import { ReorderList } from "#src/ui/reorder-list.tsx";
import { GroupForm } from "./group-form.tsx";
import type { NamedGroup } from "./group-form.tsx";
import { reportFailure } from "./report-failure.ts";
import styles from "./watchlist-edit.module.css";

const idOf = ({ id }: WatchGroup): string => id;

export function EditGroups({ groups }: { groups: readonly WatchGroup[] }) {
  const { t } = useTranslation();
  const nameOf = useGroupName();
  /** The group whose name is being edited: an existing one, or a new one under a fresh id. */
  const [naming, setNaming] = useState<NamedGroup | null>(null);
  const [removing, setRemoving] = useState<WatchGroup | null>(null);
  const [confirming, setConfirming] = useState(false);
  const foot = useFocusAfterNaming(naming);
  const full = groups.length >= MAX_GROUPS;
  const askToRemove = (group: WatchGroup): void => {
    setRemoving(group);
    setConfirming(true);
  };
  return (
    <>
      <ReorderList
        label={t("favorite.groups")}
        items={groups}
        keyOf={idOf}
        nameOf={nameOf}
        onOrder={async (ids) => reportFailure(await arrangeGroups(ids), t("watchlist.notArranged"))}
        before={naming && <GroupForm key={naming.id} group={naming} onDone={() => setNaming(null)} />}
        renderRow={(group) => (
          <GroupRow
            group={group}
            onRename={() => setNaming({ id: group.id, name: group.name, made: true })}
            onRemove={groups.length > 1 ? () => askToRemove(group) : null}
          />
        )}
        after={<p className={styles.hint}>{full ? t("watchlist.groupsFull", { n: MAX_GROUPS }) : t("ui.moveHint")}</p>}
      />
      {naming === null && (
        <div className={styles.foot} ref={foot} data-one>
          <Button
            tone="primary"
            size="large"
            block
            icon={<Plus size={20} aria-hidden />}
            aria-disabled={full || undefined}
            onClick={() => !full && setNaming({ id: newRequestId(), name: "", made: false })}
          >
            {t("watchlist.newGroup")}
          </Button>
        </div>
      )}
      <RemoveGroupAlert group={removing} open={confirming} onClose={() => setConfirming(false)} />
    </>
  );
}

/**
 * When the name form closes, the focus returns to the rename button of the group it named, or to the button for a new group.
 * @returns the ref of the foot, which holds that button and stands beside the list
 */
function useFocusAfterNaming(naming: NamedGroup | null): RefObject<HTMLDivElement | null> {
  const foot = useRef<HTMLDivElement>(null);
  /** The group named last. */
  const named = useRef<string | null>(null);
  useEffect(() => {
    if (naming) named.current = naming.id;
    else if (named.current !== null) {
      const row = foot.current?.parentElement?.querySelector(`[data-key="${CSS.escape(named.current)}"]`);
      (row ?? foot.current)?.querySelector("button")?.focus();
      named.current = null;
    }
  }, [naming]);
  return foot;
}

/** A group with its size. `onRemove` is null for the last group, which stays. */
function GroupRow({ group, onRename, onRemove }: { group: WatchGroup; onRename: () => void; onRemove: (() => void) | null }) {
  const { t } = useTranslation();
  const name = useGroupName()(group);
  return (
    <div className={styles.group}>
      <span className={styles.texts}>
        <span className={styles.name}>{name}</span>
        <span className={styles.place}>{t("favorite.groupCount", { count: group.codes.length })}</span>
      </span>
      <IconButton label={t("watchlist.rename", { name })} icon={<Pencil size={20} aria-hidden />} onClick={onRename} />
      {onRemove && <IconButton label={t("watchlist.removeGroup", { name })} icon={<Trash2 size={20} aria-hidden />} onClick={onRemove} />}
    </div>
  );
}

/** Confirms removing a group; `group` stays while the alert closes. */
function RemoveGroupAlert({ group, open, onClose }: { group: WatchGroup | null; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const nameOf = useGroupName();
  const [busy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    if (!group) return;
    setBusy(true);
    reportFailure(await removeGroup(group.id), t("operation.OP_DELETE_FAIL"));
    setBusy(false);
    onClose();
  };
  return (
    <Alert
      open={open}
      title={t("watchlist.removeGroupTitle", { name: group ? nameOf(group) : "" })}
      confirm={t("watchlist.delete")}
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{t("watchlist.removeGroupWhy", { count: group?.codes.length ?? 0 })}</p>
    </Alert>
  );
}
