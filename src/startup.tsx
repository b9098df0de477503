/** The moment before the app: asks for the site's configuration, mounts the app when it has come, offers a retry when it has not. */
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { startAccount } from "#src/actors/account.ts";
import { startCommands } from "#src/actors/command.ts";
import { startSession } from "#src/actors/session.ts";
import { loadSite } from "#src/gateway/site.ts";
import { SandboxMark } from "#src/ui/sandbox-mark.tsx";
import { ErrorState, useSkeleton } from "#src/ui/state.tsx";
import { App } from "./app.tsx";
import styles from "./app.module.css";

type Stage = { at: "asking" } | { at: "failed"; code: string } | { at: "ready" };

/** Begins what lives as long as the page. */
function begin(): void {
  startSession();
  startAccount();
  startCommands();
}

export function Startup() {
  const { t } = useTranslation();
  const [stage, setStage] = useState<Stage>({ at: "asking" });
  const settle = (problem: string | null): void => {
    if (problem === null) begin();
    setStage(problem === null ? { at: "ready" } : { at: "failed", code: problem });
  };
  const first = useEffectEvent(settle);
  useEffect(() => void loadSite().then(first), []);
  const slow = useSkeleton(stage.at === "asking");
  const retry = (): void => {
    setStage({ at: "asking" });
    void loadSite().then(settle);
  };
  if (stage.at === "ready") return <App />;
  return (
    <div className={styles.startup}>
      <SandboxMark />
      <main className={styles.middle}>
        {stage.at === "failed" && <ErrorState what={t("app.startFailed")} code={stage.code} onRetry={retry} />}
        {stage.at === "asking" && slow && <p role="status">{t("ui.loading")}</p>}
      </main>
    </div>
  );
}
