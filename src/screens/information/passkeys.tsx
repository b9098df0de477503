/** The member's passkeys in the settings: each can be renamed and removed, and another one added. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import { PASSKEYS_KEPT } from "#contract/passkey.ts";
import type { Passkey } from "#contract/passkey.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { canUsePasskeys } from "#src/gateway/passkey.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { useMember } from "#src/streams/member.ts";
import { passkeys, usePasskeys } from "#src/streams/passkeys.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button } from "#src/ui/button.tsx";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { PasskeyAdd } from "./passkey-add.tsx";
import styles from "./security.module.css";

export function Passkeys() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = usePasskeys();
  const skeleton = useSkeleton(value === null && state === "loading");
  const isShared = useMember().value?.shared === true;
  const isFull = (value?.length ?? 0) >= PASSKEYS_KEPT;
  return (
    <Section title={t("passkey.title")} inset>
      <div className={styles.part}>
        <p className={styles.why}>{t("passkey.why")}</p>
        {value === null && skeleton && <Skeleton rows={2} />}
        {value === null && state === "failed" && <ErrorState what={t("passkey.failed")} code={failure ?? ""} onRetry={retry} />}
        {value?.length === 0 && <p className={styles.note}>{t("passkey.none")}</p>}
        {value?.map((passkey) => (
          <OnePasskey key={passkey.id} passkey={passkey} />
        ))}
        {isFull && <p className={styles.note}>{t("refusal.GEN_LIST_FULL", { n: PASSKEYS_KEPT })}</p>}
        {!canUsePasskeys() && <p className={styles.note}>{t("passkey.unsupported")}</p>}
        {value !== null && !isFull && !isShared && canUsePasskeys() && <PasskeyAdd />}
      </div>
    </Section>
  );
}

function OnePasskey({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation();
  const [step, setStep] = useState<"shown" | "renaming" | "removing">("shown");
  const isShared = useMember().value?.shared === true;
  const removal = useRequest("removePasskey", {
    onAccepted: () => {
      passkeys.refetch();
      showToast(t("operation.OP_DELETE_OK"), "success");
    },
  });
  const { id, name, addedAt, lastUsedAt, synced } = passkey;
  return (
    <Card label={name}>
      <div className={styles.part}>
        <FieldList
          fields={[
            { label: t("passkey.name"), value: name },
            { label: t("passkey.addedAt"), value: formatDateTime(addedAt) },
            { label: t("passkey.lastUsed"), value: lastUsedAt === null ? t("passkey.unused") : formatDateTime(lastUsedAt) },
            { label: t("passkey.where"), value: t(synced ? "passkey.synced" : "passkey.single") },
          ]}
        />
        <FormTrouble text={removal.errorOfForm ?? (removal.state === "failed" ? t("passkey.notDone") : null)} />
        {step === "renaming" && <Renaming passkey={passkey} onEnd={() => setStep("shown")} />}
        {step !== "renaming" && !isShared && (
          <div className={styles.actions}>
            <Button onClick={() => setStep("renaming")}>{t("passkey.rename")}</Button>
            <Button tone="danger" busy={removal.busy} onClick={() => setStep("removing")}>
              {t("passkey.remove")}
            </Button>
          </div>
        )}
      </div>
      <Alert
        open={step === "removing"}
        title={t("passkey.removeTitle", { name })}
        confirm={t("passkey.remove")}
        onClose={() => setStep("shown")}
        onConfirm={() => {
          setStep("shown");
          removal.submit({ id });
        }}
      >
        <p>{t("passkey.removeWhy")}</p>
      </Alert>
    </Card>
  );
}

function Renaming({ passkey: { id, name }, onEnd }: { passkey: Passkey; onEnd: () => void }) {
  const { t } = useTranslation();
  const request = useRequest("renamePasskey", {
    fields: ["name"],
    onAccepted: () => {
      passkeys.refetch();
      onEnd();
    },
  });
  const { values, field, form } = useFields({ name }, request);
  return (
    <form
      ref={form}
      className={styles.part}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ id, name: values.name });
      }}
    >
      <TextField {...field("name")} label={t("passkey.name")} maxLength={40} autoComplete="off" autoFocus />
      <FormTrouble text={request.errorOfForm ?? (request.state === "failed" ? t("passkey.notDone") : null)} />
      <div className={styles.actions}>
        <Button onClick={onEnd}>{t("ui.cancel")}</Button>
        <Button type="submit" tone="primary" busy={request.busy}>
          {t("passkey.save")}
        </Button>
      </div>
    </form>
  );
}
