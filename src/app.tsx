/** The shell: which screen stands where the address points, with tabs, mark, toasts and what concerns the whole app. */
import { lazy, Suspense, useEffect, useEffectEvent, useMemo } from "react";
import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Route, Routes, useLocation } from "react-router-dom";
import { startAccount } from "#src/actors/account.ts";
import { startCommands } from "#src/actors/command.ts";
import { forgetReturn, startSession, useSession } from "#src/actors/session.ts";
import { wordsAtHand } from "#src/gateway/language.ts";
import { toasts$, NOTICE_MS } from "#src/gateway/toasts.ts";
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

const WideFacts = lazy(async () => ({ default: (await import("./wide-facts.tsx")).WideFacts }));

const notices: ToastSource = (show) => {
  const watching = toasts$.subscribe(({ text, tone }) => show(text, tone));
  return () => watching.unsubscribe();
};

// The screen one goes to is loaded beside the app, not after it has found out whose session it is.
if (read("tokend") !== null) loadAhead(window.location.hash.slice(1).split("?")[0] ?? "");

/** Whoever enters the app may hold a session: from here on it is asked for and followed. */
export function startApp(): void {
  startSession();
  startAccount();
  startCommands();
}

/** The app, once its configuration is there; a router stands around it. */
export function App() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const route = routeAt(pathname);
  const signedIn = useSession((session) => session.matches("signedIn") || session.matches("leaving") || session.matches("expired"));
  const account = useSession((session) => session.context.account);
  useTitle(route);
  useSearchKey(signedIn);
  // Once the app stands: the words of the other screens and of refusals.
  useEffect(() => void wordsAtHand(), []);
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
      <Toaster source={notices} stayMs={NOTICE_MS} />
    </div>
  );
}

/** The tabs; above 1024 px they stand in a header with the site's name and the search. */
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

/** The screen of the route, or where one must go first. */
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
  const entrance = route?.path.startsWith("/login/") === true;
  if (restoring && (entrance || route?.open !== true)) return <Waiting />;
  if (signedIn && entrance) return <GoOn />;
  if (!route) return <Navigate to={out ? START : HOME} replace />;
  if (out && route.open !== true) return <Navigate to={SIGN_IN} replace />;
  return <KeepAlive view={{ key: route.path, keep: route.keep === true, element }} />;
}

/** With a live session the entrance leads on: back to where a forced logout happened, else home. */
function GoOn() {
  const navigate = useNavigate();
  const returnTo = useSession((session) => session.context.returnTo);
  // Once: forgetting where to return must not lead on from there.
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
      {/* A part of the app that did not load is asked for again only by a new page. */}
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

/** `/` leads to the search from anywhere but a text field; what is typed while it opens is for its field. */
function useSearchKey(active: boolean): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    if (!active) return;
    const pressed = (event: KeyboardEvent): void => {
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
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [active, navigate, pathname]);
}
