/** The frame of a screen (header, one scrolling body, footer) and the screen headers. */
import type { Path } from "#src/paths.ts";
import { Bell, ChevronLeft, Search } from "lucide-react";
import { createContext, useContext, useEffect, useEffectEvent, useRef } from "react";
import type { ReactNode, SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "./link.tsx";
import { IconButton } from "./button.tsx";
import { Hidden } from "./hidden.tsx";
import styles from "./screen.module.css";

/** In the wide layout a page and its list, or its companion, are side by side; only the page itself is the document's main part. */
export const Pane = createContext<"page" | "beside" | null>(null);

let firstScreen = true;

export interface ScreenProps {
  header?: ReactNode;
  /** Between header and body, always visible: a stale strip, tabs. */
  top?: ReactNode;
  /** At the bottom, always visible: the primary action. */
  footer?: ReactNode;
  children: ReactNode;
  /** `own` when the content scrolls itself (a VirtualList fills the body); `read` when nothing in it can take the focus. */
  scroll?: "page" | "read" | "own";
  /** `wide` uses the whole width above 1024 px; `column` keeps a readable width. */
  width?: "column" | "wide";
}

/**
 * One screen. When it is shown the focus moves to its start, unless something inside already has it; when a kept screen is shown again, to
 * what was used last, such as the row whose detail was open.
 */
export function Screen({ header, top, footer, children, scroll = "page", width = "column" }: ScreenProps) {
  const main = useRef<HTMLElement>(null);
  const pane = useContext(Pane);
  const beside = pane === "beside";
  const Main = beside ? "section" : "main";
  const takesFocus = useEffectEvent(() => !beside);
  const used = useRef<HTMLElement | null>(null);
  // A tap does not focus everywhere: Safari focuses neither links nor buttons.
  const noteUse = ({ target }: SyntheticEvent): void => {
    used.current = target instanceof Element ? target.closest<HTMLElement>("a[href], button, input") : null;
  };
  useEffect(() => {
    if (!takesFocus()) return;
    const first = firstScreen;
    firstScreen = false;
    const element = main.current;
    if (first || !element || element.contains(document.activeElement)) return;
    const last = used.current;
    (last && element.contains(last) ? last : element).focus({ preventScroll: true });
  }, []);
  return (
    <div className={styles.screen} data-width={width} data-pane={pane ?? undefined}>
      {header}
      <Main ref={main} id={beside ? undefined : "main"} tabIndex={-1} className={styles.main} onFocus={noteUse} onClickCapture={noteUse}>
        {top}
        <div className={styles.body} data-scroll={scroll} tabIndex={scroll === "read" ? 0 : undefined}>
          {children}
        </div>
        {footer && <div className={styles.foot}>{footer}</div>}
      </Main>
    </div>
  );
}

export interface BackHeaderProps {
  title: string;
  /** A second, smaller line: code, market, phase. */
  subtitle?: ReactNode;
  /** At the end: a star, a filter. */
  action?: ReactNode;
  /** Where Back leads when there is no history (the page was opened by its address). */
  fallback?: Path;
}

/** Go one history step back, or to `fallback` when the page was opened by its address. */
export function useBack(fallback: Path): () => void {
  const navigate = useNavigate();
  return () => {
    const state: unknown = window.history.state;
    const first = typeof state !== "object" || state === null || !("idx" in state) || state.idx === 0;
    void (first ? navigate(fallback, { replace: true }) : navigate(-1));
  };
}

/** Title in the middle, Back at the start; beside another page there is nothing to go back from. */
export function BackHeader({ title, subtitle, action, fallback = "/home/index" }: BackHeaderProps) {
  const { t } = useTranslation();
  const back = useBack(fallback);
  const beside = useContext(Pane) === "beside";
  return (
    <header className={styles.header}>
      {beside ? (
        <span className={styles.action} />
      ) : (
        <IconButton label={t("ui.back")} icon={<ChevronLeft className={styles.chevron} size={24} aria-hidden />} onClick={back} />
      )}
      <div className={styles.titles}>
        <h1 className={styles.title}>{title}</h1>
        {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
      </div>
      <div className={styles.action}>{action}</div>
    </header>
  );
}

/** A plain title, for tab roots and pages without Back. */
export function TitleHeader({ title, action }: { title: string; action?: ReactNode }) {
  return (
    <header className={styles.header} data-plain>
      <h1 className={styles.title}>{title}</h1>
      <div className={styles.action}>{action}</div>
    </header>
  );
}

export interface HomeBarProps {
  /** The page's name, for screen readers. */
  title: string;
  searchTo: Path;
  /** Where the bell leads, or what it opens; with neither there is no bell. */
  bellTo?: Path;
  onBell?: () => void;
  unread?: number;
}

/** The home header: a search box that links to the search screen, and the bell with its unread dot. */
export function HomeBar({ title, searchTo, bellTo, onBell, unread = 0 }: HomeBarProps) {
  const { t } = useTranslation();
  const bellName = unread > 0 ? t("ui.unread", { n: unread }) : t("ui.messages");
  const bell = (
    <>
      <Bell size={22} aria-hidden />
      {unread > 0 && <span className={styles.dot} aria-hidden />}
    </>
  );
  return (
    <header className={styles.header} data-home>
      <h1>
        <Hidden>{title}</Hidden>
      </h1>
      <Link to={searchTo} className={styles.search}>
        <Search size={18} aria-hidden />
        {t("ui.search")}
      </Link>
      {bellTo && (
        <Link to={bellTo} className={styles.bell} aria-label={bellName}>
          {bell}
        </Link>
      )}
      {onBell && (
        <button type="button" className={styles.bell} aria-label={bellName} onClick={onBell}>
          {bell}
        </button>
      )}
    </header>
  );
}
