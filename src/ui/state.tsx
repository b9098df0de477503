/** The states of a data view besides its data: loading, empty, failed, stale and blocked; and the risk notice. */
import type { Path } from "#src/paths.ts";
import { CircleAlert, Inbox, Lock, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, ButtonLink } from "./button.tsx";
import { Hidden } from "./hidden.tsx";
import styles from "./state.module.css";

const SKELETON_AFTER_MS = 150;
const SKELETON_AT_LEAST_MS = 300;

let loadingParts = 0;

/** Mark the root element while any part of the screen is loading, so that tests and screenshots can wait for it. */
function countLoading(by: 1 | -1): void {
  loadingParts += by;
  document.documentElement.toggleAttribute("data-loading", loadingParts > 0);
}

/** Whether to show a skeleton: only when loading takes a while, and then for a minimum time. */
export function useSkeleton(loading: boolean): boolean {
  const [shownAt, setShownAt] = useState<number | null>(null);
  useEffect(() => {
    if (!loading) return;
    countLoading(1);
    return () => countLoading(-1);
  }, [loading]);
  useEffect(() => {
    if (loading === (shownAt !== null)) return;
    const wait = shownAt === null ? SKELETON_AFTER_MS : SKELETON_AT_LEAST_MS - (performance.now() - shownAt);
    const timer = window.setTimeout(() => setShownAt(loading ? performance.now() : null), Math.max(0, wait));
    return () => window.clearTimeout(timer);
  }, [loading, shownAt]);
  return shownAt !== null;
}

/** Grey placeholder bars in the real layout; static, because a shimmer costs paint time. */
export function Skeleton({ rows = 1, shape = "row" }: { rows?: number; shape?: "row" | "text" | "hero" | "block" }) {
  const { t } = useTranslation();
  return (
    <div className={styles.skeleton} data-shape={shape} role="status">
      <Hidden>{t("ui.loading")}</Hidden>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={styles.ghost} aria-hidden>
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

export interface Action {
  label: string;
  /** A route or a callback. */
  to?: Path;
  onPress?: () => void;
}

function ActionButton({ action }: { action: Action }) {
  if (action.to !== undefined) return <ButtonLink to={action.to}>{action.label}</ButtonLink>;
  return <Button onClick={action.onPress}>{action.label}</Button>;
}

/** An empty view: what is empty, why, and what to do. Without a title it says "No data". */
export function EmptyState({ title, why, action, icon }: { title?: string; why?: string; action?: Action; icon?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={styles.state}>
      <span className={styles.icon}>{icon ?? <Inbox size={32} aria-hidden />}</span>
      <p className={styles.title}>{title ?? t("ui.noData")}</p>
      {why && <p className={styles.why}>{why}</p>}
      {action && <ActionButton action={action} />}
    </div>
  );
}

/** What failed, a retry button, and the code for support. */
export function ErrorState({ what, code, onRetry, busy = false }: { what: string; code?: string; onRetry: () => void; busy?: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={styles.state} role="alert">
      <span className={styles.icon}>
        <CircleAlert size={32} aria-hidden />
      </span>
      <p className={styles.title}>{what}</p>
      <Button busy={busy} onClick={onRetry}>
        {t("ui.retry")}
      </Button>
      {code && <p className={styles.code}>{code}</p>}
    </div>
  );
}

/** The amber strip above prices that are not live. `since` is the time of the last price, `HH:mm:ss`; null when there is none. */
export function StaleStrip({ since, back = false }: { since: string | null; back?: boolean }) {
  const { t } = useTranslation();
  return (
    <p className={styles.strip} data-back={back || undefined} role="status">
      {back ? t("ui.liveAgain") : since === null ? t("ui.reconnecting") : t("ui.reconnectingSince", { time: since })}
    </p>
  );
}

/** Why this cannot be used now, and the next step; shown before the form. */
export function BlockedNotice({ title, why, action }: { title: string; why: string; action?: Action }) {
  return (
    <div className={styles.notice} data-tone="blocked">
      <Lock size={20} aria-hidden className={styles.mark} />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        <p className={styles.why}>{why}</p>
        {action && <ActionButton action={action} />}
      </div>
    </div>
  );
}

/** The risk notice for leverage and short selling, as prominent as the benefit. */
export function RiskNotice({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={styles.notice} data-tone="risk" role="note">
      <TriangleAlert size={20} aria-hidden className={styles.mark} />
      <p className={styles.words}>{children ?? t("ui.risk")}</p>
    </div>
  );
}
