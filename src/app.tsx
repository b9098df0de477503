/** The app shell: the screen of the current route with tabs, sandbox mark, toasts and app-wide banners. */
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Route as RouterRoute, Routes, useLocation } from "react-router-dom";
import type { Location } from "react-router-dom";
import { startAccount } from "#src/actors/account.ts";
import { startCommands } from "#src/actors/command.ts";
import { forgetReturn, startSession, takeLanding, useSession } from "#src/actors/session.ts";
import { loadTranslations, waitForTranslations } from "#src/gateway/language.ts";
import { toasts$, TOAST_MS } from "#src/gateway/toasts.ts";
import { currentSite } from "#src/gateway/site.ts";
import { read } from "#src/gateway/storage.ts";
import { ErrorBoundary } from "#src/ui/error-boundary.tsx";
import type { OverlayName } from "#src/screens/workspace/overlays.tsx";
import { KeepAlive } from "#src/ui/keep-alive.tsx";
import { SandboxMark } from "#src/ui/sandbox-mark.tsx";
import { Link, Navigate, useNavigate } from "#src/ui/link.tsx";
import { titleRoute } from "#src/ui/page-title.ts";
import { Pane, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TabBar } from "#src/ui/tab-bar.tsx";
import { Toaster } from "#src/ui/toast.tsx";
import type { ToastSource } from "#src/ui/toast.tsx";
import { startTypeAhead } from "#src/ui/type-ahead.ts";
import { useWide } from "#src/ui/use-wide.ts";
import { SessionEnded, Unresolved } from "./banners.tsx";
import { HOME, SEARCH, SIGN_IN, START } from "./paths.ts";
import type { Route } from "./paths.ts";
import { knownPath, loadAhead, routeAt, tabs } from "./routes.tsx";
import type { ScreenRoute } from "./lazy-screen.ts";
import styles from "./app.module.css";

const WideOverlays = lazy(async () => {
  const [{ WideOverlays: Overlays }] = await Promise.all([
    import("#src/screens/workspace/overlays.tsx"),
    loadTranslations("workspace", "refusals"),
  ]);
  return { default: Overlays };
});
const TabBadge = lazy(async () => {
  const [{ TabBadge: Loaded }] = await Promise.all([import("./tab-badge.tsx"), loadTranslations()]);
  return { default: Loaded };
});
const RowActions = lazy(async () => {
  const [{ RowActions: Actions }] = await Promise.all([import("./screens/quote/row-actions.tsx"), loadTranslations("refusals")]);
  return { default: Actions };
});
const WideFacts = lazy(async () => ({ default: (await import("./wide-facts.tsx")).WideFacts }));

