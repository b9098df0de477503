/** A section of server data: skeleton, error, stale data with a notice, or the data. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Read } from "#src/streams/resource.ts";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Button } from "#src/ui/button.tsx";
import styles from "./trade.module.css";

/** Shows `children` once there is a value. */
export function AsyncSection({ read, rows = 6, children }: { read: Read<unknown>; rows?: number; children: ReactNode }) {
  const { t } = useTranslation();
  const nothing = read.value === null;
  const skeleton = useSkeleton(nothing && read.state === "loading");
  if (nothing && read.state === "failed") return <ErrorState what={t("trade.failed")} code={read.failure ?? ""} onRetry={read.retry} />;
  if (nothing || skeleton) return skeleton ? <Skeleton rows={rows} /> : null;
  return (
    <>
      {read.state === "failed" && (
        <div className={styles.old} role="status">
          <p>{t("trade.old")}</p>
          <Button tone="quiet" onClick={read.retry}>
            {t("ui.retry")}
          </Button>
        </div>
      )}
      {children}
    </>
  );
}
