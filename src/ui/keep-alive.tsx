/** Shows one view and keeps the last few marked ones hidden but mounted: state and scroll stay, effects stop. */
import { Activity, useState } from "react";
import type { ReactNode } from "react";

export interface KeptView {
  key: string;
  keep: boolean;
  element: ReactNode;
}

/** How many views are kept, the shown one included. */
const MAX_KEPT = 5;

interface Kept {
  /** In order of arrival: their place in the tree must not change. */
  views: readonly KeptView[];
  /** Keys, most recently shown last. */
  recent: readonly string[];
}

/** The kept views after `view` was shown. */
export function afterShowing({ views, recent }: Kept, view: KeptView): Kept {
  const order = view.keep ? [...recent.filter((key) => key !== view.key), view.key].slice(-MAX_KEPT) : recent;
  const known = views.some(({ key }) => key === view.key);
  const all = known ? views.map((one) => (one.key === view.key ? view : one)) : [...views, view];
  return { views: all.filter(({ key, keep }) => key === view.key || (keep && order.includes(key))), recent: order };
}

/** The view and the hidden ones. A hidden view keeps the element it was last shown with. */
export function KeepAlive({ view }: { view: KeptView }) {
  const [kept, setKept] = useState<Kept>({ views: [], recent: [] });
  const now = kept.views.find(({ key }) => key === view.key);
  let shown = kept;
  if (now?.element !== view.element || kept.views.some(({ key, keep }) => key !== view.key && !keep)) {
    shown = afterShowing(kept, view);
    setKept(shown);
  }
  return shown.views.map(({ key, element }) => (
    <Activity key={key} mode={key === view.key ? "visible" : "hidden"}>
      {element}
    </Activity>
  ));
}
