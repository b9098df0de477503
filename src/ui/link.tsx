/** The router's links and navigation, typed so that they only accept routes of the route table. */
import { useCallback, useEffect } from "react";
import { Link as RouterLink, useNavigate as useRouterNavigate, useSearchParams } from "react-router-dom";
import type { LinkProps as RouterLinkProps, NavigateOptions, NavigateProps } from "react-router-dom";
import type { ReactNode } from "react";
import { entriesOf } from "#src/paths.ts";
import type { Path, QueryOf, Route } from "#src/paths.ts";
import { onceSteppedBack } from "./step-back.ts";

export interface LinkProps extends Omit<RouterLinkProps, "to"> {
  to: Path;
}

interface Navigation {
  (to: Path, options?: NavigateOptions): void | Promise<void>;
  /** Moves by a number of history entries. */
  (steps: number): void | Promise<void>;
}

export const Link: (props: LinkProps) => ReactNode = RouterLink;

/** Redirects, unless it is gone again before the browser has stepped back from a closed overlay. */
export function Navigate({ to, replace = false }: Pick<NavigateProps, "replace"> & { to: Path }): null {
  const navigate = useRouterNavigate();
  useEffect(() => {
    let gone = false;
    onceSteppedBack(() => {
      if (!gone) void navigate(to, { replace });
    });
    return () => {
      gone = true;
    };
  }, [navigate, to, replace]);
  return null;
}

/** Navigates, once the browser is no longer about to step back from a closed overlay: it would leave the new page. */
export function useNavigate(): Navigation {
  const navigate = useRouterNavigate();
  return useCallback(
    (to: Path | number, options?: NavigateOptions) =>
      typeof to === "number" ? navigate(to) : onceSteppedBack(() => void navigate(to, options)),
    [navigate],
  );
}

/** The current route's query: read it by name, or replace it without a new history entry. */
export function useQuery<R extends Route>(): [{ get(name: keyof QueryOf<R> & string): string | null }, (query: QueryOf<R>) => void] {
  const [query, setQuery] = useSearchParams();
  return [query, (next) => onceSteppedBack(() => setQuery(entriesOf(next), { replace: true }))];
}
