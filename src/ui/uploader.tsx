/** One photo to upload: choose or take it, see it, what happens to it, and try again. */
import { Camera, CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { useId } from "react";
import { Button } from "./button.tsx";
import styles from "./uploader.module.css";

export interface UploaderProps {
  label: string;
  hint?: string;
  /** What was chosen; null before. */
  photo: { status: "preparing" | "uploading" | "failed" | "uploaded"; url: string | null } | null;
  /** What its state is called, and why it failed. */
  says: string | null;
  error: string | null;
  words: { choose: string; replace: string; retry: string; shown: string };
  onFile: (file: File) => void;
  onRetry: () => void;
}

export function Uploader({ label, hint, photo, says, error, words, onFile, onRetry }: UploaderProps) {
  const id = useId();
  const busy = photo?.status === "preparing" || photo?.status === "uploading";
  const Mark = photo?.status === "uploaded" ? CircleCheck : photo?.status === "failed" ? CircleAlert : LoaderCircle;
  return (
    <div className={styles.uploader} role="group" aria-labelledby={`${id}-label`}>
      <p id={`${id}-label`} className={styles.label}>
        {label}
      </p>
      {photo?.url && <img className={styles.photo} src={photo.url} alt={words.shown} />}
      <label className={styles.choose} data-invalid={error ? true : undefined}>
        <Camera size={20} aria-hidden />
        <span>{photo ? words.replace : words.choose}</span>
        <input
          type="file"
          className={styles.input}
          accept="image/jpeg,image/png,image/webp,image/heic"
          aria-label={`${label}: ${photo ? words.replace : words.choose}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-says`}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            // The same file can be chosen again.
            event.currentTarget.value = "";
            if (file) onFile(file);
          }}
        />
      </label>
      <p id={`${id}-says`} className={styles.says} role="status" data-state={photo?.status}>
        {photo && <Mark size={18} className={busy ? styles.spin : undefined} aria-hidden />}
        {photo ? says : hint}
      </p>
      {error !== null && <p className={styles.error}>{error}</p>}
      {photo?.status === "failed" && <Button onClick={onRetry}>{words.retry}</Button>}
    </div>
  );
}
