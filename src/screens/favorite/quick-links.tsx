/** Links from the market tab to every other market view. */
import type { Path } from "#src/paths.ts";
import { ChartNoAxesColumn, Landmark, LayoutGrid, List, Star, Waypoints } from "lucide-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import styles from "./quotes.module.css";

const LINKS = [
  { key: "watchlist", to: "/favorite/zxList", icon: Star },
  { key: "ranking", to: "/favorite/moreList", icon: ChartNoAxesColumn },
  { key: "sectors", to: "/market/Plate", icon: LayoutGrid },
  { key: "categories", to: "/favorite/categoryList", icon: List },
  { key: "indices", to: "/market/largeMarket", icon: Waypoints },
  { key: "markets", to: "/market/index", icon: Landmark },
] as const satisfies readonly { key: string; to: Path; icon: ComponentType }[];

/** A strip of links that scrolls sideways when it does not fit. */
export function QuickLinks() {
  const { t } = useTranslation();
  return (
    <nav className={styles.ways} aria-label={t("favorite.ways")}>
      {LINKS.map(({ key, to, icon: Icon }) => (
        <Link key={key} to={to} className={styles.way ?? ""}>
          <Icon size={20} aria-hidden />
          <span>{t(`favorite.way.${key}`)}</span>
        </Link>
      ))}
    </nav>
  );
}
