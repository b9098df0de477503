/** The devices the member is signed in on: one, or all others, can be signed out. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SignedInDevice } from "#contract/device.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { useMember } from "#src/streams/member.ts";
import { devices, useDevices } from "#src/streams/passkeys.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button } from "#src/ui/button.tsx";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./security.module.css";

export function Devices() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useDevices();
  const skeleton = useSkeleton(value === null && state === "loading");
  const isShared = useMember().value?.shared === true;
  return (
    <Section title={t("device.title")} inset>
      <div className={styles.part}>
        <p className={styles.why}>{t("device.why")}</p>
        {value === null && skeleton && <Skeleton rows={2} />}
        {value === null && state === "failed" && <ErrorState what={t("device.failed")} code={failure ?? ""} onRetry={retry} />}
        {value?.map((device) => (
          <OneDevice key={device.id} device={device} />
        ))}
        {value?.length === 1 && !isShared && <p className={styles.note}>{t("device.only")}</p>}
        {value && value.length > 1 && <Others />}
      </div>
    </Section>
  );
}

function OneDevice({ device: { id, device, address, firstUsedAt, lastUsedAt, isThis } }: { device: SignedInDevice }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const request = useRequest("signOutDevice", { onAccepted: () => devices.refetch() });
  const name = device === "" ? t("device.unknown") : device;
  return (
    <Card label={name}>
      <div className={styles.part}>
        <p className={styles.head}>
          <strong>{name}</strong> {isThis && <span className={styles.tag}>{t("device.this")}</span>}
        </p>
        <FieldList
          fields={[
            { label: t("device.address"), value: address === "" ? "--" : address },
            { label: t("device.firstUsed"), value: formatDateTime(firstUsedAt) },
            { label: t("device.lastUsed"), value: isThis ? t("device.now") : formatDateTime(lastUsedAt) },
          ]}
        />
        <FormTrouble text={request.errorOfForm ?? (request.state === "failed" ? t("passkey.notDone") : null)} />
        {!isThis && (
          <Button tone="danger" aria-label={`${t("device.signOut")} ${name}`} busy={request.busy} onClick={() => setAsking(true)}>
            {t("device.signOut")}
          </Button>
        )}
      </div>
      <Alert
        open={asking}
        title={t("device.signOutTitle", { name })}
        confirm={t("device.signOut")}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          request.submit({ id });
        }}
      >
        <p>{t("device.signOutWhy")}</p>
      </Alert>
    </Card>
  );
}

function Others() {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const request = useRequest("signOutOthers", {
    onAccepted: ({ sessionsEnded }) => {
      devices.refetch();
      showToast(t("device.ended", { n: sessionsEnded }), "success");
    },
  });
  return (
    <>
      <FormTrouble text={request.errorOfForm ?? (request.state === "failed" ? t("passkey.notDone") : null)} />
      <Button tone="danger" block busy={request.busy} onClick={() => setAsking(true)}>
        {t("device.signOutOthers")}
      </Button>
      <Alert
        open={asking}
        title={t("device.signOutOthers")}
        confirm={t("device.signOutOthers")}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          request.submit({});
        }}
      >
        <p>{t("device.signOutWhy")}</p>
      </Alert>
    </>
  );
}
