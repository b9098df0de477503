/** The screen of something that the member holds of options: while it loads, when it cannot be read, and when it has ended. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { pathTo } from "#src/paths.ts";
import { useOptions } from "#src/streams/options.ts";
import type { Options } from "#src/streams/options.ts";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./fund.module.css";

interface HeldScreenProps {
  /** Null while the options are not known yet. */
  titleOf: (options: Options | null) => string;
  /** Null where it has ended. */
  bodyOf: (options: Options) => ReactNode;
}

export function HeldScreen({ titleOf, bodyOf }: HeldScreenProps) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useOptions(null);
  const skeleton = useSkeleton(value === null && state !== "failed");
  const mine = pathTo("/home/options", { part: "mine" });
  return (
    <Screen header={<BackHeader title={titleOf(value)} fallback={mine} />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("options.failed")} code={failure ?? ""} onRetry={retry} />}
        {value &&
          (bodyOf(value) ?? (
            <EmptyState title={t("options.ended")} why={t("options.endedWhy")} action={{ label: t("options.part.mine"), to: mine }} />
          ))}
      </div>
    </Screen>
  );
}
