/** The name field of a new or renamed group, at the top of the list, with its error below. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { GroupName } from "#contract/watchlist.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { saveGroup } from "#src/streams/watchlist.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./watchlist-edit.module.css";

/** The group being named; `made` when it already exists. */
export interface NamedGroup {
  id: string;
  name: string;
  made: boolean;
}

/** Validates with the contract's own schema; submitting again names or creates the same group. */
export function GroupForm({ group, onDone }: { group: NamedGroup; onDone: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(group.name);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = (): HTMLInputElement | null => form.current?.querySelector("input") ?? null;
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const showError = (text: string): void => {
    setError(text);
    field()?.focus();
  };
  const submit = async (): Promise<void> => {
    if (busy) return;
    if (!GroupName.safeParse(name).success) return showError(t("refusal.VAL_GROUP_NAME"));
    setBusy(true);
    const outcome = await saveGroup(group.id, name);
    setBusy(false);
    if (outcome.ok) return onDone();
    showError(outcome.refused ? refusalTextNow(outcome.refused) : t("operation.OP_SAVE_FAIL"));
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
