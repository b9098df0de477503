/**
 * Loads the site's configuration before the app, with a retry on failure, and shows new visitors the welcome page
 * alone: sessions, machines and streams are loaded when they enter.
 */
import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { HashRouter, useLocation } from "react-router-dom";
import { read } from "#src/gateway/storage.ts";
import { currentSite, loadSite } from "#src/gateway/site.ts";
import { Start } from "#src/screens/login/start.tsx";
import { Navigate } from "#src/ui/link.tsx";
import { SandboxMark } from "#src/ui/sandbox-mark.tsx";
import { ErrorState, useSkeleton } from "#src/ui/state.tsx";
import { START } from "./paths.ts";
import styles from "./app.module.css";

const loadApp = () => import("./app.tsx");

const App = lazy(async () => {
  const { App, startApp } = await loadApp();
  startApp();
  return { default: App };
});

type Stage = { at: "loading" } | { at: "failed"; code: string } | { at: "ready" };

export function Startup() {
  const { t } = useTranslation();
  const [stage, setStage] = useState<Stage>({ at: "loading" });
  const settle = (problem: string | null): void => setStage(problem === null ? { at: "ready" } : { at: "failed", code: problem });
  const first = useEffectEvent(settle);
  useEffect(() => {
    void loadSite().then(first);
    // A returning member goes on to the app: its code loads in parallel with the configuration and starts nothing on import.
    if (read("tokend") !== null) loadApp().catch(() => undefined);
  }, []);
  const retry = (): void => {
    setStage({ at: "loading" });
    void loadSite().then(settle);
  };
  if (stage.at === "loading") return <Waiting />;
  if (stage.at === "failed") {
    return (
      <Bare>
        <main className={styles.middle}>
          <ErrorState what={t("app.startFailed")} code={stage.code} onRetry={retry} />
        </main>
      </Bare>
    );
  }
  return (
    <HashRouter>
      <WelcomeOrApp />
    </HashRouter>
  );
}

/** The welcome page or the app. Once in the app, the visitor stays in it. */
function WelcomeOrApp() {
  const { pathname } = useLocation();
  const [inside, setInside] = useState(() => read("tokend") !== null);
  if (!inside && pathname !== START && pathname !== "/") setInside(true);
  if (!inside) {
    return <Bare>{pathname === START ? <Start /> : <Navigate to={START} replace />}</Bare>;
  }
  return (
    <Suspense fallback={<Waiting />}>
      <App />
    </Suspense>
  );
}

function Bare({ children }: { children: ReactNode }) {
  return (
    <div className={styles.bare}>
      <SandboxMark simulated={currentSite().simulated} />
      {children}
    </div>
  );
}

function Waiting() {
  const { t } = useTranslation();
  const slow = useSkeleton(true);
  return (
    <Bare>
      <p className={styles.middle} role="status">
        {slow && t("ui.loading")}
      </p>
    </Bare>
  );
}
