/** Search by code, Chinese name (both scripts) or English name; shows suggestions while nothing is typed. */
import { ChevronLeft, Search as Magnifier, X } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import type { ComponentType, KeyboardEvent, ReactNode, RefObject } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { IconButton } from "#src/ui/button.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import { Screen, useBack } from "#src/ui/screen.tsx";
import { onceSteppedBack } from "#src/ui/step-back.ts";
import { claimTypeAhead } from "#src/ui/type-ahead.ts";
import { SearchResults } from "./search-results.tsx";
import { Suggestions } from "./search-suggestions.tsx";
import styles from "./search.module.css";

/** Keys that type nothing themselves. */
const MODIFIERS: ReadonlySet<string> = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock"]);

/** The links that the arrow keys move through, from top to bottom. */
const linksIn = (place: HTMLElement): HTMLElement[] => [...place.querySelectorAll<HTMLElement>("[data-found] a")];

/** `/favorite/search` */
export function Search() {
  return <SearchIn onLeave={useBack("/favorite/index")} Frame={Page} />;
}

function Page({ header, children }: SearchFrameProps) {
  return (
    <Screen header={header} top={<StaleNotice />}>
      {children}
    </Screen>
  );
}

export interface SearchFrameProps {
  /** The field with its keys. */
  header: ReactNode;
  /** Suggestions or results. */
  children: ReactNode;
}

interface SearchInProps {
  /** Back, or Escape in the empty field. */
  onLeave: () => void;
  /** A page, or a dialog over the page. */
  Frame: ComponentType<SearchFrameProps>;
}

/** The search in some frame. */
export function SearchIn({ onLeave, Frame }: SearchInProps) {
  const [typed, setTyped] = useState("");
  // The text Enter was pressed for before its results arrived; the first result opens as soon as it does.
  const [entered, setEntered] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const below = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let gone = false;
    const claim = (): void =>
      claimTypeAhead((ahead) => {
        const take = (): void => {
          setTyped(ahead.text);
          if (ahead.entered) setEntered(ahead.text.trim());
        };
        // In the field before the next key is: it would replace what the field does not show yet.
        queueMicrotask(() => flushSync(take));
      });
    field.current?.focus();
    // A dialog is shown by then, and no field takes a key before it is.
    onceSteppedBack(() => {
      if (!gone) claim();
    });
    return () => {
      gone = true;
    };
  }, []);
  const text = useDeferredValue(typed.trim());
  const type = (next: string): void => {
    setTyped(next);
    setEntered(null);
  };
  return (
    <Frame header={<SearchHeader typed={typed} field={field} below={below} onType={type} onEnter={setEntered} onLeave={onLeave} />}>
      <div ref={below} onKeyDown={(event) => moveThroughLinks(event, field.current)}>
        {text === "" ? <Suggestions /> : <SearchResults text={text} entered={entered} onOpened={() => setEntered(null)} />}
      </div>
    </Frame>
  );
}

interface SearchHeaderProps {
  typed: string;
  field: RefObject<HTMLInputElement | null>;
  /** Holds the suggestions or results. */
  below: RefObject<HTMLElement | null>;
  onType: (text: string) => void;
  /** Enter was pressed for a text; null when it no longer counts. */
  onEnter: (text: string | null) => void;
  onLeave: () => void;
}

/** The search field between the keys to go back and to clear it. */
function SearchHeader({ typed, field, below, onType, onEnter, onLeave }: SearchHeaderProps) {
  const { t } = useTranslation();
  const clear = (): void => {
    onType("");
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || !below.current) return;
    if (event.key !== "Enter" && !MODIFIERS.has(event.key)) onEnter(null);
    if (event.key === "ArrowDown") {
      event.preventDefault();
      linksIn(below.current)[0]?.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      // Nothing typed: open the first suggestion, if any. Otherwise the first result, now or when it arrives.
      if (typed.trim() === "") linksIn(below.current)[0]?.click();
      else onEnter(typed.trim());
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (typed === "") onLeave();
      else clear();
    }
  };
  return (
    <header className={styles.header}>
      <IconButton label={t("ui.back")} icon={<ChevronLeft size={24} aria-hidden />} onClick={onLeave} />
      <h1>
        <Hidden>{t("favorite.search")}</Hidden>
      </h1>
      <label className={styles.box}>
        <Magnifier size={18} aria-hidden />
        <Hidden>{t("ui.search")}</Hidden>
        <input
          ref={field}
          type="search"
          data-first-focus
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={t("ui.search")}
          aria-description={t("search.keys")}
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={onKey}
          onBlur={() => onEnter(null)}
        />
      </label>
      {typed !== "" && <IconButton label={t("favorite.clear")} icon={<X size={20} aria-hidden />} onClick={clear} />}
    </header>
  );
}

/** Arrow keys move the focus from link to link, above the first one into the field; Escape moves it into the field at once. */
function moveThroughLinks(event: KeyboardEvent<HTMLElement>, field: HTMLElement | null): void {
  if (!(event.target instanceof HTMLElement)) return;
  if (event.key === "Escape") {
    event.preventDefault();
    field?.focus();
    return;
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.target.closest("li");
  if (by === undefined || !row) return;
  event.preventDefault();
  const links = linksIn(event.currentTarget);
  const at = links.findIndex((link) => row.contains(link));
  if (at + by < 0) field?.focus();
  else links[at + by]?.focus();
}
