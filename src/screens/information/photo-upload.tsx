/** The uploader of one photo that a form sends by its id. */
import { useTranslation } from "react-i18next";
import { useUpload } from "#src/actors/upload.ts";
import { Uploader } from "#src/ui/uploader.tsx";

interface PhotoUploadProps {
  label: string;
  hint: string;
  error: string | null;
  /** Told the photo's id once it is uploaded, and null when another one is chosen. */
  onChange: (id: string | null) => void;
}

export function PhotoUpload({ label, hint, error, onChange }: PhotoUploadProps) {
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
      label={label}
      hint={hint}
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
