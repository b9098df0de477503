/** Real-name verification: name, ID number and both photos; then the state of the review, and the reason of a rejection. */
import { BadgeCheck, Hourglass } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Identity } from "#contract/identity.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import { identity as identityResource, useIdentity, usePhoto } from "#src/streams/identity.ts";
import { member } from "#src/streams/member.ts";
import { useRules } from "#src/streams/rules.ts";
import { Button } from "#src/ui/button.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { BlockedNotice, EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { PhotoUpload } from "./photo-upload.tsx";
import styles from "./secret.module.css";

const FIELDS = ["name", "idNumber", "front", "back"] as const;

/** `/information/authInfo` */
export function IdentityPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useIdentity();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("member.identity.title")} fallback="/information/index" />}>
      {!value && skeleton && <Skeleton rows={6} />}
      {!value && state === "failed" && <ErrorState what={t("member.identity.loadFailed")} code={failure ?? ""} onRetry={retry} />}
      {value && (value.status === "unverified" || value.status === "rejected" ? <Form known={value} /> : <Status known={value} />)}
    </Screen>
  );
}

/** Under review or verified. */
function Status({ known }: { known: Identity }) {
  const { t } = useTranslation();
  const verified = known.status === "verified";
  const fields = [
    { label: t("member.identity.name"), value: known.name },
    { label: t("login.idNumber"), value: known.idNumber },
    ...(known.submittedAt === null ? [] : [{ label: t("member.identity.submittedAt"), value: formatDateTime(known.submittedAt) }]),
  ];
  return (
    <div className={styles.page}>
      <EmptyState
        icon={verified ? <BadgeCheck size={40} aria-hidden /> : <Hourglass size={40} aria-hidden />}
        title={t(verified ? "member.identity.verified" : "member.identity.underReview")}
        why={t(verified ? "member.identity.verifiedWhy" : "member.identity.underReviewWhy")}
        {...(verified ? { action: { label: t("information.setup"), to: "/login/loginAfter" } } : {})}
      />
      <FieldList fields={fields} />
      {known.front !== null && <OwnPhoto id={known.front} label={t("member.identity.front")} />}
      {known.back !== null && <OwnPhoto id={known.back} label={t("member.identity.back")} />}
    </div>
  );
}

/** A photo as the broker keeps it. */
function OwnPhoto({ id, label }: { id: string; label: string }) {
  const url = usePhoto(id);
  return url === null ? null : <img className={styles.photo} src={url} alt={label} />;
}

function Form({ known }: { known: Identity }) {
  const { t } = useTranslation();
  const days = useRules().value?.account.photoDays ?? null;
  const [photos, setPhotos] = useState<{ front: string | null; back: string | null }>({ front: null, back: null });
  const request = useRequest("submitIdentity", {
    fields: FIELDS,
    onAccepted: (next) => {
      identityResource.change(() => next);
      member.refetch();
    },
  });
  const { values, field, form } = useFields({ name: known.name, idNumber: known.idNumber }, request);
  const take = (side: "front" | "back") => (id: string | null) => {
    setPhotos((before) => ({ ...before, [side]: id }));
    if (id !== null) request.edit(side);
  };
  const failed = request.state === "failed" || request.state === "unknown" ? t("member.identity.failed") : null;
  return (
    <form
      ref={form}
      className={styles.page}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ ...values, front: photos.front ?? "", back: photos.back ?? "" });
      }}
    >
      {known.reason !== null && <BlockedNotice title={t("member.identity.rejected")} why={t(`message.identity.reason.${known.reason}`)} />}
      <p className={styles.why}>{t("member.identity.intro")}</p>
      <TextField {...field("name")} label={t("member.identity.name")} autoComplete="name" maxLength={40} />
      <TextField {...field("idNumber")} label={t("login.idNumber")} autoCapitalize="characters" spellCheck={false} maxLength={20} />
      <PhotoUpload
        label={t("member.identity.front")}
        hint={t("member.identity.photoHint")}
        error={request.errorAt("front")}
        onChange={take("front")}
      />
      <PhotoUpload
        label={t("member.identity.back")}
        hint={t("member.identity.photoHint")}
        error={request.errorAt("back")}
        onChange={take("back")}
      />
      {days !== null && <p className={styles.why}>{t("member.identity.private", { days })}</p>}
      <FormTrouble text={request.errorOfForm ?? failed} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("member.identity.submit")}
      </Button>
    </form>
  );
}
