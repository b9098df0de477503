/** The app shell: the screen of the current route with tabs, sandbox mark, toasts and app-wide banners. */
import { lazy, Suspense, useEffect, useEffectEvent, useMemo } from "react";
import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Route, Routes, useLocation } from "react-router-dom";
import { startAccount } from "#src/actors/account.ts";
import { startCommands } from "#src/actors/command.ts";
import { forgetReturn, startSession, useSession } from "#src/actors/session.ts";
import { waitForTranslations } from "#src/gateway/language.ts";
import { toasts$, TOAST_MS } from "#src/gateway/toasts.ts";
import { currentSite } from "#src/gateway/site.ts";
import { read } from "#src/gateway/storage.ts";
import { ErrorBoundary } from "#src/ui/error-boundary.tsx";
import { KeepAlive } from "#src/ui/keep-alive.tsx";
import { SandboxMark } from "#src/ui/sandbox-mark.tsx";
import { Link, Navigate, useNavigate } from "#src/ui/link.tsx";
import { Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TabBar } from "#src/ui/tab-bar.tsx";
import { Toaster } from "#src/ui/toast.tsx";
import type { ToastSource } from "#src/ui/toast.tsx";
import { startTypeAhead } from "#src/ui/type-ahead.ts";
import { useWide } from "#src/ui/use-wide.ts";
import { SessionEnded, Unresolved } from "./banners.tsx";
import { HOME, SEARCH, SIGN_IN, START } from "./paths.ts";
import { knownPath, loadAhead, routeAt, tabs } from "./routes.tsx";
import type { ScreenRoute } from "./routes.tsx";
import styles from "./app.module.css";

const RowActions = lazy(async () => ({ default: (await import("./screens/quote/row-actions.tsx")).RowActions }));
const WideFacts = lazy(async () => ({ default: (await import("./wide-facts.tsx")).WideFacts }));

const toastSource: ToastSource = (show) => {
  const watching = toasts$.subscribe(({ text, tone }) => show(text, tone));
  return () => watching.unsubscribe();
};

// The first screen's code loads in parallel with the app, before the session is restored.
if (read("tokend") !== null) loadAhead(window.location.hash.slice(1).split("?")[0] ?? "");

/** Start the session and everything that follows it. */
export function startApp(): void {
  startSession();
  startAccount();
  startCommands();
}

/** The app, mounted after the configuration is loaded, inside a router. */
export function App() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const route = routeAt(pathname);
  const signedIn = useSession((session) => session.matches("signedIn") || session.matches("leaving") || session.matches("expired"));
  const account = useSession((session) => session.context.account);
  useTitle(route);
  useSearchKey(signedIn);
  // After mounting: the texts of the other screens and of refusals.
  useEffect(() => void waitForTranslations(), []);
  const tabbed = signedIn && route?.tab !== undefined;
  return (
    <div className={styles.shell} data-tabbed={tabbed || undefined} data-root={route?.root || undefined}>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        {t("app.skip")}
      </a>
      <div className={styles.mark}>
        <SandboxMark simulated={currentSite().simulated} />
      </div>
      {tabbed && <Navigation current={route.tab} />}
      <div className={styles.stage}>
        <SessionEnded />
        <Unresolved />
        <div className={styles.view} key={account ?? ""}>
          <Stage route={route} />
        </div>
      </div>
      {signedIn && (
        <Suspense>
          <RowActions />
        </Suspense>
      )}
      <Toaster source={toastSource} stayMs={TOAST_MS} />
    </div>
  );
}

/** The tabs; above 1024 px they are in a header with the site's name and the search. */
function Navigation({ current }: { current: ScreenRoute["tab"] }) {
  const { t } = useTranslation();
  const wide = useWide();
  const entries = tabs.map(({ name, to, icon }) => ({ to, label: t(`tab.${name}`), icon, current: name === current }));
  return (
    <div className={styles.navigation}>
      <TabBar
        label={t("app.tabs")}
        tabs={entries}
        before={
          wide && (
            <Link to={HOME} className={styles.brand ?? ""}>
              {currentSite().title}
            </Link>
          )
        }
        after={
          wide && (
            <>
              <Link to={SEARCH} className={styles.search ?? ""}>
                <Search size={18} aria-hidden />
                <span>{t("ui.search")}</span>
                <kbd aria-hidden>/</kbd>
              </Link>
              <Suspense>
                <WideFacts />
              </Suspense>
            </>
          )
        }
      />
    </div>
  );
}

/** The route's screen, or a redirect where the session requires another one. */
function Stage({ route }: { route: ScreenRoute | undefined }) {
  const location = useLocation();
  const restoring = useSession((session) => session.matches("restoring"));
  const signedIn = useSession((session) => session.matches("signedIn"));
  const out = useSession((session) => session.matches("signedOut"));
  // Each view keeps the location it was shown with, so that a hidden screen does not read another one's query.
  const element = useMemo(
    () =>
      route && (
        <Routes location={location}>
          <Route path={route.path} element={<Framed route={route} />} />
        </Routes>
      ),
    [route, location],
  );
  const signInScreen = route?.path.startsWith("/login/") === true;
  if (restoring && (signInScreen || route?.open !== true)) return <Waiting />;
  if (signedIn && signInScreen) return <LeaveSignIn />;
  if (!route) return <Navigate to={out ? START : HOME} replace />;
  if (out && route.open !== true) return <Navigate to={SIGN_IN} replace />;
  return <KeepAlive view={{ key: route.path, keep: route.keep === true, element }} />;
}

/** With a live session the sign-in routes redirect: back to where a forced logout happened, else home. */
function LeaveSignIn() {
  const navigate = useNavigate();
  const returnTo = useSession((session) => session.context.returnTo);
  // An effect event, so that it runs once: clearing `returnTo` must not navigate again.
  const leadOn = useEffectEvent(() => {
    void navigate((returnTo === null ? null : knownPath(returnTo)) ?? HOME, { replace: true });
    forgetReturn();
  });
  useEffect(() => leadOn(), []);
  return <Waiting />;
}

function Framed({ route }: { route: ScreenRoute }) {
  const { t } = useTranslation();
  const failed = (problem: Error) => (
    <Screen>
      {/* A code chunk that failed to load is only requested again by a new page. */}
      <ErrorState what={t("app.screenFailed")} code={problem.message.slice(0, 120)} onRetry={() => window.location.reload()} />
    </Screen>
  );
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={<Waiting />}>
        <route.Screen />
      </Suspense>
    </ErrorBoundary>
  );
}

function Waiting() {
  return <div className={styles.waiting}>{useSkeleton(true) && <Skeleton rows={6} />}</div>;
}

function useTitle(route: ScreenRoute | undefined): void {
  const { t } = useTranslation();
  const name = route ? t(`app.title.${route.title}`) : null;
  useEffect(() => {
    document.title = name === null ? currentSite().title : `${name} · ${currentSite().title}`;
  }, [name]);
}

/** Pressing `/` outside text fields opens the search; keys typed while it opens go to its field. */
function useSearchKey(active: boolean): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      const typing = event.target instanceof Element && event.target.closest("input, textarea, select, dialog, [contenteditable]");
      if (event.key !== "/" || event.repeat || event.ctrlKey || event.metaKey || event.altKey || typing) return;
      event.preventDefault();
      if (pathname === SEARCH) {
        document.querySelector<HTMLInputElement>("input[type=search]")?.focus();
        return;
      }
      startTypeAhead();
      void navigate(SEARCH);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [active, navigate, pathname]);
}