const toastSource: ToastSource = (show) => {
  const watching = toasts$.subscribe(show);
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
  const wide = useWide();
  const [overlay, setOverlay] = useState<OverlayName | null | undefined>();
  useAppKeys(signedIn, wide ? setOverlay : null);
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
      {tabbed && <Navigation current={route.tab} onSearch={() => setOverlay("search")} />}
      <div className={styles.stage}>
        <SessionEnded />
        <Unresolved />
        <div className={styles.view} key={account ?? ""}>
          <Stage route={route} />
        </div>
      </div>
      {wide && signedIn && overlay !== undefined && (
        <Suspense>
          <WideOverlays shown={overlay} onClose={() => setOverlay(null)} />
        </Suspense>
      )}
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
function Navigation({ current, onSearch }: { current: ScreenRoute["tab"]; onSearch: () => void }) {
  const { t } = useTranslation();
  const wide = useWide();
  const entries = tabs.map(({ name, to, icon }) => ({
    to,
    label: t(`tab.${name}`),
    icon,
    current: name === current,
    badge: (name === "trade" || name === "account") && (
      <Suspense>
        <TabBadge tab={name} current={name === current} />
      </Suspense>
    ),
  }));
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
              <button type="button" className={styles.search} aria-haspopup="dialog" onClick={onSearch}>
                <Search size={18} aria-hidden />
                <span>{t("ui.search")}</span>
                <kbd aria-hidden>/</kbd>
              </button>
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
  const wide = useWide();
  // Each view keeps the location it was shown with, so that a hidden screen does not read another one's query.
  const element = useMemo(() => route && elementOf(route, location), [route, location]);
  const list = wide && signedIn && route?.list !== undefined ? routeAt(route.list) : undefined;
  const listElement = useMemo(() => list && elementOf(list, list.path), [list]);
  const signInScreen = route?.path.startsWith("/login/") === true && route.path !== "/login/loginAfter";
  if (restoring && (signInScreen || route?.open !== true)) return <Waiting />;
  if (signedIn && signInScreen) return <LeaveSignIn />;
  if (!route) return <Navigate to={out ? START : HOME} replace />;
  if (out && route.open !== true) return <Navigate to={SIGN_IN} replace />;
  const beside = wide && signedIn && !list ? route.beside : undefined;
  const first = list ?? route;
  const one = !list && route.one?.some((name) => new URLSearchParams(location.search).has(name)) === true;
  return (
    <div className={styles.pair} data-two={list || beside ? true : undefined}>
      <Pane value={list ? "beside" : beside ? "page" : null}>
        <KeepAlive
          view={{ key: one ? `${first.path}?` : first.path, keep: first.keep === true && !one, element: list ? listElement : element }}
        />
      </Pane>
      {list && (
        <Pane key={route.path} value="page">
          {element}
        </Pane>
      )}
      {beside && (
        <Pane value="beside">
          <Companion of={beside} />
        </Pane>
      )}
    </div>
  );
}

/** A route's screen, which reads the query of this location. */
function elementOf(route: ScreenRoute, location: Location | Route): ReactNode {
  return (
    <Routes location={location}>
      <RouterRoute path={route.path} element={<Framed route={route} />} />
    </Routes>
  );
}

/** What is shown beside a page: another page, or a part of its own. */
function Companion({ of }: { of: NonNullable<ScreenRoute["beside"]> }) {
  if (typeof of !== "string") return <Framed route={{ Screen: of }} />;
  const route = routeAt(of);
  return route && elementOf(route, of);
}

/** With a live session the sign-in routes redirect: back to where a forced logout happened, else home. */
function LeaveSignIn() {
  const navigate = useNavigate();
  const returnTo = useSession((session) => session.context.returnTo);
  // An effect event, so that it runs once: clearing `returnTo` must not navigate again.
  const leadOn = useEffectEvent(() => {
    void navigate(takeLanding() ?? (returnTo === null ? null : knownPath(returnTo)) ?? HOME, { replace: true });
    forgetReturn();
  });
  useEffect(() => leadOn(), []);
  return <Waiting />;
}

function Framed({ route }: { route: Pick<ScreenRoute, "Screen" | "Wide"> }) {
  const { t } = useTranslation();
  const wide = useWide();
  const Shown = (wide ? route.Wide : undefined) ?? route.Screen;
  const failed = (problem: Error) => (
    <Screen>
      {/* A code chunk that failed to load is only requested again by a new page. */}
      <ErrorState what={t("app.screenFailed")} code={problem.message.slice(0, 120)} onRetry={() => window.location.reload()} />
    </Screen>
  );
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={<Waiting />}>
        <Shown />
      </Suspense>
    </ErrorBoundary>
  );
}

function Waiting() {
  return <div className={styles.waiting}>{useSkeleton(true) && <Skeleton rows={6} />}</div>;
}

function useTitle(route: ScreenRoute | undefined): void {
  const { t } = useTranslation();
  const name = route ? t(`app.title.${route.title}`) : "";
  useEffect(() => titleRoute(name, currentSite().title), [name]);
}

/**
 * Pressing `/` outside text fields, or Ctrl+K, opens the search; keys typed while it opens go to its field. On wide pages it opens over the
 * page, and `?` lists the keys.
 */
function useAppKeys(active: boolean, openOver: ((name: OverlayName) => void) | null): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const open = useEffectEvent((name: OverlayName) => {
    if (pathname === SEARCH && name === "search") return document.querySelector<HTMLInputElement>("input[type=search]")?.focus();
    if (name === "search") startTypeAhead();
    if (openOver) openOver(name);
    else void navigate(SEARCH);
  });
  const over = openOver !== null;
  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      const name = overlayFor(event);
      if (name === null || (name === "keys" && !over)) return;
      event.preventDefault();
      open(name);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [active, over]);
}

/** What a key opens; null when it belongs to a field, an overlay or the browser. */
function overlayFor({ target, key, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent): OverlayName | null {
  const within = (what: string): boolean => target instanceof Element && target.closest(what) !== null;
  if (repeat || altKey || within("dialog")) return null;
  if (ctrlKey || metaKey) return key === "k" ? "search" : null;
  if (within("input, textarea, select, [contenteditable]")) return null;
  return key === "/" ? "search" : key === "?" ? "keys" : null;
}
