/** Search by code, Chinese name in both scripts, or English name; the member's last searches and the hot ones while nothing is typed. */
import { ChevronLeft, Search as Magnifier, X } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { IconButton } from "#src/ui/button.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import { Screen, useBack } from "#src/ui/screen.tsx";
import { SearchResults } from "./search-results.tsx";
import { Suggestions } from "./search-suggestions.tsx";
import styles from "./search.module.css";

/** The links one walks through with the arrows, from top to bottom. */
const linksIn = (place: HTMLElement): HTMLElement[] => [...place.querySelectorAll<HTMLElement>("[data-found] a")];

/** `/favorite/search` */
export function Search() {
  const { t } = useTranslation();
  const back = useBack("/favorite/index");
  const [typed, setTyped] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const below = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.focus(), []);
  const text = useDeferredValue(typed.trim());
  const clear = (): void => {
    setTyped("");
    field.current?.focus();
  };
  const typedKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || !below.current) return;
    if (event.key === "ArrowDown") {
      event.preventDefault();
      linksIn(below.current)[0]?.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      // The first of what was found for exactly this; while that is on its way, nothing.
      below.current.querySelector<HTMLElement>(`[data-found="${CSS.escape(typed.trim())}"] a`)?.click();
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (typed === "") back();
      else clear();
    }
  };
  const walked = (event: KeyboardEvent): void => {
    if (!below.current || !(event.target instanceof HTMLElement)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      field.current?.focus();
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest("li");
    if (by === undefined || !row) return;
    event.preventDefault();
    const links = linksIn(below.current);
    const at = links.findIndex((link) => row.contains(link));
    if (at + by < 0) field.current?.focus();
    else links[at + by]?.focus();
  };
  return (
    <Screen
      header={
        <header className={styles.header}>
          <IconButton label={t("ui.back")} icon={<ChevronLeft size={24} aria-hidden />} onClick={back} />
          <h1>
            <Hidden>{t("favorite.search")}</Hidden>
          </h1>
          <label className={styles.box}>
            <Magnifier size={18} aria-hidden />
            <Hidden>{t("ui.search")}</Hidden>
            <input
              ref={field}
              type="search"
              enterKeyHint="search"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder={t("ui.search")}
              aria-description={t("search.keys")}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={typedKey}
            />
          </label>
          {typed !== "" && <IconButton label={t("favorite.clear")} icon={<X size={20} aria-hidden />} onClick={clear} />}
        </header>
      }
      top={<StaleNotice />}
    >
      <div ref={below} onKeyDown={walked}>
        {text === "" ? <Suggestions /> : <SearchResults text={text} />}
      </div>
    </Screen>
  );
}
