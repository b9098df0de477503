/** The proof of a deposit: one photo, uploaded before the deposit is submitted. */
import { useTranslation } from "react-i18next";
import { useUpload } from "#src/actors/upload.ts";
import { Uploader } from "#src/ui/uploader.tsx";

/** `onChange` is told the photo's id once it is uploaded, and null when another one is chosen. */
export function DepositProof({ error, onChange }: { error: string | null; onChange: (id: string | null) => void }) {
  const { t } = useTranslation();
  const { upload, choose, retry } = useUpload(onChange);
  const says = {
    preparing: t("member.photo.preparing"),
    uploading: t("member.photo.uploading"),
    uploaded: t("member.arrive.done"),
    failed: upload?.message ?? t("member.photo.failed"),
  };
  return (
    <Uploader
      label={t("deposit.proof")}
      hint={t("deposit.proofHint")}
      photo={upload}
      says={upload && says[upload.status]}
      error={error}
      words={{
        choose: t("member.photo.choose"),
        replace: t("member.photo.replace"),
        retry: t("member.photo.retry"),
        shown: t("member.photo.shown"),
      }}
      onFile={choose}
      onRetry={retry}
    />
  );
}
