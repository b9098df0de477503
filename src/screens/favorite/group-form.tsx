/** The name of a group, new or renamed: a field at the top of the list, with what is wrong beneath it. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { GroupName } from "#contract/watchlist.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { saveGroup } from "#src/streams/watchlist.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./watchlist-edit.module.css";

/** A group to be named; `made` when it exists already. */
export interface NamedGroup {
  id: string;
  name: string;
  made: boolean;
}

/** Checked by the very schema the desk uses; a repeated try names or makes the same group. */
export function GroupForm({ group, onDone }: { group: NamedGroup; onDone: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(group.name);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = (): HTMLInputElement | null => form.current?.querySelector("input") ?? null;
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const refuse = (text: string): void => {
    setError(text);
    field()?.focus();
  };
  const submit = async (): Promise<void> => {
    if (busy) return;
    if (!GroupName.safeParse(name).success) return refuse(t("refusal.VAL_GROUP_NAME"));
    setBusy(true);
    const outcome = await saveGroup(group.id, name);
    setBusy(false);
    if (outcome.ok) return onDone();
    refuse(outcome.refused ? refusalTextNow(outcome.refused) : t("operation.OP_SAVE_FAIL"));
  };
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => event.key === "Escape" && !busy && onDone()}
    >
      <TextField
        label={group.made ? t("watchlist.groupName") : t("watchlist.newGroupName")}
        value={name}
        onText={(text) => {
          setName(text);
          setError(null);
        }}
        error={error}
        maxLength={20}
        autoComplete="off"
        enterKeyHint="done"
      />
      <div className={styles.answers}>
        <Button aria-disabled={busy || undefined} onClick={() => !busy && onDone()}>
          {t("ui.cancel")}
        </Button>
        <Button type="submit" tone="primary" busy={busy}>
          {t("watchlist.save")}
        </Button>
      </div>
    </form>
  );
}
